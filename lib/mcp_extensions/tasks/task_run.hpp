#pragma once

#include "mcp_extensions/tasks/task_record.hpp"

#include <partyline/session.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/json/value.hpp>

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
    virtual void on_outcome(const std::string& id, unsigned round, response outcome) noexcept = 0;
    /// There will be no outcome: what it ran on has been destroyed, or there was no memory to tell it.
    virtual void on_lost(const std::string& id, unsigned round) noexcept = 0;
};

/// One call of a tool, apart from the request that it came by: a session that serves it, and one that calls.
///
/// The context that it runs on owns it until both have ended: a context that is destroyed before that destroys it.
class task_run final : public running_task, public std::enable_shared_from_this<task_run> {
public:
    /// Of which task it is, and in which round.
    struct identity {
        std::string id;
        unsigned round;
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
    void on_outcome(response outcome) noexcept;
    void on_no_outcome() noexcept;
    void on_session_end(bool is_serving) noexcept;
    void stop_calling() noexcept;

    const std::shared_ptr<task_listener> told_;
    const identity of_;
    boost::asio::steady_timer ends_; // does not expire: the operation that waits for it owns this
    std::optional<session> serving_;
    std::optional<session> calling_;
    int running_sessions_ = 0;
    bool has_outcome_ = false;
};

} // namespace partyline::mcp
