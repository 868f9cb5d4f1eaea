#pragma once

#include <partyline/mcp/description.hpp>
#include <partyline/session/session_options.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace partyline::mcp {

/// Which servers a client talks to.
enum class wanted_era : std::uint8_t {
    automatic, ///< it asks by `server/discover`, and else begins with `initialize`
    legacy,    ///< it begins with `initialize`: for servers that end when they are asked anything before
    modern     ///< it does not fall back
};

/// What a client says of itself, and how it goes about things. 0 for a duration means for ever.
struct client_options {
    /// Who the client says that it is.
    implementation info = {.name = "partyline", .version = "1"};
    /// How it begins.
    wanted_era era = wanted_era::automatic;
    /// How long a server may take to answer `server/discover`; one that is silent then is taken for a legacy one, of
    /// which some drop what they do not know.
    std::chrono::steady_clock::duration probe_timeout = std::chrono::seconds(5);
    /// How long it may take to answer when it has to: `initialize`, and that it listens (`subscriptions/listen`).
    std::chrono::steady_clock::duration handshake_timeout = std::chrono::seconds(30);
    /// How long a request may take that has no `call_hooks`: lists, completions and the like.
    std::chrono::steady_clock::duration request_timeout = std::chrono::seconds(60);
    /// How often a server may ask something before it has answered one call (2026-07-28).
    std::size_t max_rounds = 10;
    /// How many questions it may ask in one round.
    std::size_t max_questions = 64;
    /// How many pages a list may have that is got as a whole.
    std::size_t max_pages = 1000;
    /// How many bytes of text such a list may have.
    std::size_t max_list_bytes = std::size_t(64) << 20;
    /// How many bytes of results it keeps for as long as the server says that they are good (`ttlMs`, 2026-07-28; a day
    /// at most): lists, and what was read of resources. Of more the least recently used go, and one that takes more
    /// than a quarter of them is not kept. 0: none are. Set it for a client that lists or reads the same things often,
    /// and call `client::forget_results()` when the credentials change to those of another principal: a client does not
    /// hear of that, also where they change over HTTP by themselves, as by a login for more scopes. See `client`.
    std::size_t cache_bytes = 0;
    /// Whether structured results of tools are held against the schemas that these are listed with: see
    /// `client::call_tool`. Of these the client remembers as many bytes as lists may have. A result whose check takes
    /// more than a million steps, or more than 640 schemas in each other, is passed on unchecked.
    bool check_results = false;
    /// How long to wait before listening again, where a server has ended that or its connection has broken
    /// (2026-07-28): while it fails the pause is doubled each time, up to a minute, for as long as the conversation
    /// lasts; when it is acknowledged, the next pause is this long again.
    std::chrono::steady_clock::duration listen_pause = std::chrono::seconds(1);
    /// Whether the handler of `client::on_sample` knows what to do with tools.
    bool samples_with_tools = false;
    /// How the session behaves: limits, log, hook. Its profile is set by the client.
    session_options session = {};
};

} // namespace partyline::mcp
