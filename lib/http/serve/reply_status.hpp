#pragma once

namespace partyline::http {

/// What a status says besides the JSON-RPC reply in the body.
enum class status_rule : unsigned char {
    plain,     ///< whether the server was too busy to begin
    modern,    ///< MCP 2026-07-28: whether the request was one that this server serves at all
    forwarded, ///< the same of one that another server has answered: by the code alone
    legacy     ///< MCP before that: as plain, and whether it was a message
};

/// The status that an error reply has alone in a body. `was_served`: a handler was asked, and what that says is told
/// with 200. That a peer may not call is told by any rule.
int status_of_error(int code, bool was_served, status_rule by) noexcept;

} // namespace partyline::http
