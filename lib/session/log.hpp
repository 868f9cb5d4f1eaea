#pragma once

#include <partyline/config.hpp>

#include <functional>
#include <string_view>

namespace partyline {

/// Gives a line to the hook, or writes it to stderr where there is none. Whatever a peer or an exception has put into
/// it, it is one line that commands no terminal (see `printable`) and lets nobody in (see `redacted`), and of a long
/// one the beginning. A hook that throws is not listened to.
PARTYLINE_EXPORT void write_log(const std::function<void(std::string_view)>& hook, std::string_view line) noexcept;

} // namespace partyline
