#pragma once

#include "http/oauth/discovery.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace partyline::http {

/// How a client proves at the token endpoint who it is (RFC 7591 §2, RFC 7523 §2.2).
enum class client_authentication : std::uint8_t {
    none,
    basic, ///< client_secret_basic
    post,  ///< client_secret_post
    key,   ///< private_key_jwt
};

std::string_view to_string(client_authentication method) noexcept;
std::optional<client_authentication> authentication_named(std::string_view name) noexcept;

/// Who the client is for one issuer, and for no other one.
struct client_identity {
    std::string issuer = {};
    std::string id = {};
    std::string secret = {}; // empty: it has none
    client_authentication method = client_authentication::none;
    std::string redirect_uri = {};          // that it was registered with; empty: it has registered nothing itself
    std::optional<std::int64_t> until = {}; // in seconds since 1970; nothing: it does not expire
    bool is_in_doubt = false; // the last login by it has had no answer: the issuer may not know it any more
};

/// Whether an error of an issuer, by its name in OAuth, says that it does not know the client any more, or has thrown
/// it out.
bool is_unknown_client(std::string_view error) noexcept;

/// What a client has to prove who it is by.
struct credentials_held {
    bool secret = false;
    bool key = false;
};

/// The way in which a client with these credentials authenticates at an issuer. `told`: the one that it was registered
/// with. Throws client_errc::unauthorized where the issuer takes none that the client has.
client_authentication choose_authentication(const issuer_metadata& at, credentials_held held,
                                            std::optional<client_authentication> told = std::nullopt);

} // namespace partyline::http
