#pragma once

#include <partyline/session/caller.hpp>

#include <boost/asio/awaitable.hpp>

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gateway {

/// What a server of the handshake's era has been told and has taken, so that the next one can be told the same.
///
/// Thread safety: none.
class handshake {
public:
    /// `initialize` was answered so.
    void note_greeted(partyline::json_text params, partyline::json_text result);
    void note_initialized() noexcept { is_initialized_ = true; }
    /// `logging/setLevel` was taken.
    void note_level(partyline::json_text params) { level_ = std::move(params); }

    /// What `initialize` was answered with; null before.
    const partyline::json_text* result() const noexcept { return params_ ? &result_ : nullptr; }
    bool is_initialized() const noexcept { return is_initialized_; }

    /// Tells a new server all that, and subscribes to the resources with these URIs, which is not waited for. Nothing
    /// where the last one was not greeted. Throws `system_error`.
    boost::asio::awaitable<void> repeat(partyline::caller& server, std::set<std::string> uris);
    /// The lists that a server tells changes of: "tools", "resources", "prompts".
    std::vector<std::string> changing_lists() const;

private:
    std::optional<partyline::json_text> params_;
    partyline::json_text result_;
    std::optional<partyline::json_text> level_;
    bool is_initialized_ = false;
};

} // namespace gateway
