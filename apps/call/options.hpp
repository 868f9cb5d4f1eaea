#pragma once

#include "call/input/request.hpp"
#include "call/output/result_style.hpp"
#include "call/session/destination.hpp"
#include "duration.hpp"
#include "mcp_options.hpp"

#include <partyline/access/sign_calls.hpp>
#include <partyline/protocol/framing.hpp>
#include <partyline/protocol/limits.hpp>

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace call {

/// What the server speaks.
enum class server_profile { plain, lsp, mcp };

/// What the command line asks for.
struct options {
    enum class action { help, version, completion, call, repeat, notify, call_file, batch, list, info };
    action what = action::call;
    destination server;
    /// The call to be made, by `call`, `repeat` and `notify`.
    request only;
    /// Where the calls are read from, by `call_file` and `batch`; "-" for standard input.
    std::string calls_file;
    std::size_t repeat = 1;
    std::size_t concurrency = 1;
    duration timeout = duration::zero();      // none
    duration idle_timeout = duration::zero(); // none
    bool asks_progress = false;
    bool shows_notifications = false;
    color_choice color = color_choice::automatic;
    std::string trace_file;
    /// Signs the calls.
    std::optional<partyline::access::signing_key> signs_by;
    /// `lsp`: the handshake of LSP goes before the calls, and its end behind them.
    server_profile profile = server_profile::plain;
    mcp_options mcp;
    std::optional<partyline::framing_kind> framing;
    partyline::limits bounds;
};

/// Reads the words of the command line behind the program's name. Throws `std::exception` with a text for the user.
options read_command_line(const std::vector<std::string>& words);

void print_help(std::ostream& out);

} // namespace call
