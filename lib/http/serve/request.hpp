#pragma once

#include "http/wire/media.hpp"
#include "http/wire/request_head.hpp"
#include "http/wire/response_head.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/session/access_control.hpp>
#include <partyline/session/peer_identity.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace partyline::http {

class access_record;
class exchange;

/// An answer that is known at once.
struct response {
    int status = 200;
    std::string_view type = {}; // of the body, a literal
    std::string body = {};
    std::string fields = {}; // others, each with its line end
    bool closes = false;     // the connection, behind it
};

/// The facts that the head of a request tells.
struct request_facts {
    response_style style;                      // of its answer
    std::shared_ptr<const access_grant> grant; // of its sender; null: nobody was asked
};

/// A request whose body has come, for whoever is to answer it. The head is valid until that is decided.
struct request {
    const request_head& head;
    std::string body;
    accepted_types accepts;
    response_style style;
    const peer_identity& from;                      // as far as its connection tells; valid as the head
    std::shared_ptr<const access_grant> grant = {}; // of its sender; null: nobody was asked
    access_record* record = nullptr;                // what the access log tells of it, until it is answered; or null
};

/// An answer of a JSON-RPC error without an id, for requests that are refused before they are read.
response refuse(int status, int code, std::string_view text);
response refuse(int status, const error_object& why);
/// The answer to a method that a path does not have.
response not_allowed(std::string_view allowed);

} // namespace partyline::http
