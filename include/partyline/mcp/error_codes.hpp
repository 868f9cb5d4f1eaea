#pragma once

/// Codes that the Model Context Protocol has besides those of JSON-RPC.
namespace partyline::mcp::error_codes {

inline constexpr int resource_not_found = -32002;           ///< up to 2025-11-25; later -32602
inline constexpr int header_mismatch = -32020;              ///< 2026-07-28, over HTTP
inline constexpr int missing_client_capability = -32021;    ///< 2026-07-28; `data.requiredCapabilities`
inline constexpr int unsupported_protocol_version = -32022; ///< 2026-07-28; `data {supported, requested}`
inline constexpr int url_elicitation_required = -32042;     ///< 2025-11-25 alone

} // namespace partyline::mcp::error_codes
