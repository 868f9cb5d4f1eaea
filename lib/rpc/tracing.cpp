#include <partyline/rpc/tracing.hpp>

#include "session/trace_reader.hpp"

#include <partyline/protocol/limits.hpp>
#include <partyline/protocol/message.hpp>
#include <partyline/session/call_middleware.hpp>
#include <partyline/session/request_context.hpp>

#include <optional>
#include <string_view>

namespace partyline {
namespace {

trace_context trace_of(peer_call& call)
{
    if (const call_trace* const its = call.attached.find<call_trace>())
        return its->own;
    if (request_context* const from = call.request())
        return from->trace();
    const trace_context* const told = call.attached.find<trace_context>();
    return told ? *told : trace_context::make_root();
}

} // namespace

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
    // Where nobody exports a span of the call it is the request's: a collector would not find another parent.
    const trace_context own = trace_of(call);
    call.set_metadata(traceparent_name, boost::json::value(own.traceparent()));
    if (!own.state().empty())
        call.set_metadata(tracestate_name, boost::json::value(own.state()));
}

} // namespace partyline
