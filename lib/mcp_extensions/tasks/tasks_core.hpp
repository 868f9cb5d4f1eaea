#pragma once

#include "mcp_extensions/tasks/task_run.hpp"
#include "mcp_extensions/tasks/task_store.hpp"

#include <partyline/mcp_extensions/server_tasks.hpp>

#include <boost/json/object.hpp>

#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace partyline::mcp {

inline constexpr std::string_view tasks_extension = "io.modelcontextprotocol/tasks";

/// What `server_tasks`, the methods that it has added and the middleware share.
///
/// Thread safety: all from any thread. Nothing is called while the mutex is locked.
class tasks_core final : public task_listener, public std::enable_shared_from_this<tasks_core> {
public:
    /// Throws `std::invalid_argument`. Once the methods have gone there are no tasks any more.
    tasks_core(std::weak_ptr<const served_methods> methods, server_tasks_options options);

    /// Whether a call becomes a task. Throws `missing_capability` where it has to, and can't.
    bool takes(const request_context& rpc, json_view params, task_start start, bool is_required) const;
    /// Makes a task of a call. Throws `rpc_error` where there is no room. Returns what the call is answered with.
    boost::json::object start(request_context& rpc, json_view params);

    // What the methods do. They throw `rpc_error` for a task that the peer has not.

    json_text get(const request_context& rpc, const std::string& id);
    void update(request_context& rpc, const std::string& id, const boost::json::object& brought);
    void cancel(const request_context& rpc, const std::string& id);

    /// Drops all tasks, and cancels what runs. No task begins after that.
    void close() noexcept;

    void on_message(const std::string& id, unsigned round, std::string_view message) noexcept override;
    void on_outcome(const std::string& id, unsigned round, response outcome) noexcept override;
    void on_lost(const std::string& id, unsigned round) noexcept override;

private:
    void run(request_context& rpc, task_run::identity of, std::string params);
    session_options options_for(request_context& rpc, std::size_t params) const;
    void take(const std::string& id, unsigned round, response outcome);

    const std::weak_ptr<const served_methods> methods_;
    const server_tasks_options options_;
    std::mutex mutex_; // of what follows
    task_store store_;
    bool is_closed_ = false;
};

} // namespace partyline::mcp
