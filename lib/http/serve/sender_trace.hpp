#pragma once

#include "http/wire/request_head.hpp"

#include <partyline/session/trace_context.hpp>

#include <optional>

namespace partyline::http {

/// The piece of work of a client that `traceparent` and `tracestate` tell of. Nothing where they are not as the
/// specification says, or there are several of the former.
inline std::optional<trace_context> trace_of(const request_head& head)
{
    if (head.count("traceparent") != 1)
        return std::nullopt;
    return trace_context::parse(head.find("traceparent"), head.find("tracestate"));
}

} // namespace partyline::http
