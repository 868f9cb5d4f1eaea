#pragma once

#include "fuzz/fuzz_input.hpp"
#include "fuzz/session_run.hpp"

#include <partyline/session/session_options.hpp>

#include <cstddef>
#include <string_view>

namespace partyline::test {

/// How many of `left` bytes are sent at once, by one of nine choices. The longer a stream is, the less finely it is
/// cut: many short runs find more than few long ones.
std::size_t piece_size(std::size_t choice, std::size_t left);

/// How much the connection holds.
std::size_t choose_capacity(fuzz_input& input);

/// Small limits of all that can wait, or safe ones.
void choose_room(fuzz_input& input, session_options& options);

/// Sends `text`, while the decisions have things happen to the session at any time, and lets it come to its end.
void run_freely(session_run& run, fuzz_input& input, std::string_view text);

} // namespace partyline::test
