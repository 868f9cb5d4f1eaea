#include "telemetry/spans/span.hpp"

#include "telemetry/json_text.hpp"

#include <algorithm>
#include <string_view>

namespace partyline::telemetry {
namespace {

// Longer than what is shown, so that who shows it sees that there was more.
std::string_view kept(std::string_view text) noexcept
{
    return text.substr(0, longest_shown + 4);
}

span_transport transport_of(const peer_identity& peer) noexcept
{
    if (peer.address)
        return span_transport::tcp;
    return peer.local ? span_transport::unix_socket : span_transport::pipe;
}

} // namespace

span make_span(const served_event& event, std::chrono::system_clock::time_point now)
{
    const trace_context& trace = *event.trace;
    span made;
    std::ranges::copy(trace.trace_id(), made.trace_id.begin());
    std::ranges::copy(trace.span_id(), made.span_id.begin());
    made.has_parent = !trace.parent_id().empty();
    std::ranges::copy(trace.parent_id(), made.parent_id.begin());
    made.outcome = outcome_of(event);
    made.transport = transport_of(event.peer);
    made.error_code = event.error_code;
    made.ended = now.time_since_epoch();
    made.began = made.ended - (event.ended - event.arrived);
    made.state = trace.state();
    made.method = kept(event.method);
    made.key = kept(event.key);
    made.id = kept(event.id);
    made.principal = kept(event.peer.principal);
    made.address = event.peer.address;
    return made;
}

} // namespace partyline::telemetry
