#pragma once

#include "http/wire/request_head.hpp"

#include <span>
#include <string>
#include <string_view>

namespace partyline::http {

/// The fields that let a page of this origin, which is allowed, read an answer (Fetch standard, CORS protocol).
std::string cors_fields(std::string_view origin);

/// The fields of an answer to OPTIONS: what is answered at that path, and to an allowed page's browser what it may
/// send, `also` besides what clients of JSON-RPC and MCP send.
std::string preflight_fields(const request_head& head, std::string_view allowed_methods,
                             std::span<const std::string> also = {});

} // namespace partyline::http
