#pragma once

#include "http/oauth/client_identity.hpp"
#include "http/oauth/discovery.hpp"
#include "http/oauth/scope_set.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace partyline::http {

/// How an issuer gets to know this client, in the order in which they are tried (MCP 2026-07-28, "Client Registration
/// Approaches").
enum class registration_way : std::uint8_t {
    known,    ///< it was registered in advance
    document, ///< its id is the address of its metadata
    dynamic,  ///< it registers itself (RFC 7591)
};

/// Throws client_errc::unauthorized where there is none.
registration_way choose_registration(const issuer_metadata& at, bool has_client_id, bool has_metadata_url);

/// What a client tells of itself when it registers.
struct registration_details {
    std::string name = {};
    std::string redirect_uri = {};
    scope_set scopes = {}; // all that it may ask for
};

/// The body of a registration.
std::string registration_request(const registration_details& of, const issuer_metadata& at);

/// Reads the answer to a registration. Throws client_errc::unauthorized where it was refused.
client_identity read_registration(int status, std::string text, const registration_details& of,
                                  const issuer_metadata& at);

} // namespace partyline::http
