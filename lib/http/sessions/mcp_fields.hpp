#pragma once

#include "http/mcp/mcp_message.hpp"
#include "http/wire/request_head.hpp"

#include <optional>
#include <string>

namespace partyline::http {

/// What is wrong with the fields of a request of 2026-07-28, which repeat what its body says: `data` of an error
/// -32020.
struct field_mismatch {
    std::string field;
    std::string expected; // what the body has
    std::string actual;   // empty where there is none
};

/// Checks `MCP-Protocol-Version`, `Mcp-Method` and `Mcp-Name`: each is there once and says the same as the body.
/// Servers and what is in front of them go by different ones of the two (2026-07-28, Streamable HTTP, server
/// validation).
std::optional<field_mismatch> find_mismatch(const request_head& head, const mcp_message& m);

} // namespace partyline::http
