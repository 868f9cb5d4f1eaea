#include <partyline/protocol/limits.hpp>

#include <limits>

namespace partyline {
namespace {

constexpr std::size_t any = std::numeric_limits<std::size_t>::max();

constexpr limit_range ranges[] = {
    {"message_bytes", &limits::message_bytes, 64, any},
    {"depth", &limits::depth, 1, 10'000}, // a value of more levels may not fit on the stack
    {"id_bytes", &limits::id_bytes, 1, any},
    {"batch_elements", &limits::batch_elements, 1, any},
    {"header_bytes", &limits::header_bytes, 24, any},
    {"in_flight_requests", &limits::in_flight_requests, 1, any},
    {"in_flight_bytes", &limits::in_flight_bytes, 1, any},
    {"waiting_requests", &limits::waiting_requests, 0, any},
    {"waiting_bytes", &limits::waiting_bytes, 0, any},
    {"peer_waits", &limits::peer_waits, 0, any},
    {"calls", &limits::calls, 1, any},
    {"call_bytes", &limits::call_bytes, 1, any},
    {"outbox_soft_bytes", &limits::outbox_soft_bytes, 0, any},
    // Of less, the quarter that is reserved for refusals holds so few that two busy sessions soon stand still.
    {"outbox_hard_bytes", &limits::outbox_hard_bytes, 16'384, any},
};

} // namespace

std::span<const limit_range> limit_ranges() noexcept
{
    return ranges;
}

} // namespace partyline
