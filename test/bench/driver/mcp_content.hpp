#pragma once

#include "content.hpp"
#include "wire.hpp"

#include <string>
#include <string_view>

namespace bench {

/// What is said over the wire: methods of any name, or MCP, by a client that begins with a handshake or by one that
/// says who it is with each request.
enum class protocol { json_rpc, mcp_handshake, mcp_stateless };

/// `tools/call` of the tool `echo` with a text of so many bytes; the result is what the tool makes: `{"text":"..."}`.
content tool_call(protocol spoken, std::size_t bytes);
/// `tools/list`; the result is how many tools there are.
content tool_list(protocol spoken, std::size_t count);

/// The handshake, framed: a request, whose reply has to be `is_greeting`, and a notification.
std::string make_handshake(framing how);
bool is_greeting(std::string_view reply);

} // namespace bench
