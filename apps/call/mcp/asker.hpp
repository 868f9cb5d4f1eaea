#pragma once

#include "call/output/status_output.hpp"
#include "terminal.hpp"

#include <partyline/async/async_mutex.hpp>
#include <partyline/mcp/client/client_questions.hpp>
#include <partyline/session/task.hpp>

#include <memory>
#include <string>
#include <utility>

namespace call {

/// Asks the user what the server wants to know, one question after the other, however many come at a time.
class asker {
public:
    /// `shown` outlives it.
    asker(std::unique_ptr<terminal> on, status_output& shown);

    /// What the server is called, once that is known.
    void set_server_name(std::string name) { who_ = std::move(name); }

    /// Cancellation     the question goes, and nothing is answered
    partyline::task<partyline::mcp::elicit_answer> ask(partyline::mcp::elicit_request what);
    partyline::task<partyline::mcp::elicit_action> ask(partyline::mcp::page_request what);

private:
    class lock;

    template <class Dialogue>
    partyline::task<void> hold(Dialogue& dialogue);

    std::unique_ptr<terminal> terminal_;
    status_output* status_output_;
    std::string who_ = "The server";
    partyline::async_mutex turns_;
};

} // namespace call
