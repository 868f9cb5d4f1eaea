#pragma once

#include "http/wire/request_head.hpp"

#include <string_view>

namespace partyline::http {

/// Whether a body of this type is taken: application/json, application/json-rpc or application/jsonrequest, in UTF-8.
bool is_json_type(std::string_view content_type);

/// application/jwk-set+json (RFC 7517), whose parameters mean nothing.
bool is_key_set_type(std::string_view content_type);

bool is_event_stream_type(std::string_view content_type);

/// What the client takes as an answer.
struct accepted_types {
    bool json = true;
    bool event_stream = true;
};

/// By all its Accept fields. Liberal, since clients are: without any, everything; what makes no sense is passed over;
/// and a client that seems to take neither is given JSON.
accepted_types accepted_by(const request_head& head);

/// Whether it asks for a stream of events by name, or takes anything.
bool accepts_event_stream(const request_head& head);

} // namespace partyline::http
