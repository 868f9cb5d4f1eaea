#pragma once

#include <partyline/session/message_event.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace command_line {

/// A hook that writes every message to a file, or to standard error for "-", one line each and without waiting, as it is
/// but for the proofs of signed calls, and refuses nothing. Throws `std::system_error` when the file can't be opened.
/// `say` is told, in a line, the first time that it can't be written, and at the end of lines that were not; the
/// conversation goes on.
partyline::message_hook trace_to_file(const std::string& path, std::function<void(std::string_view)> say);

} // namespace command_line
