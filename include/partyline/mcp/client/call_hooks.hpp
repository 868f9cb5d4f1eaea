#pragma once

#include <partyline/mcp/log_level.hpp>

#include <boost/json/object.hpp>

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace partyline::mcp {

/// What happens while a server works on a call. 0 for a duration means for ever.
///
/// (Within `co_await` g++ 12 compiles no braces: give it a name first.)
///
///     mcp::call_hooks hooks;
///     hooks.timeout = 5min;
///     hooks.on_progress = [](double done, std::optional<double>, const std::string& text) { show(text, done); };
///     const mcp::tool_answer found = co_await client.call_tool("search", named("pattern", "TODO"), hooks);
struct call_hooks {
    /// Told how far the server is: what is done, of how much if that is known, and a text. What does not grow is not
    /// told. Called on the session's executor, before the call completes.
    std::function<void(double done, std::optional<double> total, const std::string& message)> on_progress = {};
    /// How long nothing may be heard of the call. Progress puts it off: the server is always asked for some then.
    std::chrono::steady_clock::duration idle_timeout = std::chrono::steady_clock::duration::zero();
    /// How long it may take in all, with all rounds and the handlers of what the server asks meanwhile.
    std::chrono::steady_clock::duration timeout = std::chrono::steady_clock::duration::zero();
    /// What the server is to log while it serves this call, in place of what `client::set_log_level` says
    /// (2026-07-28; nothing happens before).
    std::optional<mcp::log_level> log_level = {};
    /// Further members of the request's `_meta`, such as `traceparent`.
    boost::json::object meta = {};
};

} // namespace partyline::mcp
