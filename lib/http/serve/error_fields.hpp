#pragma once

#include <partyline/session/access_control.hpp>

#include <string>
#include <string_view>

namespace partyline::http {

/// The fields of an answer whose body is an error reply: of 403 the scopes that the call takes, of 429 and 503 when to
/// try again. Of other statuses there are none. `access` may be null.
std::string error_fields(int status, std::string_view reply, const access_control* access);

} // namespace partyline::http
