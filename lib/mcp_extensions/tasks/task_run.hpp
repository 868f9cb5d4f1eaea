#pragma once

#include "mcp_extensions/tasks/task_record.hpp"

#include <partyline/async/async_event.hpp>
#include <partyline/session.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/json/value.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace partyline::mcp {

/// Is told what comes of the call of a tool. From wherever that runs.
class task_listener {
public:
    virtual ~task_listener() = default;
    virtual void on_message(const std::string& id, unsigned round, std::string_view message) noexcept = 0;
    /// What it throws is a loss of the task.
    virtual void on_outcome(const std::string& id, unsigned round, response outcome) = 0;
    /// There will be no outcome. Returns false where nobody has waited for one any more.
    virtual bool on_lost(const std::string& id, unsigned round, task_loss why) noexcept = 0;
};

/// One call of a tool, apart from the request that it came by: a session that serves it, and one that calls.
///
/// The context that it runs on owns it until both have ended: a context that is destroyed before that destroys it.
class task_run final : public running_task, public std::enable_shared_from_this<task_run> {
public:
    /// Of which task it is, in which round, and what it calls.
    struct identity {
        std::string id;
        unsigned round;
        std::string tool;
    };

    /// `executor` is serial, and `serving` made for a session that runs there.
    task_run(std::shared_ptr<task_listener> told, identity of, const boost::asio::any_io_executor& executor,
             const served_methods& methods, session_options serving);
    ~task_run() override;

    /// On the executor, once. `params` are those of "tools/call".
    void start(std::string params);

    void cancel() noexcept override;

private:
    class outcome_handler;
    class session_end;

    void on_progress(const boost::json::value& value) noexcept;
    void on_reply(error_code failed, response outcome) noexcept;
    void on_no_reply() noexcept;
    void on_session_end(bool is_serving, error_code why) noexcept;
    void stop_calling() noexcept;
    void take(error_code failed, response outcome) noexcept;
    void lose(task_loss why, const std::exception& cause) noexcept;

    const std::shared_ptr<task_listener> told_;
    const identity of_;
    const std::function<void(std::string_view)> log_;
    async_event has_ended_; // the operation that waits for it owns this
    std::optional<session> serving_;
    std::optional<session> calling_;
    error_code serving_end_;
    int running_sessions_ = 0;
    bool has_outcome_ = true; // nobody waits for one until it has started
};

} // namespace partyline::mcp
