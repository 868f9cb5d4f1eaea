#include "stats.hpp"

#include "command_line/line_log.hpp"

#include <cstdint>
#include <string>
#include <utility>

namespace echo {

using partyline::session_counters;

void print_stats(const session_counters& counters)
{
    constexpr std::pair<const char*, std::uint64_t session_counters::*> lines[] = {
        {"messages_in", &session_counters::messages_in},
        {"messages_out", &session_counters::messages_out},
        {"bytes_in", &session_counters::bytes_in},
        {"bytes_out", &session_counters::bytes_out},
        {"requests", &session_counters::requests},
        {"notifications", &session_counters::notifications},
        {"busy", &session_counters::busy},
        {"cancelled", &session_counters::cancelled},
        {"dropped", &session_counters::dropped},
        {"calls", &session_counters::calls},
        {"late_replies", &session_counters::late_replies},
        {"stray_replies", &session_counters::stray_replies},
        {"bad_replies", &session_counters::bad_replies},
        {"coalesced_progress", &session_counters::coalesced_progress},
        {"in_flight", &session_counters::in_flight},
        {"peak_in_flight", &session_counters::peak_in_flight},
        {"open_calls", &session_counters::open_calls},
        {"peak_open_calls", &session_counters::peak_open_calls},
        {"waiting", &session_counters::waiting},
        {"peak_waiting", &session_counters::peak_waiting},
        {"waiting_bytes", &session_counters::waiting_bytes},
        {"peak_waiting_bytes", &session_counters::peak_waiting_bytes},
        {"outbox_bytes", &session_counters::outbox_bytes},
        {"peak_outbox_bytes", &session_counters::peak_outbox_bytes},
    };
    for (const auto& [name, value] : lines)
        command_line::say(name + (": " + std::to_string(counters.*value)));
}

} // namespace echo
