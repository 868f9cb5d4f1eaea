#include "http/serve/sender_of.hpp"

#include <optional>
#include <string_view>
#include <utility>

namespace partyline::http {
namespace {

// The value of all fields of a name, which are one list (RFC 9110 §5.3).
std::optional<std::string> joined(const request_head& head, std::string_view name, std::string_view between)
{
    std::optional<std::string> all;
    for (const field& each : head.fields) {
        if (!is_name(each.name, name))
            continue;
        if (all)
            all->append(between);
        else
            all.emplace();
        all->append(each.value);
    }
    return all;
}

// W3C Trace Context; `tracestate` may stand in several fields (§3.3.1).
std::optional<trace_context> trace_of(const request_head& head)
{
    if (head.count("traceparent") != 1)
        return std::nullopt;
    const std::string_view parent = head.find("traceparent");
    if (head.count("tracestate") > 1) [[unlikely]]
        return trace_context::parse(parent, *joined(head, "tracestate", ","));
    return trace_context::parse(parent, head.find("tracestate"));
}

sent_fields fields_of(const request_head& head, const std::vector<std::string>& names)
{
    sent_fields found;
    for (const std::string& name : names) {
        if (std::optional<std::string> value = joined(head, name, ", "))
            found.push_back({name, std::move(*value)});
    }
    return found;
}

} // namespace

sender_facts sender_of(const request_head& head, const session_options& of, const std::vector<std::string>& names)
{
    sender_facts told;
    if (of.on_served)
        told.trace = trace_of(head);
    if (!names.empty())
        told.set_fields(fields_of(head, names));
    return told;
}

} // namespace partyline::http
