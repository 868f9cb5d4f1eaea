#pragma once

#include <partyline/config.hpp>
#include <partyline/session/caller.hpp>

#include <boost/json/value.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::lsp {

/// The messages that the client wants by `$/logTrace` (LSP 3.17, TraceValue).
enum class trace_level : std::uint8_t { off, messages, verbose };

/// The client of a session in the LSP profile: the parameters of `initialize`, and their changes since.
///
/// Thread safety: all of it from any thread, once `initialize` is being served; before that nothing is known.
///
///     if (partyline::lsp::client_info::of(context)->has_capability("textDocument.hover.dynamicRegistration"))
///         co_await partyline::lsp::register_capabilities(context, hovers());
class PARTYLINE_EXPORT client_info {
public:
    /// Returns the client of a session, or of the session that a request came in. Throws `std::logic_error` where the
    /// profile is another.
    static std::shared_ptr<client_info> of(const caller& session);

    /// `InitializeParams.processId`.
    std::optional<int> process_id() const noexcept { return process_id_; }
    /// `InitializeParams.capabilities`: an object, or null where there were none.
    const boost::json::value& capabilities() const noexcept { return capabilities_; }
    /// Whether a capability is true, such as "window.workDoneProgress".
    bool has_capability(std::string_view path) const;

    /// The value of the last `$/setTrace`, or else of `initialize`; `off` where neither has one.
    trace_level trace() const noexcept { return trace_.load(std::memory_order_relaxed); }

private:
    friend class lifecycle_rules;
    friend class created_progress;

    /// Calls `cancelled`, on the session's executor, when the client sends `window/workDoneProgress/cancel` with this
    /// token.
    void watch(const std::string& token, std::function<void()> cancelled);
    void unwatch(const std::string& token);
    /// Calls the function for this token, if there is one. Returns a line for the log when the function threw; else an
    /// empty one.
    std::string cancel_work(const std::string& token);

    std::string next_token();
    void introduce(boost::json::value capabilities, std::string_view trace, std::optional<int> process);
    /// Unknown levels change nothing.
    void set_trace(std::string_view level);

    std::optional<int> process_id_;
    boost::json::value capabilities_;
    std::atomic<trace_level> trace_ = trace_level::off;
    std::mutex mutex_; // for all that follow
    std::uint64_t last_token_ = 0;
    std::map<std::string, std::function<void()>, std::less<>> watched_;
};

/// Sends the client a message about the server's work, `$/logTrace`: nothing while tracing is off, and `verbose` only
/// at that level. The message is not waited for.
PARTYLINE_EXPORT void log_trace(caller& session, const std::string& message, const std::string& verbose = {});

} // namespace partyline::lsp
