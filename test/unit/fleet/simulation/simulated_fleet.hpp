#pragma once

#include "unit/fleet/simulation/call_ledger.hpp"
#include "unit/fleet/simulation/simulated_front.hpp"
#include "unit/fleet/simulation/simulated_network.hpp"
#include "unit/fleet/simulation/simulated_server.hpp"
#include "unit/fleet/simulation/simulated_worker.hpp"
#include "unit/fleet/simulation/virtual_time.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace partyline::test {

/// A server, its fronts (F1, F2) and workers (W3, W4, W5) under one time. A worker that has died is followed by another
/// of a new name; a front is not, as its clients have lost their connections.
class simulated_fleet {
public:
    simulated_fleet(std::size_t fronts, std::size_t workers, fleet::worker_limits limits = {},
                    fleet::front_limits front_limits = {});
    ~simulated_fleet();

    virtual_time time;
    simulated_network network{time};
    simulated_server server{time, network, "tools"};
    call_ledger ledger;

    /// A call after `delay`, at one of the fronts; returns its number.
    std::size_t call(std::size_t front, virtual_time::duration delay, std::chrono::milliseconds work,
                     bool is_idempotent);
    void cancel(std::size_t call, virtual_time::duration delay);

    simulated_front& front(std::size_t index) { return *fronts_.at(index); }
    simulated_worker& worker(std::size_t index) { return *workers_.at(index); }
    std::size_t fronts() const { return fronts_.size(); }
    std::size_t workers() const { return workers_.size(); }

    /// By name, where it is still alive; the next one comes a second later.
    void kill(const std::string& name);
    void kill_worker(std::size_t index);
    void kill_front(std::size_t index);
    /// Ends a worker in order; the next one is there at once.
    void replace_worker(std::size_t index);
    void cut(const std::string& name, virtual_time::duration how_long);
    void lose_leader(virtual_time::duration how_long);

    /// Until nothing is left to do, or no longer than so long. How long it took.
    virtual_time::duration run(virtual_time::duration at_most = std::chrono::minutes(16));

    /// What must hold whatever happens; empty where it does.
    std::string complaint() const;

private:
    void add_front();
    void add_worker(std::size_t index);
    bool is_idle() const;
    std::string complaint_of(std::size_t call) const;

    fleet::worker_limits limits_;
    fleet::front_limits front_limits_;
    std::size_t names_ = 0;
    std::size_t planned_ = 0; // calls that have not begun, members that are to come
    std::vector<std::shared_ptr<simulated_front>> fronts_;
    std::vector<std::shared_ptr<simulated_worker>> workers_;
    std::vector<std::shared_ptr<simulated_worker>> draining_;
};

} // namespace partyline::test
