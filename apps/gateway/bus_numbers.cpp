#include "gateway/bus_numbers.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace gateway {
namespace {

using command_line::observed_number;

class listed_numbers {
public:
    listed_numbers(const partyline::fleet::bus_totals& bus, std::size_t dropped)
    {
        add("partyline_bus_connected", "Whether there is a connection to the bus: 0 or 1", bus.is_connected ? 1 : 0);
        add("partyline_bus_reconnects_total", "Connections to the bus that were made again",
            bus.connections == 0 ? 0 : bus.connections - 1);
        add("partyline_bus_dropped_total", "Messages of the bus that had no room, or were not understood",
            bus.dropped + dropped);
    }

    void add(std::string name, std::string help, std::size_t value)
    {
        all_.push_back({std::move(name), std::move(help), value});
    }
    void add_refused(std::string_view why, std::size_t value)
    {
        all_.push_back({"partyline_bus_refused_calls_total", "Calls that were answered that they may be tried again",
                        value, "why", std::string(why)});
    }
    std::vector<observed_number> take() { return std::move(all_); }

private:
    std::vector<observed_number> all_;
};

} // namespace

void add(partyline::fleet::front_totals& to, const partyline::fleet::front_totals& more) noexcept
{
    using totals = partyline::fleet::front_totals;
    constexpr std::size_t totals::* all[] = {&totals::open_calls,        &totals::published, &totals::published_again,
                                             &totals::queue_full,        &totals::no_worker, &totals::bus_unreachable,
                                             &totals::too_many_calls,    &totals::closing,   &totals::lost,
                                             &totals::too_many_sessions, &totals::late,      &totals::dropped};
    static_assert(sizeof(totals) == sizeof(all) / sizeof(all[0]) * sizeof(std::size_t), "one is left out");
    for (const auto one : all)
        to.*one += more.*one;
}

std::vector<observed_number> numbers_of(const partyline::fleet::bus_totals& bus,
                                        const partyline::fleet::front_totals& front)
{
    listed_numbers all(bus, front.dropped);
    all.add("partyline_bus_open_calls", "Calls that have no answer yet", front.open_calls);
    all.add("partyline_bus_published_total", "Calls that were published", front.published);
    all.add("partyline_bus_published_again_total", "Calls that were published once more, unacknowledged",
            front.published_again);
    all.add_refused("queue_full", front.queue_full);
    all.add_refused("too_many_calls", front.too_many_calls);
    all.add_refused("too_many_sessions", front.too_many_sessions);
    all.add_refused("no_worker", front.no_worker);
    all.add_refused("bus_unreachable", front.bus_unreachable);
    all.add_refused("closing", front.closing);
    all.add("partyline_bus_lost_calls_total", "Calls of which it is not known whether they have run", front.lost);
    all.add("partyline_bus_late_calls_total", "Calls that were ended by their deadlines", front.late);
    return all.take();
}

std::vector<observed_number> numbers_of(const partyline::fleet::bus_totals& bus,
                                        const partyline::fleet::worker_totals& worker)
{
    listed_numbers all(bus, worker.dropped);
    all.add("partyline_bus_running", "Calls that run", worker.running);
    all.add("partyline_bus_unconfirmed", "Calls that have ended, and whose fronts have not confirmed it",
            worker.unconfirmed);
    all.add("partyline_bus_sessions", "Sessions that are open", worker.sessions);
    all.add("partyline_bus_begun_total", "Calls that have begun to run", worker.begun);
    all.add("partyline_bus_refused_items_total", "Messages of the bus that are no calls and no cancels",
            worker.refused);
    all.add("partyline_bus_claims_lost_total", "Calls that another worker had claimed", worker.claims_lost);
    all.add("partyline_bus_pulls_total", "Requests for calls", worker.pulls);
    return all.take();
}

} // namespace gateway
