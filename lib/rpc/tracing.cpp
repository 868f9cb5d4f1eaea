#include <partyline/rpc/tracing.hpp>

#include "session/trace_reader.hpp"

#include <partyline/protocol/limits.hpp>
#include <partyline/protocol/message.hpp>
#include <partyline/session/call_middleware.hpp>
#include <partyline/session/request_context.hpp>

#include <optional>
#include <string_view>

namespace partyline {

void trace_requests(request_context& context, json_view params)
{
    if (context.has_trace())
        return;
    std::optional<trace_context> sender;
    if (const std::string_view name = context.metadata_name(); !name.empty() && params.text().starts_with('{')) {
        message_reader reader{limits()};
        sender = read_trace(reader.find_member(params, name), reader);
    }
    context.attach(sender ? sender->child() : trace_context::make_root());
}

void trace_calls(peer_call& call)
{
    if (call.params.text().starts_with('['))
        return;
    request_context* const from = call.request();
    const trace_context* const known = from ? &from->trace() : call.attached.find<trace_context>();
    // The request's own span, since nobody exports one for the call: a collector would not find the parent.
    const trace_context own = known ? *known : trace_context::make_root();
    call.set_metadata(traceparent_name, boost::json::value(own.traceparent()));
    if (!own.state().empty())
        call.set_metadata(tracestate_name, boost::json::value(own.state()));
}

} // namespace partyline
