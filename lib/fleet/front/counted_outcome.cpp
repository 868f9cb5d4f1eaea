#include "fleet/front/counted_outcome.hpp"

#include <cstddef>

namespace partyline::fleet {
namespace {

// Where those are counted that may be tried again; null for other outcomes.
std::size_t* refused(front_totals& in, front_outcome outcome)
{
    switch (outcome) {
    case front_outcome::full: return &in.queue_full;
    case front_outcome::client_full: return &in.too_many_calls;
    case front_outcome::no_room: return &in.too_many_sessions;
    case front_outcome::no_stream: return &in.no_worker;
    case front_outcome::unreachable: return &in.bus_unreachable;
    case front_outcome::closed: return &in.closing;
    default: return nullptr;
    }
}

} // namespace

front_outcome outcome_of_opening(front_outcome why) noexcept
{
    return why == front_outcome::deadline || why == front_outcome::lost ? front_outcome::no_stream : why;
}

void count_outcome(front_totals& to, front_outcome outcome, bool may_have_run)
{
    std::size_t* const count = refused(to, outcome);
    if (outcome == front_outcome::deadline)
        ++to.late;
    else if (outcome == front_outcome::lost || (count && may_have_run))
        ++to.lost;
    else if (count)
        ++*count;
}

} // namespace partyline::fleet
