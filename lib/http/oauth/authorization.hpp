#pragma once

#include "http/oauth/discovery.hpp"
#include "http/oauth/scope_set.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace partyline::http {

// A login of a person: the page that it begins with, and the answer that the person's browser brings back.

/// What nobody else knows of a login, so that nobody else can answer it (RFC 6749 §10.12) or use its code (RFC 7636).
struct login_secrets {
    std::string state = {};    // 43 characters, of 256 random bits
    std::string verifier = {}; // as many
};

/// Throws `std::system_error` where the system has no random bytes.
login_secrets make_login_secrets();

/// The `code_challenge` of a verifier by S256: RFC 7636 §4.2.
std::string challenge_of(std::string_view verifier);

/// What a login asks for.
struct login_wish {
    std::string client_id = {};
    std::string redirect_uri = {};
    std::string resource = {};
    scope_set scopes = {};
};

/// The address of the page to log in at.
std::string login_page(const issuer_metadata& at, const login_wish& wish, const login_secrets& secrets);

/// The path of the address that the browser is sent back to.
inline constexpr std::string_view redirect_path = "/callback";

enum class login_outcome : std::uint8_t {
    foreign, ///< it is not the answer: whoever sent it does not know the state
    refused, ///< there is no code, or it may not be used
    code,
};

struct login_answer {
    login_outcome outcome = login_outcome::foreign;
    std::string code = {};
    std::string error = {}; // "access_denied"; empty: the authorization server has not refused
    std::string why = {};   // it was refused, in words for the user
};

/// Reads what the browser asks for: path and query. Its `iss` is compared as it is, before anything else of an answer
/// is looked at, errors included (RFC 9207 §2.4).
login_answer read_login_answer(std::string_view target, const issuer_metadata& at, const login_secrets& secrets);

} // namespace partyline::http
