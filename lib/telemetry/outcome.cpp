#include "telemetry/outcome.hpp"

namespace partyline::telemetry {

served_outcome outcome_of(const served_event& event) noexcept
{
    switch (event.disposition) {
    case request_disposition::refused: return served_outcome::refused;
    case request_disposition::dropped: return served_outcome::dropped;
    case request_disposition::cancelled: return served_outcome::cancelled;
    case request_disposition::lost: return served_outcome::lost;
    case request_disposition::handled: break;
    }
    switch (event.outcome) {
    case answer_outcome::result: return event.is_tool_error ? served_outcome::tool_error : served_outcome::result;
    case answer_outcome::error: return served_outcome::error;
    case answer_outcome::none: break;
    }
    return served_outcome::notification;
}

std::string_view to_string(served_outcome outcome) noexcept
{
    switch (outcome) {
    case served_outcome::result: return "result";
    case served_outcome::error: return "error";
    case served_outcome::tool_error: return "tool_error";
    case served_outcome::refused: return "refused";
    case served_outcome::cancelled: return "cancelled";
    case served_outcome::lost: return "lost";
    case served_outcome::notification: return "notification";
    case served_outcome::dropped: break;
    }
    return "dropped";
}

} // namespace partyline::telemetry
