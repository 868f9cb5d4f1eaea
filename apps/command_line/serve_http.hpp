#pragma once

#include "command_line/http_options.hpp"

#include <partyline/http/server.hpp>

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <functional>
#include <optional>

namespace command_line {

/// What a program serves over HTTP.
struct http_service {
    /// Adds it to the server, for all protocols.
    std::function<void(partyline::http::server&)> add;
    /// Called when the server has ended: what else keeps the context busy is to end. Empty: nothing does.
    std::function<void()> on_end = {};
    /// Given, before it serves, what asks for the end as a signal does. May be empty.
    std::function<void(std::function<void()> end)> on_begin = {};
    /// How long the end may take as a whole, from when it is asked for; then the context is not run any more. Unset: as
    /// long as it takes.
    std::optional<std::chrono::steady_clock::duration> longest_end = {};
    /// Given the server before it serves, and null before it goes. May be empty. Must not throw for null.
    std::function<void(const partyline::http::server*)> watch = {};
    /// Called at SIGHUP, for what else is read again. May be empty.
    std::function<void()> reload = {};
};

/// Serves HTTP, and what else there is, on a context of one thread, until a signal ends it: then what is under way is
/// answered. Says on standard error where, one line for each address: "listening on http://127.0.0.1:8080", without
/// "http://" where all is spoken there. Returns the exit code: 128 and the signal's number
/// (0 without one), or 3 where an address can't be listened on.
int serve_http(boost::asio::io_context& context, const http_options& options, const char* program,
               const http_service& service);

} // namespace command_line
