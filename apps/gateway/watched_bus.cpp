#include "gateway/watched_bus.hpp"

#include "gateway/log_line.hpp"
#include "server/log_throttle.hpp"

#include <partyline/protocol/printable.hpp>

#include <atomic>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>

namespace gateway {
namespace {

using clock = std::chrono::steady_clock;

// A cluster that has lost its leader has another one after some six seconds.
constexpr std::chrono::seconds patience{10};

} // namespace

struct watched_bus::state {
    std::atomic<clock::time_point> lost_at = clock::now() - patience;
    std::atomic<bool> was_connected = false;
    partyline::log_throttle problems; // the bus tells one thing at a time

    void on_connected()
    {
        was_connected = true;
        log_line("the bus is connected");
    }
    void on_disconnected(std::string_view why)
    {
        if (was_connected.exchange(false))
            lost_at = clock::now();
        log_line("the bus is not connected: " + partyline::printable(why));
    }
    // Each message may be refused.
    void on_problem(std::string_view what)
    {
        if (problems.allows(clock::now()))
            log_line("the bus has refused: " + partyline::printable(what));
    }
};

namespace {

template <class State>
partyline::fleet::bus_options told_to(const std::shared_ptr<State>& to, partyline::fleet::bus_options network)
{
    network.on_connected = [to] { to->on_connected(); };
    network.on_problem = [to](std::string_view what) { to->on_problem(what); };
    network.on_disconnected = [to](std::string_view why) { to->on_disconnected(why); };
    return network;
}

} // namespace

watched_bus::watched_bus(partyline::fleet::bus_options network)
    : state_(std::make_shared<state>()), bus_(told_to(state_, std::move(network)))
{
}

bool watched_bus::is_well() const noexcept
{
    return bus_.is_connected() || clock::now() - state_->lost_at.load() < patience;
}

} // namespace gateway
