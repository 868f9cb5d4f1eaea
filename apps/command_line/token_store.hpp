#pragma once

#include <partyline/http/oauth_options.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <string>

namespace command_line {

/// The folder for what a user's programs keep between their runs, $XDG_STATE_HOME or ~/.local/state. Throws
/// `std::runtime_error` with a text for the user where neither is known.
std::string state_folder();

/// A file with the credentials of logins, `partyline/tokens.json` in a folder of the user, which nobody else can read:
/// see `token_folder`. It has 1 MiB; the entries that were saved longest ago make room for others.
///
/// Texts are saved under a lock that all processes take. As long as another one has it, they wait, and are loaded from
/// memory: a timer tries again, for up to 5 s, after which the loss is told on standard error. What still waits when
/// the last copy goes is given 1 s.
///
/// Who refreshes the tokens of a name has a lock of that name, until what has come is in the file. Others wait for
/// `refresh_time` at the most.
///
/// Lifetime         the context of the executor outlives all copies
/// Thread safety    none: all of it on the executor, which is a strand or serial
partyline::http::oauth_store make_token_store(boost::asio::any_io_executor executor, std::string folder,
                                              std::chrono::milliseconds refresh_time = std::chrono::seconds(15));

} // namespace command_line
