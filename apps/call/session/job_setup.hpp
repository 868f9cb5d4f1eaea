#pragma once

#include "call/input/request_source.hpp"
#include "call/options.hpp"
#include "call/output/reporter.hpp"
#include "call/output/status_output.hpp"
#include "call/session/interruption.hpp"

#include <partyline/session/session_options.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

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

/// The calls that are to be made. `told` outlives them.
request_source source_of(const options& wanted, boost::asio::io_context& context, reporter& told);

/// Runs a job to its end, or to that by a signal. Returns the exit code.
int run_job(boost::asio::awaitable<void> job, boost::asio::io_context& context, interruption& by_signal, reporter& told,
            status_output& shown);

/// Has what the server writes to its standard error shown, where that is captured.
void show_stderr(destination& server, status_output& told);

} // namespace call
