#pragma once

#include <partyline/supervisor_options.hpp>

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <functional>
#include <string_view>

namespace partyline::mcp {

class client;

/// The options of a `supervised_client`: when it starts clients, and the functions that it runs with them.
struct supervised_client_options {
    /// When another client is started, and when it gives up. An end in order, after which `restart_after::failure`
    /// starts no other one, is exit status 0, or that the server has closed the connection with nothing under way.
    restart_policy restart = {};
    /// The treatment of `supervised_client::ready` while no client is ready.
    while_down ready_while_down = while_down::wait;

    /// Run with each new client when the handshake is done, before `supervised_client::ready` gives it to anybody. An
    /// exception fails the start: the client is stopped, and that counts like any other end. The function is cancelled
    /// when the conversation ends, and when `start_timeout` is over; if it does not end then, it is abandoned after the
    /// `session_options::cancel_grace` of the client. The function runs on the executor of the client's handlers.
    /// Empty: nothing is run. (The function returns an `asio::awaitable`, not a `task`, as in `supervisor_options`.)
    ///
    ///     options.on_start = [](mcp::client& server) -> boost::asio::awaitable<void> {
    ///         co_await server.call_tool("log_in", named("key", key));
    ///     };
    ///
    /// The function may be a lambda that captures: the supervised client keeps it.
    std::function<boost::asio::awaitable<void>(client& server)> on_start = {};
    /// How long `on_start` may take; then it fails with errc::timeout. The restoring of settings and subscriptions has
    /// that time once more; those that the server has not accepted by then are left out. 0: for ever. (The handshake
    /// has the time limits of `client_options`.)
    std::chrono::steady_clock::duration start_timeout = std::chrono::seconds(30);

    /// Called at each change of `supervisor_status::state`, on the executor of the supervised client. Must not throw;
    /// an exception is logged. Empty: not called, and each end is logged.
    std::function<void(const supervisor_status&)> on_change = {};
    /// Called with one line for each event that is reported nowhere else, as `session_options::log`. May be called from
    /// any thread.
    std::function<void(std::string_view)> log = {};
};

} // namespace partyline::mcp
