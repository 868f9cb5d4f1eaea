#pragma once

#include "mcp/client/client_handlers.hpp"
#include "mcp/client/lasting_settings.hpp"
#include "mcp/client/listening.hpp"
#include "mcp/client/open_pages.hpp"
#include "mcp/client/output_schemas.hpp"
#include "mcp/client/result_cache.hpp"
#include "mcp/client/time_limit.hpp"

#include <partyline/async/async_event.hpp>
#include <partyline/async/async_mutex.hpp>
#include <partyline/config.hpp>
#include <partyline/mcp/client/call_hooks.hpp>
#include <partyline/mcp/client/client_options.hpp>
#include <partyline/mcp/client/listed.hpp>
#include <partyline/session.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace partyline::mcp {

/// How the session of a client behaves.
PARTYLINE_EXPORT session_options client_session_options(const client_options& of);

/// What stands behind a client and its operations.
///
/// Flow: handlers are set, `start()` once, anything, `close()`.
/// Thread safety: used on the session's executor, but for what says otherwise.
class PARTYLINE_EXPORT client_core : public std::enable_shared_from_this<client_core> {
public:
    client_core(session over, client_options options);

    // From any thread.

    /// What may still be set. Throws `std::logic_error` after the start.
    client_handlers& handlers_to_set();
    /// Throws `std::logic_error` after the start, `std::invalid_argument` for one that is there, or that has a method
    /// which is.
    void declare(declared_extension added);
    void set_roots(std::vector<root> roots);
    void forget_results();
    /// The conversation ends where the server does not know its session over HTTP any more. Before the start.
    void end_with_session();
    /// Known once `start()` has completed; throws `std::logic_error` before.
    const server_info& server() const;
    /// With what the server has declared an extension; null where it has not, and before `start()` has completed.
    const boost::json::object* served_extension(std::string_view name) const noexcept;
    const boost::asio::any_io_executor& get_executor() const noexcept { return executor_; }
    /// What the next client in place of this one is told again.
    lasting_settings& lasting() noexcept { return lasting_; }
    /// The client has gone: ends the conversation at once, and lets go of the session, which what is under way keeps
    /// this alive by; also where the executor's context is destroyed without having run any more. Once more: nothing.
    void leave();
    bool has_left() const noexcept { return has_left_; }

    // The conversation.

    task<void> start();
    /// Ends it in order, and waits for that.
    task<void> close();
    /// End it; one that does not run yet never will. The second one is heard after the first one, too.
    void begin_close();
    void stop();
    bool has_ended() const noexcept { return end_.has_value(); }
    /// Whether what is asked now would reach a server that may still answer.
    bool takes_calls() const noexcept;
    /// What is asked for fails with when it has ended.
    error_code end_reason() const noexcept;
    /// Waits for the end.
    auto wait_end(auto token) { return ended_.async_wait(std::move(token)); }
    /// The same, and says what the session has ended with. One that does not run has ended.
    task<error_code> end();

    const client_handlers& handlers() const noexcept { return handlers_; }
    const client_options& options() const noexcept { return options_; }
    /// Throws `failed_call` when the client has gone.
    session& peer();
    listening& changes() noexcept { return *listening_; }
    open_pages& pages() noexcept { return pages_; }
    result_cache& results() noexcept { return results_; }
    output_schemas& outputs() noexcept { return outputs_; }
    /// Of whoever lists tools for `outputs()`.
    async_mutex& tool_turns() noexcept { return tool_turns_; }
    /// The list of tools may be another one.
    void drop_tools() noexcept;
    mcp::era era() const noexcept { return era_; }
    /// What requests say from now on, which are no longer those of the handshake.
    void agree(mcp::server_info with);

    // Requests. `members` are those of the params, as JSON text without the braces.

    /// Throws `failed_call` where nothing can be asked yet.
    void check_started() const;
    /// The answer to a request, when all that the server asks before it has been answered; or what is kept of one.
    task<json_text> call(std::string method, std::string members, call_hooks hooks);
    /// What is kept of a request's results, as long as the conversation lasts.
    std::optional<json_text> find_kept(std::string_view method, std::string_view members);
    /// The same as `call` of what asks nothing, within `client_options::request_timeout`.
    task<json_text> request(std::string method, std::string members);
    /// One message and its answer.
    task<json_text> send(std::string method, std::string params, call_options how);
    /// The params with what the era has in `_meta`.
    std::string params_text(std::string_view members, const call_hooks& hooks) const;

    /// Calls what the author has set, while the client is there; what that throws goes to the log.
    void tell(const std::function<void()>& told) const noexcept;
    /// Nobody knows what has changed meanwhile.
    void tell_of_lists() const noexcept;
    void tell_of_resource(const std::string& uri) const noexcept;
    void tell_of_gap(const listen_subject& in) const noexcept;
    /// One line; without memory for more, `what` alone.
    void log(std::string_view what, std::string_view why = {}) const noexcept;

private:
    const result_function* find_result(const std::string& method, const std::string& type) const;
    void run_session();
    void stop_answering();
    void on_ended(error_code how);
    void change_roots(std::vector<root> roots);
    std::optional<log_level> level_for(const call_hooks& hooks) const;

    const client_options options_;
    client_handlers handlers_;
    const boost::asio::any_io_executor executor_;
    std::optional<session> session_; // until the client goes
    async_event ended_;
    std::optional<error_code> end_;
    std::unique_ptr<listening> listening_;
    open_pages pages_;
    result_cache results_;
    output_schemas outputs_;
    async_mutex tool_turns_;
    lasting_settings lasting_;
    std::optional<mcp::server_info> server_;
    mcp::era era_ = mcp::era::modern;
    std::atomic<bool> is_set_up_ = false;
    std::atomic<bool> has_started_ = false;
    std::atomic<bool> has_left_ = false;
    bool is_running_ = false;
    bool is_closed_ = false; // by whoever has the client
};

} // namespace partyline::mcp
