#pragma once

#include "http/wire/received_head.hpp"

#include <string>

namespace partyline::http {

/// Whether a server (401) or a proxy (407) answers nobody whom it does not know. It has not looked at what was asked, so that
/// nothing in its body is the reply to that.
constexpr bool wants_credentials(int status) noexcept
{
    return status == 401 || status == 407;
}

/// The status, and what makes one known where that is said: "HTTP status 401, WWW-Authenticate: Bearer".
std::string status_words(const received_head& head);

} // namespace partyline::http
