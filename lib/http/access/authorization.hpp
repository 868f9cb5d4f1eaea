#pragma once

#include "http/wire/request_head.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/session/access_control.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace partyline::http {

/// The credentials that a request shows.
struct shown_authorization {
    std::optional<std::string_view> value = {}; // of the one field; valid as long as the head
    bool is_malformed = false;                  // there are more fields, or the query has a token
};

/// Reads them. Cookies and subprotocols are no credentials (MCP 2026-07-28; RFC 6750 §2.1).
shown_authorization read_authorization(const request_head& head) noexcept;

/// The refusal of a request whose sender is not admitted.
struct access_refusal {
    int status;
    error_object error;
    std::string fields = {}; // of the answer, each with its line end
};

/// The refusal of an attempt to authenticate that was not admitted. `of` describes the server; null: it tells nothing.
access_refusal refuse_authentication(authentication_outcome how, const protected_resource* of);

/// The fields of an answer to a call that lacks scopes: those that it takes.
std::string insufficient_scope_fields(std::span<const std::string> required, const protected_resource* of);

/// The address of the metadata of a resource: RFC 9728 §3.1.
std::string metadata_url(std::string_view resource);

/// The path of all such metadata; that of the resource follows.
inline constexpr std::string_view metadata_path = "/.well-known/oauth-protected-resource";

} // namespace partyline::http
