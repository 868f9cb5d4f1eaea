#pragma once

#include "content.hpp"

#include <cstddef>
#include <string_view>

namespace bench {

/// What is said over the wire: methods of any name, or MCP, by a client that begins with a handshake or by one that
/// says who it is with each request.
enum class protocol { json_rpc, mcp_handshake, mcp_stateless };

/// `tools/call` of the tool `echo` with a text of so many bytes; the result is what the tool makes: `{"text":"..."}`.
content tool_call(protocol spoken, std::size_t bytes);
/// `tools/list`; the result is how many tools there are.
content tool_list(protocol spoken, std::size_t count);

/// How a client with a handshake begins: by a request, whose reply has to be `is_greeting`, and a notification.
struct handshake {
    static constexpr std::string_view request =
        R"({"jsonrpc":"2.0","id":"first","method":"initialize","params":{"protocolVersion":"2025-11-25",)"
        R"("capabilities":{},"clientInfo":{"name":"partyline-bench","version":"1.0"}}})";
    static constexpr std::string_view notification = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
};
bool is_greeting(std::string_view reply);

} // namespace bench
