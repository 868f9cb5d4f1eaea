#include <partyline/rpc/tracing.hpp>

#include <partyline/protocol/limits.hpp>
#include <partyline/protocol/message.hpp>
#include <partyline/session/call_middleware.hpp>
#include <partyline/session/request_context.hpp>

#include <optional>
#include <string>

namespace partyline {
namespace {

constexpr std::string_view traceparent = "traceparent";
constexpr std::string_view tracestate = "tracestate";
constexpr std::size_t max_text = 1024; // of either; more is none

std::string string_member(message_reader& reader, json_view object, std::string_view name)
{
    const json_view found = reader.find_member(object, name);
    if (!found.text().starts_with('"') || found.text().size() > max_text)
        return {};
    const boost::json::value value = found.to_value();
    return std::string(value.get_string());
}

std::optional<trace_context> read_trace(json_view params, std::string_view metadata)
{
    if (metadata.empty() || !params.text().starts_with('{'))
        return std::nullopt;
    message_reader reader{limits()};
    const json_view place = reader.find_member(params, metadata);
    if (!place.text().starts_with('{'))
        return std::nullopt;
    return trace_context::parse(string_member(reader, place, traceparent), string_member(reader, place, tracestate));
}

} // namespace

void trace_requests(request_context& context, json_view params)
{
    const std::optional<trace_context> sender = read_trace(params, context.metadata_name());
    context.attach(sender ? sender->child() : trace_context::make_root());
}

void trace_calls(peer_call& call)
{
    if (call.params.text().starts_with('['))
        return;
    request_context* const from = call.request();
    const trace_context* const known = from ? &from->trace() : call.attached.find<trace_context>();
    const trace_context own = known ? known->child() : trace_context::make_root();
    call.set_metadata(traceparent, boost::json::value(own.traceparent()));
    if (!own.state().empty())
        call.set_metadata(tracestate, boost::json::value(own.state()));
}

} // namespace partyline
