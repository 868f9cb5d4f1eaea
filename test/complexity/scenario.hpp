#pragma once

#include <partyline/rpc/method_table.hpp>
#include <partyline/session/session_options.hpp>

#include <cstddef>
#include <string>

namespace partyline::test {

/// What a peer sends to a session, and what the session does besides.
struct scenario {
    method_table methods;
    session_options options;
    std::string input;
    std::size_t piece = std::size_t(64) << 10; // so many bytes of it at once
    std::size_t own_calls = 0;                 // of the session itself, before anything comes
    std::string replies;                       // sent when the session has said so many lines
    std::size_t lines_before_replies = 0;
    std::size_t lines = 0; // that the session says in all
};

/// Plays it to the end of the input and of the session. Throws where the session says another number of lines.
void run_scenario(scenario what);
/// Sends its input over a socket, each piece when the session has read the one before.
void run_by_socket(scenario what);

} // namespace partyline::test
