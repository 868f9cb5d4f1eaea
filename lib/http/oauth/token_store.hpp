#pragma once

#include "http/oauth/client_identity.hpp"
#include "http/oauth/scope_set.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace partyline::http {

// What a store keeps of a client: the names of entries, and their texts.

/// The tokens that a client has for a server. They are of one issuer, and were issued to one client id.
struct held_tokens {
    using time_point = std::chrono::system_clock::time_point;

    std::string issuer = {};
    std::string client_id = {};
    std::string resource = {};
    std::string metadata = {}; // the address that the server has named for its own; empty: it has named none
    std::string access = {};   // empty: there is none
    std::string refresh = {};  // empty: there is none
    scope_set asked = {};      // for the access token
    scope_set granted = {};
    std::optional<time_point> usable_until = {}; // before it expires; nothing: until the server refuses it
    std::int64_t count = 0;                      // of the times that there have been tokens: which ones are newer
};

/// The name of the entry of a server's tokens.
std::string tokens_name(std::string_view server_resource);
std::string to_text(const held_tokens& tokens);
/// Nothing where the text is none of those.
std::optional<held_tokens> read_tokens(std::string text);

/// The name of the entry of the client's identity at an issuer.
std::string identity_name(std::string_view issuer);
std::string to_text(const client_identity& identity);
/// Nothing where the text is none of those, or is of another issuer.
std::optional<client_identity> read_identity(std::string text, std::string_view issuer);

} // namespace partyline::http
