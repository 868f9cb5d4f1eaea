#pragma once

#include "http/oauth/login_address.hpp"
#include "http/oauth/scope_set.hpp"
#include "http/wire/url.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::http {

// The rules by which a client finds the authorization server of a server, and what both say of themselves. What a
// document has wrong throws client_errc::unauthorized, in words for the user.

/// What a server says of itself (RFC 9728 §2).
struct server_metadata {
    std::string resource = {}; // as the server writes it: so it is sent
    std::vector<std::string> issuers = {};
    scope_set scopes_supported = {};
    bool is_default = false;  // it stands in for metadata that the server has not
    std::string address = {}; // of this, where the server has named it in a refusal; empty: a well-known one
};

/// The identifier of a server that has no metadata: its address without query and final slash.
std::string resource_of(const url& server);

/// Where a server's metadata may be, in order: the address that its refusal has `named` alone, else two well-known ones
/// (RFC 9728 §3.1), of which the second is that of the whole origin.
std::vector<std::string> server_metadata_addresses(const url& server, std::string_view named);

/// Reads a server's metadata. Its `resource` has to be the server's own: its origin, and its path or one above that.
server_metadata read_server_metadata(std::string text, const url& server);

/// Stands in for the metadata of a server that has none (MCP 2025-03-26): its origin is the issuer.
server_metadata default_server_metadata(const url& server);

/// What an authorization server says of itself (RFC 8414 §2, OpenID Connect Discovery §3).
struct issuer_metadata {
    std::string issuer = {};
    std::string authorization_endpoint = {};
    std::string token_endpoint = {};
    std::string registration_endpoint = {};
    scope_set scopes_supported = {};
    std::optional<std::vector<std::string>> client_authentication = {}; // at the token endpoint
    std::vector<std::string> signing_algorithms = {};                   // of that by a JWT
    bool has_s256 = false;                                              // among the methods of PKCE
    bool takes_metadata_documents = false;                              // as clients' ids
    bool sends_issuer = false;                                          // in its answers: RFC 9207 §3
};

/// Where an issuer's metadata may be, in order: two well-known addresses, and a third one of OpenID Connect for an
/// issuer with a path (MCP 2026-07-28, "Authorization Server Metadata Discovery").
std::vector<std::string> issuer_metadata_addresses(std::string_view issuer, address_scope scope);

/// Whether an issuer is the one that metadata is expected of.
enum class issuer_source : std::uint8_t {
    named,  ///< by the server's metadata: the same text to the letter
    origin, ///< nobody has named it: the server's origin, with or without a final slash
};

/// Reads an issuer's metadata. Its `issuer` has to be the one that it was looked for by (RFC 8414 §3.3).
issuer_metadata read_issuer_metadata(std::string text, const std::string& issuer, issuer_source source,
                                     address_scope scope);

/// Stands in for the metadata of an issuer that has none, of a server that has none (MCP 2025-03-26).
issuer_metadata default_issuer_metadata(const std::string& origin);

/// Throws where a person can't log in at it: no page to do so, or no PKCE with S256.
void check_login(const issuer_metadata& issuer);

} // namespace partyline::http
