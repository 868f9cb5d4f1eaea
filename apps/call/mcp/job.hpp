#pragma once

#include "asker.hpp"
#include "call/input/request_source.hpp"
#include "call/options.hpp"
#include "call/output/reporter.hpp"
#include "call/output/status_output.hpp"
#include "call/session/calls_in_flight.hpp"
#include "call/session/connection.hpp"
#include "call/session/interruption.hpp"

#include <partyline/mcp/client.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace call {

/// What the program was sent for, to an MCP server: it comes to terms with the server, asks and calls, and ends the
/// conversation.
class mcp_job {
public:
    /// Throws `std::exception` when something that the command line names can't be used.
    explicit mcp_job(options wanted);

    /// Returns the exit code.
    int run();

private:
    boost::asio::awaitable<void> perform();
    void make_client(server_stream over);
    boost::asio::awaitable<bool> begin_conversation();
    boost::asio::awaitable<bool> set_log_level();
    boost::asio::awaitable<void> do_what_is_wanted();
    boost::asio::awaitable<void> end_conversation();
    boost::asio::awaitable<void> close();
    bool cancel_all();
    void on_ended(partyline::error_code why);

    // One call, for a person.
    boost::asio::awaitable<void> make_call();
    boost::asio::awaitable<void> call_tool();
    boost::asio::awaitable<void> read_resource();
    boost::asio::awaitable<void> get_prompt();
    void print_text(std::string_view text);

    // Calls for a program: what comes is printed as it is.
    boost::asio::awaitable<void> make_calls();
    void start_call(const request& what, calls_in_flight::completion done);
    partyline::mcp::call_hooks hooks_for(const std::string& label);

    boost::asio::awaitable<void> list();
    template <class T>
    boost::asio::awaitable<void> list_all(partyline::operation<std::vector<T>> (partyline::mcp::client::*all)() const,
                                          std::string capability, std::string method);
    boost::asio::awaitable<void> tell_info();

    /// For an operation that a signal cancels.
    auto cancellable()
    {
        return boost::asio::bind_cancellation_slot(cancel_question_.slot(),
                                                   boost::asio::as_tuple(boost::asio::use_awaitable));
    }
    /// Whether it has succeeded; told where it has not. `method`: of a request that is not the user's; empty: it is.
    template <class T>
    bool has_succeeded(const partyline::call_result<T>& outcome, const std::string& method = {})
    {
        if (outcome.has_value())
            return true;
        if (outcome.error())
            tell_failure({}, *outcome.error(), method);
        else
            tell_failure(outcome.code(), partyline::response::failure{outcome.code(), outcome.details()}, method);
        return false;
    }
    void tell_failure(partyline::error_code failed, const partyline::response& outcome, const std::string& method);

    options wanted_;
    status_output status_output_; // before the context, which may hold who uses these
    boost::asio::cancellation_signal cancel_question_;
    boost::asio::io_context context_{1};
    std::unique_ptr<reporter> reporter_;
    partyline::mcp::client_options client_options_;
    std::vector<partyline::mcp::root> roots_;
    std::optional<request_source> source_;
    calls_in_flight calls_;
    std::shared_ptr<const partyline::child_report> child_;
    std::optional<partyline::mcp::client> client_;
    std::shared_ptr<asker> asker_; // null where nobody is asked
    interruption interruption_;
    bool has_begun_ = false; // server and client have come to terms
    bool has_ended_ = false;
    partyline::error_code end_;
};

} // namespace call
