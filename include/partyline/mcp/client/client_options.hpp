#pragma once

#include <partyline/mcp/description.hpp>
#include <partyline/session/session_options.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace partyline::mcp {

/// The era of the servers that a client accepts.
enum class wanted_era : std::uint8_t {
    automatic, ///< asks by `server/discover`, and else begins with `initialize`
    legacy,    ///< begins with `initialize`: for servers that end at any request before that
    modern     ///< asks by `server/discover`, and does not fall back
};

/// The options of a client. 0 for a duration means for ever.
struct client_options {
    /// The name and the version that the client gives to the server.
    implementation info = {.name = "partyline", .version = "1"};
    /// The era of the servers that the client accepts.
    wanted_era era = wanted_era::automatic;
    /// How long a server may take to answer `server/discover`; a server that has not answered by then counts as a
    /// legacy one, since some of those drop unknown requests.
    std::chrono::steady_clock::duration probe_timeout = std::chrono::seconds(5);
    /// How long a server may take to answer `initialize`, and to acknowledge `subscriptions/listen`.
    std::chrono::steady_clock::duration handshake_timeout = std::chrono::seconds(30);
    /// How long a request without `call_hooks` may take: lists, completions and the like.
    std::chrono::steady_clock::duration request_timeout = std::chrono::seconds(60);
    /// How many rounds of questions a server may ask before it has answered a call (2026-07-28).
    std::size_t max_rounds = 10;
    /// How many questions a server may ask in one round.
    std::size_t max_questions = 64;
    /// How many pages a list may have that is read as a whole.
    std::size_t max_pages = 1000;
    /// How many bytes of text such a list may have.
    std::size_t max_list_bytes = std::size_t(64) << 20;
    /// How many bytes of results the client caches for as long as the server says that they are good (`ttlMs`,
    /// 2026-07-28; a day at most): lists, and contents of resources. Beyond that the least recently used results are
    /// dropped; a result that takes more than a quarter of these bytes is not cached. 0: no result is cached. Set it
    /// for a client that lists or reads the same things often, and call `client::forget_results()` when the credentials
    /// change to those of another principal: a client does not notice that, also where credentials change automatically
    /// over HTTP, as by a login for more scopes. See `client`.
    std::size_t cache_bytes = 0;
    /// Whether structured results of tools are checked against the output schemas in the list of tools: see
    /// `client::call_tool`. The client keeps as many bytes of these schemas as lists may have. A result whose check
    /// takes more than a million steps, or more than 640 nested schemas, is passed on unchecked.
    bool check_results = false;
    /// How long to wait before listening again, where the server has ended the subscription or its connection has
    /// broken (2026-07-28): the pause doubles with each failure, up to a minute, for as long as the conversation lasts;
    /// after an acknowledgement the next pause is this long again.
    std::chrono::steady_clock::duration listen_pause = std::chrono::seconds(1);
    /// Whether the handler of `client::on_sample` supports tools.
    bool samples_with_tools = false;
    /// The options of the session: limits, log, hook. The client sets the profile.
    session_options session = {};
};

} // namespace partyline::mcp
