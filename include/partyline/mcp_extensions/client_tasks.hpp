#pragma once

#include <partyline/config.hpp>
#include <partyline/mcp/client/answers.hpp>
#include <partyline/mcp/client/call_hooks.hpp>
#include <partyline/protocol/errc.hpp>
#include <partyline/session/task.hpp>

#include <boost/json/object.hpp>
#include <boost/system/error_category.hpp>
#include <boost/system/error_code.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>

namespace partyline::mcp {

class client;
class client_tasks_core;

/// Errors of a call that became a task, besides those of any call.
enum class client_task_errc {
    /// The server has cancelled the task. The details are the task's `statusMessage`, if there is one.
    cancelled = 1,
};

/// The category of the codes of `client_task_errc`.
PARTYLINE_EXPORT const boost::system::error_category& client_task_category() noexcept;

/// Makes an `error_code`; a `client_task_errc` converts to one implicitly.
inline error_code make_error_code(client_task_errc e) noexcept
{
    return {static_cast<int>(e), client_task_category()};
}

/// The state of a server's task.
enum class client_task_state : std::uint8_t {
    working,        ///< the tool runs
    input_required, ///< the server waits for answers of the client
    completed,      ///< there is a result, also where the tool has failed (`isError`)
    failed,         ///< there is a JSON-RPC error in place of a result
    cancelled       ///< there will be no result
};

/// The server's description of a task.
struct client_task_status {
    /// The task's id, for `client_tasks::resume`.
    std::string id;
    /// The task's state.
    client_task_state state = client_task_state::working;
    /// `statusMessage`, a text for people; empty where there is none.
    std::string message;
    /// `call_hooks::meta` of the call, by which the program can tell which call it is.
    boost::json::object meta;
};

/// The options of a client's tasks: how it polls them, and how it reports them to the program. The three intervals
/// bound each wait between two requests about a task, so that a server can make the client neither spin nor wait for
/// ever.
struct client_tasks_options {
    /// The wait between two polls where the server does not say how long it is to be (`pollIntervalMs`).
    std::chrono::steady_clock::duration poll_interval = std::chrono::seconds(1);
    /// The shortest wait, whatever the server says. It is more than 0, and `poll_interval` at most.
    std::chrono::steady_clock::duration min_poll_interval = std::chrono::milliseconds(50);
    /// The longest wait, whatever the server says. It is `poll_interval` at least, and a day at most.
    std::chrono::steady_clock::duration max_poll_interval = std::chrono::minutes(1);
    /// How many questions (`inputRequests`) a task may ask in all; with more the call fails with
    /// client_errc::too_many_rounds. `client_options::max_questions` bounds the questions of one poll.
    std::size_t max_questions = 1000;
    /// Called for each task of the client: when the client first hears of the task, and when the client sees that the
    /// state or the message has changed. A program that is to resume tasks stores the ids. The function is called
    /// before the call completes: on the session's executor, and for a task that is resumed on the executor of the
    /// coroutine that awaits `client_tasks::resume`. So several threads may call it at once, where several resume
    /// tasks. An exception of the function fails the call.
    std::function<void(const client_task_status&)> on_status = {};
};

/// Tasks of a client (SEP-2663, the extension `io.modelcontextprotocol/tasks`, from 2026-07-28 on): a server may answer
/// `tools/call` with a task, and the client polls the task for the result. `client::call_tool` and `client::request`
/// return that result as they return one that comes at once.
///
///     partyline::mcp::client client(executor, {"build-server"});
///     const partyline::mcp::client_tasks tasks(client);
///     co_await client.start();
///     const partyline::mcp::tool_answer built = co_await client.call_tool("build", named("what", "a house"));
///
/// The client polls the task's status (`tasks/get`). The client's handlers answer the questions of the task, each
/// question once, and the client sends the answers (`tasks/update`). The client repeats these two requests, but not
/// `tools/call`, where the server refuses them because it is busy (-31001) or because the client's quota is used up
/// (-31002): after the poll interval, or after the `retry_after_ms` of the error's data where that is longer. Each
/// request about a task has the `log_level` and the `meta` of the call. A call that became a task:
///
/// Fails with       the errors of a plain call: that of a task that has failed, as the server's answer;
///                  client_errc::bad_result: the server's data about the task do not have the form that the extension
///                  defines; client_errc::no_handler, too_many_rounds; the exception of a handler. Besides:
///                  client_task_errc::cancelled; client_errc::not_declared: the server has not declared the extension;
///                  the server's error for a request about the task, such as -32602: the server no longer knows the
///                  task; the exception of `client_tasks_options::on_status`
/// Time             `call_hooks::timeout` bounds the whole call, `idle_timeout` each request about the task. Without
///                  `timeout` a task may take for ever, also because the server is always busy. `on_progress` is not
///                  called for tasks: the protocol has no progress of theirs
/// Cancellation     as of a plain call. A call that ends before its task has, because the call was cancelled, its time
///                  is over, or something was refused or wrong, asks the server once to cancel the task
///                  (`tasks/cancel`). The call completes without waiting for the answer, which the client awaits for
///                  one second at most, and the task may go on. Nothing is sent where the server has not given the
///                  task's id, has not declared the extension, or has answered `tasks/get` with -32602
/// Disconnection    does not cancel the task, which can be resumed: nothing is sent where a request about the task is
///                  lost on its way, such as where an HTTP server can't be reached for a moment, or where the
///                  conversation has ended, also by `client::close`. A request that this side refuses is not lost:
///                  errc::refused, bad_params, too_many_calls, message_too_large
/// Lifetime         `client_tasks` may be destroyed before the client, which keeps what it needs, and may outlive it
/// Threads          `client_tasks` is made when the client's handlers are set. Copies refer to the same tasks; any
///                  thread may use a copy, and several may use one at once
///
/// For a `supervised_client`, make the `client_tasks` in the function that makes the clients. (A call whose
/// conversation ends has failed; its task can be resumed with the next client.)
class PARTYLINE_EXPORT client_tasks {
public:
    /// Declares the extension. Throws as `client::add_extension`, such as `std::logic_error` after `client::start`, and
    /// `std::invalid_argument` for intervals that are out of order.
    explicit client_tasks(client& of, client_tasks_options options = {});

    /// Takes up a task of an earlier call, of this client or another one, and waits for its result as the call would.
    /// Several may wait for the same task; each has the client's handlers answer the questions. The result is not
    /// checked against the tool's output schema (`client_options::check_results`).
    ///
    /// Completes with   the result; throws, as a call that is awaited does
    /// Fails with       the errors of a call that became a task; client_errc::not_started
    /// Cancellation     terminal, partial, total: as of the call; the client asks the server to cancel the task.
    ///                  Nothing is sent where the cancel comes before the operation has begun
    /// Lifetime         the arguments are copied. The operation does not notice the end of the conversation, or of the
    ///                  client, between two requests about the task: it fails when it makes the next one
    /// Executor         that of the awaiting coroutine; serial. It may be another one than the session's
    /// Threads          any; a cancel is emitted on that executor
    task<tool_answer> resume(std::string task_id, call_hooks hooks = {}) const;

private:
    std::shared_ptr<const client_tasks_core> core_;
};

} // namespace partyline::mcp

template <>
struct boost::system::is_error_code_enum<partyline::mcp::client_task_errc> : std::true_type {};
