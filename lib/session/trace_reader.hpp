#pragma once

#include <partyline/protocol/json_text.hpp>
#include <partyline/protocol/message.hpp>
#include <partyline/session/trace_context.hpp>

#include <optional>
#include <string_view>

namespace partyline {

inline constexpr std::string_view traceparent_name = "traceparent";
inline constexpr std::string_view tracestate_name = "tracestate";

/// Whether `traceparent` may stand somewhere in params: a look at their bytes, as most have none.
bool may_have_trace(json_view params) noexcept;
/// The sender's piece of work, as `traceparent` and `tracestate` say, which are members of `metadata`. Nothing where
/// they are not as the specification says, or `metadata` is no object.
std::optional<trace_context> read_trace(json_view metadata, message_reader& reader);

} // namespace partyline
