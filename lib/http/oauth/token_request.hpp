#pragma once

#include "http/connections/client_request.hpp"
#include "http/oauth/client_identity.hpp"
#include "http/oauth/client_key.hpp"
#include "http/oauth/discovery.hpp"
#include "http/oauth/form.hpp"
#include "http/oauth/oauth_error.hpp"
#include "http/oauth/scope_set.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace partyline::http {

// What the token endpoint is asked, and what it answers.

/// A request to the token endpoint, without its authentication.
form_writer code_request(std::string_view code, std::string_view verifier, std::string_view redirect_uri,
                         std::string_view resource);
/// With the scopes that were granted: without them, some servers grant others (RFC 6749 §6).
form_writer refresh_request(std::string_view refresh_token, const scope_set& granted, std::string_view resource);
/// Of a program for itself.
form_writer credentials_request(const scope_set& scopes, std::string_view resource);

/// By which a client signs its assertions.
struct signing_client_key {
    client_key key;
    std::string id = {}; // empty: it is not told
};

/// Adds what proves who the client is to the form, or to the fields of the request. `key` is not null where its method
/// is `key`. Throws client_errc::unauthorized where the issuer takes no signature of that key.
void authenticate(form_writer& form, std::vector<field_text>& fields, const client_identity& who,
                  const issuer_metadata& at, const signing_client_key* key, std::chrono::system_clock::time_point now);

/// Tokens as an issuer hands them out.
struct issued_tokens {
    std::string access = {};
    std::string refresh = {};                          // empty: none
    std::optional<scope_set> scopes = {};              // nothing: those that were asked for
    std::optional<std::chrono::seconds> lifetime = {}; // nothing: it is not told
};

/// Reads the answer of a token endpoint; any other status than 200 is a refusal, even without a code. Throws
/// client_errc::unauthorized for an answer of status 200 that is neither of the two.
std::variant<issued_tokens, oauth_error> read_token_answer(int status, std::string text, const issuer_metadata& at);

} // namespace partyline::http
