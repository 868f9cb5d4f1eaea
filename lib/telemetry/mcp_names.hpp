#pragma once

#include <string_view>

namespace partyline::telemetry {

// Names of the Model Context Protocol that spans have to do with.

inline constexpr std::string_view call_tool = "tools/call";
inline constexpr std::string_view get_prompt = "prompts/get";
inline constexpr std::string_view key_member = "name"; // of the params of both
inline constexpr std::string_view meta_member = "_meta";
inline constexpr std::string_view version_member = "io.modelcontextprotocol/protocolVersion"; // of `_meta`

/// Whether spans of the method are named after what its params name, too.
constexpr bool has_key(std::string_view method) noexcept
{
    return method == call_tool || method == get_prompt;
}

} // namespace partyline::telemetry
