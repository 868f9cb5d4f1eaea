#pragma once

#include "fleet/front/front_core.hpp"
#include "unit/fleet/simulation/call_ledger.hpp"
#include "unit/fleet/simulation/simulated_network.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace partyline::test {

/// A front with its clients.
class simulated_front : public network_member, public std::enable_shared_from_this<simulated_front> {
public:
    simulated_front(std::string name, virtual_time& time, simulated_network& network, call_ledger& ledger,
                    fleet::front_limits limits);

    const std::string& name() const override { return name_; }
    void receive(const parcel& message) override;

    /// Calls, for the given time at the worker.
    void call(std::size_t number, std::chrono::milliseconds work, fleet::new_call with);
    void cancel(std::size_t number);
    /// Nothing happens any more; its clients have lost their connections.
    void die();

    bool is_dead() const { return is_dead_; }
    const fleet::front_core& core() const { return core_; }

private:
    void carry_out();
    void carry_out(const fleet::publication& what) { network_.publish(name_, what); }
    void carry_out(const fleet::call_accepted&) {}
    void carry_out(const fleet::call_message& message);
    void carry_out(const fleet::call_settled& how);
    void carry_out(const fleet::session_answered&) {}
    void wait();

    std::string name_;
    virtual_time& time_;
    simulated_network& network_;
    call_ledger& ledger_;
    fleet::front_core core_;
    bool is_dead_ = false;
    std::map<std::uint64_t, std::size_t> numbers_; // of open calls, by those of the core
    std::map<std::size_t, std::uint64_t> own_numbers_;
    std::optional<std::chrono::steady_clock::time_point> waits_until_;
};

} // namespace partyline::test
