#pragma once

#include "mcp_extensions/tasks/task_run.hpp"
#include "mcp_extensions/tasks/task_store.hpp"

#include <partyline/mcp/server/listen_topic.hpp>
#include <partyline/mcp_extensions/server_tasks.hpp>

#include <boost/json/object.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace partyline::mcp {

inline constexpr std::string_view tasks_extension = "io.modelcontextprotocol/tasks";

/// Whether a tool's calls may be served within the request, or have to be tasks.
enum class task_support : std::uint8_t { optional, required };

/// What `server_tasks`, the methods that it has added and the middleware share.
///
/// Thread safety: all from any thread. Nothing is called while the mutex is locked; what listens to a task is told
/// under one of its own.
class tasks_core final : public task_listener, public std::enable_shared_from_this<tasks_core> {
public:
    /// Throws `std::invalid_argument`. Once the methods have gone there are no tasks any more.
    tasks_core(std::weak_ptr<const served_methods> methods, server_tasks_options options);

    /// Whose clients are told of each change of their tasks. Before there are tasks.
    void set_topic(listen_topic topic) { topic_.emplace(std::move(topic)); }
    /// Whether the client may be told of a task: it is the client's own.
    bool may_listen(const request_context& rpc, const std::string& id);

    /// Whether a call is to become a task. Throws `missing_capability` where it has to, and can't.
    bool takes(const request_context& rpc, json_view params, task_start start, task_support support) const;
    /// Makes a task of a call. Returns what the call is answered with; nullopt: it is to be served within the request,
    /// since there is no room, or since there are no tasks any more. Throws `rpc_error` where there is no room for one
    /// that is required.
    std::optional<boost::json::object> start(request_context& rpc, json_view params, task_support support);

    // What the methods do. They throw `rpc_error` for a task that the peer has not.

    json_text get(const request_context& rpc, const std::string& id);
    void update(request_context& rpc, const std::string& id, json_view brought);
    void cancel(const request_context& rpc, const std::string& id);

    /// Drops all tasks, and cancels what runs. No task begins after that.
    void close() noexcept;

    void on_message(const std::string& id, unsigned round, std::string_view message) noexcept override;
    void on_outcome(const std::string& id, unsigned round, response outcome) override;
    bool on_lost(const std::string& id, unsigned round, task_loss why) noexcept override;

private:
    std::optional<boost::json::object> add(const std::string& id, task_owner owner, std::string params,
                                           task_support support);
    task_record& find(const std::string& id, const task_owner& by);
    bool wants_answers(const std::string& id, const task_owner& by);
    std::optional<task_round> answer(const std::string& id, const task_owner& by, task_answers answers);
    void run(request_context& rpc, const std::string& id, unsigned round, std::string params);
    void publish(const std::string& id) noexcept;
    session_options options_for(request_context& rpc, const std::string& tool, std::size_t params) const;

    const std::weak_ptr<const served_methods> methods_;
    const server_tasks_options options_;
    std::optional<listen_topic> topic_;
    std::array<std::mutex, 32> publishing_; // by id: what is published last is how the task stands; before `mutex_`
    std::mutex mutex_;                      // of what follows
    task_store store_;
    bool is_closed_ = false;
};

} // namespace partyline::mcp
