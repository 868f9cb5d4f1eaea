#pragma once

#include <partyline/config.hpp>

#include <functional>
#include <string_view>

namespace partyline {

/// Gives a line to the hook of a log (`session_options::log`), or without one writes it to standard error, with
/// "partyline: " before it. For extensions that log as the library does. The line may contain text of peers: control
/// characters are escaped (see `printable`), credentials that are recognised are left out, and of more than 4 KiB only
/// the beginning remains. It does not wait for whoever reads standard error: lines without room are dropped. An
/// exception from the hook is ignored. Lines are dropped where there is no memory.
///
/// Thread safety: as that of the hook; without one, any thread.
PARTYLINE_EXPORT void write_log(const std::function<void(std::string_view)>& hook, std::string_view line) noexcept;

} // namespace partyline
