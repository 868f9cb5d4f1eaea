#pragma once

#include <partyline/session/session_options.hpp>

#include <functional>
#include <string>

namespace echo {

/// Writes every message to a file, one line each. Throws `std::system_error` when the file can't be written.
partyline::message_hook trace_to_file(const std::string& path);

} // namespace echo
