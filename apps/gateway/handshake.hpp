#pragma once

#include "gateway/kept_bytes.hpp"

#include <partyline/session/caller.hpp>

#include <boost/asio/awaitable.hpp>

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gateway {

/// What a server of MCP before 2026-07-28 was told and has accepted, so that the next one can be told the same.
///
/// Thread safety: none.
class handshake {
public:
    /// What a client has said, and its bytes.
    struct said {
        partyline::json_text params;
        kept_bytes::share kept;
    };

    /// The server has answered `initialize` with this result.
    void note_greeted(said greeting, partyline::json_text result);
    void note_initialized() noexcept { is_initialized_ = true; }
    /// The server has accepted `logging/setLevel`.
    void note_level(said level) { level_ = std::move(level); }

    /// What `initialize` was answered with; null before.
    const partyline::json_text* result() const noexcept { return greeting_ ? &result_ : nullptr; }
    bool is_initialized() const noexcept { return is_initialized_; }

    /// Tells a new server all of this, and subscribes to the resources with these URIs without waiting for the answers.
    /// Does nothing where the last server was not greeted. Throws `system_error`.
    boost::asio::awaitable<void> repeat(partyline::caller& server, std::set<std::string> uris);
    /// The lists whose changes the server tells: "tools", "resources", "prompts".
    std::vector<std::string> changing_lists() const;

private:
    std::optional<said> greeting_;
    partyline::json_text result_;
    std::optional<said> level_;
    bool is_initialized_ = false;
};

} // namespace gateway
