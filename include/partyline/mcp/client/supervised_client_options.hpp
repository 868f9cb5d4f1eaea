#pragma once

#include <partyline/supervisor_options.hpp>

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <functional>
#include <string_view>

namespace partyline::mcp {

class client;

/// When a `supervised_client` starts its clients, and what is run with them.
struct supervised_client_options {
    /// When another client is started, and when it gives up. An end in order, after which `restart_after::failure`
    /// starts no other one, is exit status 0, or that the server has closed the connection with nothing under way.
    restart_policy restart = {};
    /// What becomes of `supervised_client::ready` while no client is ready.
    while_down ready_while_down = while_down::wait;

    /// Run with each new client when the handshake is done, before `supervised_client::ready` gives it to anybody. What
    /// it throws fails the start: the client is stopped, and that counts like any other end. It is cancelled when the
    /// conversation ends, and when `start_timeout` is over; one that does not end then is given up after the
    /// `session_options::cancel_grace` of the client. It runs where the client's handlers do. Empty: there is nothing
    /// to be done. (It is an `asio::awaitable`, no `task`, as in `supervisor_options`.)
    ///
    ///     options.on_start = [](mcp::client& server) -> boost::asio::awaitable<void> {
    ///         co_await server.call_tool("log_in", named("key", key));
    ///     };
    ///
    /// It may be a lambda that captures: it is kept.
    std::function<boost::asio::awaitable<void>(client& server)> on_start = {};
    /// How long that may take; then it fails with errc::timeout. What was set and subscribed to has that time once
    /// more; what has not been taken then is left out. 0: for ever. (The handshake has the time limits of
    /// `client_options`.)
    std::chrono::steady_clock::duration start_timeout = std::chrono::seconds(30);

    /// Told of each change of `supervisor_status::state`, on the executor of the supervised client. Must not throw;
    /// when it does all the same, the log is told. Empty: nobody is told, and each end is logged.
    std::function<void(const supervisor_status&)> on_change = {};
    /// Told what nobody else would hear of, one line each, as `session_options::log`. May be called from any thread.
    std::function<void(std::string_view)> log = {};
};

} // namespace partyline::mcp
