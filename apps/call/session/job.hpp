#pragma once

#include "call/input/request_source.hpp"
#include "call/options.hpp"
#include "call/output/reporter.hpp"
#include "call/output/status_output.hpp"
#include "calls_in_flight.hpp"
#include "connection.hpp"
#include "interruption.hpp"

#include <partyline/async/async_event.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>

#include <memory>
#include <optional>
#include <string>

namespace call {

/// One run of the program: it connects, makes the calls, and ends the conversation.
class job {
public:
    /// Throws `std::exception` when a file of the command line can't be used.
    explicit job(options wanted);

    /// Returns the exit code.
    int run();

private:
    boost::asio::awaitable<void> perform();
    boost::asio::awaitable<bool> begin_conversation();
    boost::asio::awaitable<void> do_what_is_wanted();
    boost::asio::awaitable<void> make_calls();
    boost::asio::awaitable<void> make_batch();
    boost::asio::awaitable<void> list();
    void list_answer(const partyline::json_text& answer);
    boost::asio::awaitable<void> notify();
    partyline::call_options options_for(std::string label);

    void converse();
    boost::asio::awaitable<void> end_conversation();
    boost::asio::awaitable<void> take_leave();
    void on_ended(partyline::error_code why);
    bool cancel_all();

    options wanted_;
    // Of the batch, or of what the handshake asks. Before the context, which may hold who listens to it.
    boost::asio::cancellation_signal cancel_question_;
    boost::asio::io_context context_{1};
    status_output status_output_;
    std::unique_ptr<reporter> reporter_;
    partyline::session_options session_options_;
    std::optional<request_source> source_;
    std::optional<connection> server_;
    std::optional<calls_in_flight> calls_;
    interruption interruption_;
    partyline::async_event has_ended_; // the conversation
    bool is_closing_ = false;
    bool is_introduced_ = false; // to a language server, so that it is taken leave of
};

} // namespace call
