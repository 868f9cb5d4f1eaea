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

/// How a call that comes to a task fails, besides the ways in which any call does.
enum class client_task_errc {
    /// The server has cancelled the task; the details are its `statusMessage`, if there is one.
    cancelled = 1,
};

/// The category of the codes of `client_task_errc`.
PARTYLINE_EXPORT const boost::system::error_category& client_task_category() noexcept;

/// Makes a code of it; a `client_task_errc` becomes an `error_code` by itself.
inline error_code make_error_code(client_task_errc e) noexcept
{
    return {static_cast<int>(e), client_task_category()};
}

/// What a server's task is doing.
enum class client_task_state : std::uint8_t {
    working,        ///< the server works on it
    input_required, ///< the server waits for answers of the client
    completed,      ///< there is a result, also where the tool has failed
    failed,         ///< there is an error of JSON-RPC in place of a result
    cancelled       ///< there will be no result
};

/// What the server says of a task.
struct client_task_status {
    /// The task's id, for `client_tasks::resume`.
    std::string id;
    /// The task's state.
    client_task_state state = client_task_state::working;
    /// `statusMessage`: a text for people; empty where there is none.
    std::string message;
    /// `call_hooks::meta` of the call, by which the program can tell which call it is.
    boost::json::object meta;
};

/// How a client polls tasks, and what it tells the program of them.
struct client_tasks_options {
    /// How long the client waits before it asks for a task's status again where the server does not say
    /// (`pollIntervalMs`).
    std::chrono::steady_clock::duration poll_interval = std::chrono::seconds(1);
    /// The shortest such time, whatever the server says. It is more than 0, and `poll_interval` at most.
    std::chrono::steady_clock::duration min_poll_interval = std::chrono::milliseconds(50);
    /// The longest such time, whatever the server says. It is `poll_interval` at least, and a day at most.
    std::chrono::steady_clock::duration max_poll_interval = std::chrono::minutes(1);
    /// How many questions (`inputRequests`) a task may ask in all; with more the call fails with
    /// client_errc::too_many_rounds. `client_options::max_questions` bounds those that come at a time.
    std::size_t max_questions = 1000;
    /// Called for each task of the client: when the client first hears of the task, and when the client sees that its
    /// state or message has changed. A program that is to resume tasks stores the ids. The function is called before
    /// the call completes, on the session's executor, or for a task that is resumed on that of whoever awaits
    /// `client_tasks::resume`. The call fails with what the function throws.
    std::function<void(const client_task_status&)> on_status = {};
};

/// Tasks of a client (SEP-2663, the extension `io.modelcontextprotocol/tasks`, from 2026-07-28 on): a server may answer
/// `tools/call` with a task, and the client asks for the task's result later. `client::call_tool` and `client::request`
/// then give that result as they give one that comes at once.
///
///     partyline::mcp::client client(executor, {"build-server"});
///     const partyline::mcp::client_tasks tasks(client);
///     co_await client.start();
///     const partyline::mcp::tool_answer built = co_await client.call_tool("build", named("what", "a house"));
///
/// The client asks for the task's status (`tasks/get`) from time to time. Its handlers answer what the server asks
/// meanwhile, each question once, and the client sends the answers (`tasks/update`). Where the server refuses one of
/// these requests because it is busy (-31001) or the client's quota is used up (-31002), the client makes it again
/// after the poll interval. A call that comes to a task:
///
/// Fails with       what a plain call fails with: the error of a task that has failed, as the server's answer;
///                  client_errc::bad_result: what the server says of the task is not as the extension has it;
///                  client_errc::no_handler, too_many_rounds; what a handler throws. Besides:
///                  client_task_errc::cancelled; client_errc::not_declared: the server has not declared the extension;
///                  what the server answers a request about the task, such as -32602: it does not know the task any
///                  more; what `client_tasks_options::on_status` throws
/// Time             `call_hooks::timeout` bounds the whole call, `idle_timeout` each request about the task. Without
///                  `timeout` a task may take for ever, also because the server is always busy. `on_progress` is not
///                  called for tasks: the protocol has no progress of theirs
/// Cancellation     as of a plain call. When the call ends before the task has, because it was cancelled, its time is
///                  over, or something refused or was wrong, the client asks the server to cancel the task
///                  (`tasks/cancel`), once: the call completes without waiting for the answer, and the task may go on.
///                  Nothing is sent where the server has not given the task's id, has not declared the extension, or
///                  has answered `tasks/get` with -32602; nor where a request about the task is lost on its way, as
///                  where an HTTP server can't be reached for a moment, or the conversation has ended, also by
///                  `client::close`: the task goes on then, and can be resumed
/// Lifetime         `client_tasks` may be destroyed before the client, which keeps what it needs, and may outlive it
/// Threads          `client_tasks` is made when the client's handlers are set. Copies refer to the same tasks; any
///                  thread may use one
///
/// For a `supervised_client`, make the `client_tasks` in the function that makes the clients. (A call whose
/// conversation ends has failed; its task can be resumed with the next client.)
class PARTYLINE_EXPORT client_tasks {
public:
    /// Declares the extension. Throws what `client::add_extension` throws, such as `std::logic_error` after
    /// `client::start`, and `std::invalid_argument` for intervals that are out of order.
    explicit client_tasks(client& of, client_tasks_options options = {});

    /// Takes up a task that an earlier call, of this client or another one, has come to, and waits for its result as
    /// the call would. The result is not checked against the tool's output schema (`client_options::check_results`).
    ///
    /// Completes with   the result; throws, as a call that is awaited does
    /// Fails with       what a call that comes to a task fails with; client_errc::not_started
    /// Cancellation     terminal, partial, total: as of the call; the client asks the server to cancel the task
    /// Lifetime         the arguments are copied. The operation does not hear of the end of the conversation, or of the
    ///                  client, between two requests about the task: it fails when it makes the next one
    /// Executor         that of whoever awaits it; serial
    /// Threads          any
    task<tool_answer> resume(std::string task_id, call_hooks hooks = {}) const;

private:
    std::shared_ptr<const client_tasks_core> core_;
};

} // namespace partyline::mcp

template <>
struct boost::system::is_error_code_enum<partyline::mcp::client_task_errc> : std::true_type {};
