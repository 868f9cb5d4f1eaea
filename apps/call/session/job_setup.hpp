#pragma once

#include "call/options.hpp"
#include "call/output/reporter.hpp"
#include "call/output/status_output.hpp"

#include <partyline/session/session_options.hpp>

#include <memory>

namespace call {

// What all jobs have in common.

/// That of standard output, for what is wanted. `told` outlives it.
std::unique_ptr<reporter> make_reporter(const options& wanted, status_output& told);

/// How long the end of a conversation may take: 5 s, or less where a call may take less.
duration time_to_leave(const options& wanted) noexcept;

/// How the session with the server behaves; what it and the server's standard error say is shown. `told` outlives the
/// session. Throws `std::system_error` when the trace can't be written.
partyline::session_options session_options_for(const options& wanted, status_output& told);

/// Has what the server writes to its standard error shown, where that is captured.
void show_stderr(destination& server, status_output& told);

} // namespace call
