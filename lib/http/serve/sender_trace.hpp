#pragma once

#include "http/wire/request_head.hpp"

#include <partyline/session/trace_context.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace partyline::http {

/// The members of `tracestate`, which may stand in several fields: one list (W3C Trace Context §3.3.1).
inline std::string trace_state_of(const request_head& head)
{
    std::string all;
    for (const field& each : head.fields) {
        if (is_name(each.name, "tracestate"))
            all.append(all.empty() ? "" : ",").append(each.value);
    }
    return all;
}

/// The piece of work of a client that `traceparent` and `tracestate` tell of. Nothing where they are not as the
/// specification says, or there are several of the former.
inline std::optional<trace_context> trace_of(const request_head& head)
{
    if (head.count("traceparent") != 1)
        return std::nullopt;
    const std::string_view parent = head.find("traceparent");
    if (head.count("tracestate") > 1) [[unlikely]]
        return trace_context::parse(parent, trace_state_of(head));
    return trace_context::parse(parent, head.find("tracestate"));
}

} // namespace partyline::http
