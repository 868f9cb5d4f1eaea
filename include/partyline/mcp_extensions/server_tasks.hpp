#pragma once

#include <partyline/config.hpp>
#include <partyline/mcp/server.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/rpc/middleware.hpp>
#include <partyline/session/request_context.hpp>
#include <partyline/session/served_methods.hpp>
#include <partyline/session/session_options.hpp>
#include <partyline/session/task.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

namespace partyline::mcp {

class tasks_core;
/// Whether calls of a tool have to be tasks. For the library's own.
enum class task_support : std::uint8_t;

/// Which calls of a tool become tasks.
enum class task_start : std::uint8_t {
    /// Every call becomes a task at once. The client answers the questions of the tool by `tasks/update`.
    at_once,
    /// Only a call that brings answers (`inputResponses`) becomes a task. A call without answers is served within the
    /// request, which is answered by the first questions of the tool. Where the tool asks nothing, no call becomes a
    /// task, also where tasks are required.
    after_questions,
};

/// Bounds of the tasks of a server. A working task costs more than its bytes, which no `memory_budget` counts: two
/// sessions with their read buffers, and two or three copies of its arguments. `max_tasks` bounds that. A duration
/// below a millisecond or above a year throws `std::invalid_argument`.
struct server_tasks_options {
    /// How long a task is kept after its end, and how long it waits for answers. Clients see it as `ttlMs`, counted
    /// from the creation of the task. A working task is kept for as long as it works, and its `ttlMs` is null:
    /// `run_options::deadline` bounds that. Keep this at or below `server_options::state_lifetime`: the tool's call
    /// refuses answers that come later than that.
    std::chrono::milliseconds ttl = std::chrono::minutes(5);
    /// How long clients should wait between polls: `pollIntervalMs`.
    std::chrono::milliseconds poll_interval = std::chrono::seconds(1);
    /// Most tasks in all, ended ones included. Without room a call is served within the request where tasks are
    /// optional, and answered -31001 "Server busy" where they are required. No other task is dropped for it.
    std::size_t max_tasks = 1024;
    /// Most tasks of one principal. All peers without a principal count as one, such as all on stdio.
    std::size_t max_tasks_of_principal = 256;
    /// Most bytes of arguments, questions, answers, results and errors in all. A call without room is treated as by
    /// `max_tasks`. Answers without room are refused with -31001, and may be sent again. A task whose questions or
    /// result have no room fails with -31001.
    std::size_t max_bytes = std::size_t(64) << 20;
    /// Most of these bytes that the tasks of one principal take, which leaves room for others.
    std::size_t max_bytes_of_principal = std::size_t(16) << 20;
    /// Sets options of the session in which the tool of a task runs, such as limits, log, `on_served` and `user_data`.
    /// That session begins with the defaults, and takes from the client's session only these, which are set afterwards:
    /// the profile, the peer, the access view, the executor, and `bounds.message_bytes` and `bounds.depth` where those
    /// of the client's session are lower. `request` created the task, or brought the last answer; the function is
    /// called on its executor. An exception is the answer to that request: no task is created, and a task that was
    /// answered fails.
    ///
    /// Both are lowered further, by 4 KiB and one level, so that `tasks/get` has room for the result: a task with a
    /// larger result fails, except where the arguments alone are about as long as a message may be. `log` is also told
    /// of tasks that fail by a fault of the server.
    std::function<void(request_context& request, session_options& of_task)> configure_session = {};
};

/// Makes tasks of the calls of a tool: see `server_tasks`. Copyable; it may outlive the `server_tasks`.
class PARTYLINE_EXPORT task_middleware {
public:
    /// Serves a call, as a function for `method_table::around_requests`.
    task<request_result> operator()(request_context& rpc, json_view params, next_handler& next) const;

private:
    friend class server_tasks;
    task_middleware(std::shared_ptr<tasks_core> core, task_start start, task_support support) noexcept
        : core_(std::move(core)), start_(start), support_(support)
    {
    }

    std::shared_ptr<tasks_core> core_;
    task_start start_;
    task_support support_;
};

/// Tasks of the Model Context Protocol (SEP-2663, `io.modelcontextprotocol/tasks`, from 2026-07-28 on). A call of a
/// tool is answered at once by a task, and the client asks for the outcome of the task later. A tool has tasks when its
/// options have the middleware:
///
///     mcp::server server("builder", "1.0.0");
///     mcp::server_tasks tasks(server);
///     mcp::tool_options slow;
///     slow.run.around_requests.add(tasks.optional());
///     server.add_tool("build", "Builds something.", build, slow);
///
/// The tool itself does not change. Its call runs apart from the request, in a session of its own with the peer and the
/// access view of the request, and passes all middleware of `server_options` and of the tool. So middleware before this
/// one runs twice. The task shows the tool's progress as its status message, and the tool's questions as
/// `inputRequests`. Other notifications of the tool are dropped, and it sees no fields of the HTTP request. A tool that
/// fails completes its task; a JSON-RPC error fails the task. A fault of the server fails the task as well, is logged,
/// and is told in the status message. `run_options::max_concurrent` and `exclusive` hold within each task by itself,
/// and `request_quota::at_once` does not bound tasks, whose requests have ended.
///
/// A task belongs to the principal that created it, by `peer_identity`. For any other principal the task does not
/// exist. Without principals, any client that knows the id may use the task; an id has 192 random bits.
///
/// The tool's call is judged by the access view of the request that created the task; after questions, by that of the
/// `tasks/update` that brought the last answer. Where the call needs a proof, that of the request counts: the task
/// calls its tool without a second one. Anything else that needs a proof is refused in the task. So where calls of the
/// tool have to be signed, `tasks/*` has to be signed, too. A signer without a principal of its own signs `tasks/get`
/// as well: otherwise the task is not its own.
///
/// A client may also listen to its tasks: by `taskIds` in the filter of `subscriptions/listen` it gets each change of
/// them as `notifications/tasks`, as `tasks/get` tells it, unless that needs a proof or is nested deeper than the
/// default of `limits::depth`. Changes that the client does not keep up with are left out, except for the last.
///
/// `tasks/cancel` ends the task at once, and cancels the tool's call. A tool that ignores its cancellation goes on, and
/// no bound counts it any more once the task has been dropped.
///
/// Bounds: see `server_tasks_options`. Expired tasks are dropped at the next request for any task, without a timer. A
/// working task keeps `io_context::run` running; a task that waits for answers does not. Tasks are not kept beyond the
/// process, nor shared between server objects. `run_stdio` ends with its session, and destroys working tasks then; a
/// tool that blocks on `run_options::executor` goes on, and the destructor of a thread pool waits for it.
///
/// Lifetime: the server, this object and the `io_context`s may be destroyed in any order; but an `io_context` is not
/// destroyed while other threads serve requests for the tasks that run on it. The destructor of this object cancels its
/// tasks. After that its methods know no task, and tools are called as without it; the server still declares the
/// extension.
/// Errors: a second object for the same server throws `std::invalid_argument`.
/// Thread safety: all members may be called from any thread. A task runs on the executor of the request that created
/// it, or that brought the last answer.
class PARTYLINE_EXPORT server_tasks {
public:
    /// Adds the extension to the server.
    explicit server_tasks(server& to, server_tasks_options options = {});
    ~server_tasks();
    server_tasks(const server_tasks&) = delete;
    server_tasks& operator=(const server_tasks&) = delete;

    /// For tools that any client may call. A call is served within the request where the client has not declared tasks
    /// or may not call `tasks/get`, and where there is no room for a task.
    task_middleware optional(task_start start = task_start::at_once) const;
    /// For tools that take too long for a request. A client that has not declared tasks, or may not call `tasks/get`,
    /// is answered -32021; before 2026-07-28 every client is answered -32602. Without room, a call is answered -31001.
    task_middleware required(task_start start = task_start::at_once) const;

private:
    std::shared_ptr<const served_methods> methods_; // nothing else keeps the server's core alive: tools have core_
    std::shared_ptr<tasks_core> core_;
};

} // namespace partyline::mcp
