#pragma once

#include "http/access/hidden_secret.hpp"
#include "http/wire/received_head.hpp"

#include <memory>
#include <string>
#include <vector>

namespace partyline::http {

struct field_text {
    std::string name;
    std::string value;
};

/// What a client asks a server for.
struct client_request {
    std::string method = "GET";
    std::string target = "/";
    std::string host; // name and port, as Host says them
    std::vector<field_text> fields;
    std::shared_ptr<const std::string> body; // null: none. Whoever may send the request again shares it
    /// What calls wait for, so that it can't wait for them: an answer to the server, a cancel, the stream of what it
    /// says unasked.
    bool is_control = false;
    /// Left out of the words about its answer.
    shown_secrets secrets;
};

/// The credentials that fields have: Authorization without its scheme, and Cookie.
shown_secrets secrets_of(const std::vector<field_text>& fields);

/// As it is sent. Throws `std::invalid_argument`, see `append_request_head`.
std::string text_of(const client_request& request);

response_to kind_of(const client_request& request) noexcept;

} // namespace partyline::http
