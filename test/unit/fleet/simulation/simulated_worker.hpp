#pragma once

#include "fleet/worker/worker_core.hpp"
#include "unit/fleet/simulation/call_ledger.hpp"
#include "unit/fleet/simulation/simulated_network.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace partyline::test {

/// A worker with its handlers: each says something in the middle, and its result at the end.
class simulated_worker : public network_member, public std::enable_shared_from_this<simulated_worker> {
public:
    simulated_worker(std::string name, virtual_time& time, simulated_network& network, call_ledger& ledger,
                     fleet::worker_limits limits);

    const std::string& name() const override { return name_; }
    void receive(const parcel& message) override;

    void start();
    void connect_again();
    void drain();
    /// At once, as by kill -9.
    void die();
    /// Stands still, as by SIGSTOP: what comes meanwhile waits.
    void pause(virtual_time::duration how_long);

    bool is_dead() const { return is_dead_; }
    bool is_drained() const { return is_drained_; }
    std::size_t refused() const { return refused_; }
    const fleet::worker_core& core() const { return core_; }

private:
    struct handler {
        std::size_t call;
        bool is_cancelled = false;
    };

    void when_running(std::function<void()> what);
    void carry_out();
    void carry_out(const fleet::publication& what) { network_.publish(name_, what); }
    void carry_out(const fleet::run_started& run);
    void carry_out(const fleet::session_wanted&) {} // the calls of these fronts open none
    void carry_out(const fleet::run_cancelled& run);
    void carry_out(const fleet::item_refused&) { ++refused_; }
    void carry_out(const fleet::pulls_ended&);
    void carry_out(const fleet::queue_missed&) {} // this server keeps it
    void carry_out(const fleet::worker_drained&);
    void finish(std::uint64_t run);
    void wait();

    std::string name_;
    virtual_time& time_;
    simulated_network& network_;
    call_ledger& ledger_;
    fleet::worker_core core_;
    bool is_dead_ = false;
    bool is_drained_ = false;
    bool is_paused_ = false;
    std::size_t refused_ = 0;
    std::deque<std::function<void()>> paused_; // what happens when it goes on
    std::map<std::uint64_t, handler> handlers_;
    std::optional<std::chrono::steady_clock::time_point> waits_until_;
};

} // namespace partyline::test
