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

/// Which calls of a tool become tasks.
enum class task_start : std::uint8_t {
    /// Every call. What the tool asks is answered by `tasks/update`.
    at_once,
    /// A call that brings answers (`inputResponses`). One without is served within the request: what the tool asks
    /// first is the answer to it. A call in which the tool asks nothing never becomes a task, also where tasks are
    /// required.
    after_questions,
};

/// What a server's tasks may cost. A task that works costs more than its bytes, which no `memory_budget` counts: two
/// sessions with the buffers that they read into, and its arguments two or three times. `max_tasks` bounds that. Misuse
/// throws `std::invalid_argument`: a time that is less than a millisecond, or over a year.
struct server_tasks_options {
    /// How long a task is kept when it has ended, and how long one that asks something waits for the answers: `ttlMs`
    /// tells it. One that works is kept for as long as that takes, and its `ttlMs` is null: see `run_options::deadline`
    /// for a bound of that. Not longer than `server_options::state_lifetime`, or answers may come too late for the
    /// tool.
    std::chrono::milliseconds ttl = std::chrono::minutes(5);
    /// How long clients are told to wait between polls: `pollIntervalMs`.
    std::chrono::milliseconds poll_interval = std::chrono::seconds(1);
    /// How many tasks are kept, those that have ended among them. What finds no room is answered -31001 "Server busy".
    std::size_t max_tasks = 1024;
    /// How many of them belong to one principal. Peers without one count as one together, such as all on
    /// stdio.
    std::size_t max_tasks_of_principal = 256;
    /// How many bytes of arguments, questions, answers and results are kept in all. A task whose result or questions
    /// find no room has failed with -31001.
    std::size_t max_bytes = std::size_t(64) << 20;
    /// How many of them the tasks of one principal may take, so that it leaves room for others. What finds no room is
    /// refused, or has failed, likewise.
    std::size_t max_bytes_of_principal = std::size_t(16) << 20;
    /// Sets options of the session in which a tool runs as a task, such as limits, log, `on_served` and `user_data`. It
    /// begins with the defaults, and has nothing of the client's session. `request` created the task, or brought the
    /// last answer; the function is called where that is served. An exception is the answer to that request: no task is
    /// created, and one that was answered fails. The profile, the peer, the access view and the executor are set
    /// afterwards; `bounds` are lowered by a level of depth and 4 KiB of a message, so that `tasks/get` has room for
    /// the result: a larger one is a failure of the task.
    std::function<void(request_context& request, session_options& of_task)> configure_session = {};
};

/// Makes tasks of the calls of a tool: see `server_tasks`. May be copied, and outlive that.
class PARTYLINE_EXPORT task_middleware {
public:
    /// As `method_table::around_requests` wants it.
    task<request_result> operator()(request_context& rpc, json_view params, next_handler& next) const;

private:
    friend class server_tasks;
    task_middleware(std::shared_ptr<tasks_core> core, task_start start, bool is_required) noexcept
        : core_(std::move(core)), start_(start), is_required_(is_required)
    {
    }

    std::shared_ptr<tasks_core> core_;
    task_start start_;
    bool is_required_;
};

/// Tasks of the Model Context Protocol (SEP-2663, `io.modelcontextprotocol/tasks`, from 2026-07-28 on): calls of tools
/// that are answered at once by a task, which the client asks for the outcome later on. Which tools have tasks is told
/// where they are added:
///
///     mcp::server server("builder", "1.0.0");
///     mcp::server_tasks tasks(server);
///     mcp::tool_options slow;
///     slow.run.around_requests.add(tasks.optional());
///     server.add_tool("build", "Builds something.", build, slow);
///
/// The tool itself is like any other one. Its call runs apart from the request, in a session of its own with the peer
/// and the access view of the request, through all middleware of `server_options` and of the tool. All of it runs again
/// there, so that what is in front of this one runs twice. What it tells as progress is the task's status message; what
/// else it tells the client is dropped, and so are the fields of the HTTP request. What it asks is the task's
/// `inputRequests`. A failure of the tool is a task that is completed; one that has failed has an error of JSON-RPC.
/// `run_options::max_concurrent` and `exclusive` hold for each task by itself, and `request_quota::at_once` does not
/// bound tasks, whose requests have ended.
///
/// A task belongs to the principal that has made it, as `peer_identity` has it. For any other one it does not exist.
/// Where there are no principals, whoever knows its id has it: that has 192 random bits. A tool's call is judged by the
/// access view of the request that made the task, and later on of the `tasks/update` that brought the last answer. The
/// proof of that call is not asked for again. So where calls of the tool have to be signed, `tasks/*` has to be, too. A
/// signer without a principal of its own signs `tasks/get` as well: else the task is not its own.
///
/// `tasks/cancel` cancels the tool's call, and the task is cancelled at once, whatever the tool does.
///
/// Bounds: see `server_tasks_options`. Tasks whose time is over are dropped when the next request of one comes, without
/// a timer. A task that works keeps `io_context::run` running; one that waits for answers does not. Nothing is kept
/// beyond the process, nor shared by server objects. `run_stdio` ends with its session, and destroys what works then; a
/// tool that blocks on `run_options::executor` goes on, and the destructor of a thread pool waits for it.
///
/// Lifetime: the server, this and the `io_context`s may go in any order; but an `io_context` is not destroyed while
/// other threads serve requests for the tasks that run on it. When this goes its tasks are cancelled, its methods know
/// none, none begins, and tools are called as if it had never been; the server declares the extension still.
/// Errors: a second one for the same server throws `std::invalid_argument`.
/// Thread safety: all may be done from any thread. A task runs where the request was served that made it, or that
/// brought the last answer: on the same executor.
class PARTYLINE_EXPORT server_tasks {
public:
    /// Adds the extension to the server.
    explicit server_tasks(server& to, server_tasks_options options = {});
    ~server_tasks();
    server_tasks(const server_tasks&) = delete;
    server_tasks& operator=(const server_tasks&) = delete;

    /// For tools that any client may call: one that has not declared tasks, or may not call `tasks/get`, waits for the
    /// result.
    task_middleware optional(task_start start = task_start::at_once) const;
    /// For tools that take too long to wait for: a client that has not declared tasks, or may not call `tasks/get`, is
    /// answered -32021; before 2026-07-28 every client is answered -32602.
    task_middleware required(task_start start = task_start::at_once) const;

private:
    std::shared_ptr<const served_methods> methods_; // the only one who holds the server: tools hold the core
    std::shared_ptr<tasks_core> core_;
};

} // namespace partyline::mcp
