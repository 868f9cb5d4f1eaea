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

/// What a server of the handshake's era has been told and has taken, so that the next one can be told the same.
///
/// Thread safety: none.
class handshake {
public:
    /// What a client has said, and its bytes.
    struct said {
        partyline::json_text params;
        kept_bytes::share kept;
    };

    /// `initialize` was answered so.
    void note_greeted(said greeting, partyline::json_text result);
    void note_initialized() noexcept { is_initialized_ = true; }
    /// `logging/setLevel` was taken.
    void note_level(said level) { level_ = std::move(level); }

    /// What `initialize` was answered with; null before.
    const partyline::json_text* result() const noexcept { return greeting_ ? &result_ : nullptr; }
    bool is_initialized() const noexcept { return is_initialized_; }

    /// Tells a new server all that, and subscribes to the resources with these URIs, which is not waited for. Nothing
    /// where the last one was not greeted. Throws `system_error`.
    boost::asio::awaitable<void> repeat(partyline::caller& server, std::set<std::string> uris);
    /// The lists that a server tells changes of: "tools", "resources", "prompts".
    std::vector<std::string> changing_lists() const;

private:
    std::optional<said> greeting_;
    partyline::json_text result_;
    std::optional<said> level_;
    bool is_initialized_ = false;
};

} // namespace gateway
