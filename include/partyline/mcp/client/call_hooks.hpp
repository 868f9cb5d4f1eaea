#pragma once

#include <partyline/mcp/log_level.hpp>

#include <boost/json/object.hpp>

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace partyline::mcp {

/// The options of a call, and functions that are called while the server works on it. 0 for a duration means for ever.
///
/// (Within `co_await` g++ 12 compiles no braces: make a named object first.)
///
///     mcp::call_hooks hooks;
///     hooks.timeout = 5min;
///     hooks.on_progress = [](double done, std::optional<double>, const std::string& text) { show(text, done); };
///     const mcp::tool_answer found = co_await client.call_tool("search", named("pattern", "TODO"), hooks);
struct call_hooks {
    /// Called with the server's progress: the amount that is done, the total if it is known, and a text. Progress that
    /// does not grow is ignored. Called on the session's executor, before the call completes.
    std::function<void(double done, std::optional<double> total, const std::string& message)> on_progress = {};
    /// How long the call may go without progress. Each progress begins this time anew; the server is always asked for
    /// progress then.
    std::chrono::steady_clock::duration idle_timeout = std::chrono::steady_clock::duration::zero();
    /// How long the call may take in all, with all rounds and the handlers of the server's questions.
    std::chrono::steady_clock::duration timeout = std::chrono::steady_clock::duration::zero();
    /// The level from which on the server is to log while it serves this call, in place of that of
    /// `client::set_log_level` (2026-07-28; has no effect before).
    std::optional<mcp::log_level> log_level = {};
    /// Further members of the request's `_meta`, such as `traceparent`.
    boost::json::object meta = {};
};

} // namespace partyline::mcp
