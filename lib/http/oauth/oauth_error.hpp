#pragma once

#include "http/oauth/json_document.hpp"

#include <optional>
#include <string>

namespace partyline::http {

/// The refusal of an authorization server (RFC 6749 §5.2, RFC 7591 §3.2.2).
struct oauth_error {
    int status = 0;
    std::string code = {};        // "invalid_grant"; empty: it is no refusal in form
    std::string description = {}; // in the server's words
};

oauth_error read_oauth_error(int status, const std::optional<json_document>& document);

/// For a person, on one line: "invalid_grant: the code was used before".
std::string words_of(const oauth_error& error);

} // namespace partyline::http
