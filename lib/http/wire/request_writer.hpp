#pragma once

#include "http/wire/request_head.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace partyline::http {

/// What a request begins with, for a client to send.
struct request_start {
    std::string_view method;
    std::string_view target;                // a path, a whole address for a proxy, or a host and port for CONNECT
    std::string_view host;                  // name and port, as Host says them
    std::optional<std::size_t> length = {}; // of the body; without one there is none
    std::span<const field> fields = {};     // others
};

/// Appends it with its empty line. Throws `std::invalid_argument` for what would be read as something else than was
/// meant: a method or a name that is no token, a value with a control character, a field that this writes itself.
void append_request_head(std::string& out, const request_start& start);

} // namespace partyline::http
