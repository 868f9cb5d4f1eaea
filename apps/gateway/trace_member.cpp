#include "gateway/trace_member.hpp"

#include "gateway/member_text.hpp"

#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>

#include <string>
#include <string_view>
#include <utility>

using partyline::json_text;

namespace gateway {
namespace {

constexpr std::string_view meta_member = "_meta";

// `params` is an object.
json_text with_metadata(const json_text& params, std::string_view name, std::string_view value)
{
    const std::string text = boost::json::serialize(boost::json::string(value));
    if (const std::string_view known = member_text(params, {meta_member, name}); !known.empty())
        return with_replaced(params, known, text);
    const std::string member = '"' + std::string(name) + "\":" + text;
    const std::string_view meta = member_text(params, {meta_member});
    if (meta.empty())
        return json_text(with_member(params.text(), '"' + std::string(meta_member) + "\":{" + member + '}'));
    return meta.starts_with('{') ? with_replaced(params, meta, with_member(meta, member)) : params;
}

} // namespace

json_text with_trace(json_text params, const partyline::trace_context& trace)
{
    if (params.empty() || params.text() == "null")
        params = json_text("{}");
    if (!params.text().starts_with('{'))
        return params;
    params = with_metadata(params, "traceparent", trace.traceparent());
    return trace.state().empty() ? params : with_metadata(params, "tracestate", trace.state());
}

void read_traces(partyline::session_options& session)
{
    if (!session.on_served)
        session.on_served = [](const partyline::served_event&) {};
}

} // namespace gateway
