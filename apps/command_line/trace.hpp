#pragma once

#include <partyline/session/message_event.hpp>

#include <string>

namespace command_line {

/// A hook that writes every message to a file, one line each, and refuses nothing.
/// Throws `std::system_error` when the file can't be written.
partyline::message_hook trace_to_file(const std::string& path);

} // namespace command_line
