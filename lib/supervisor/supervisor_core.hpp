#pragma once

#include "async/keep_running.hpp"
#include "session/calls/make_outgoing.hpp"
#include "session/calls/posted_completion.hpp"
#include "supervisor/restart_rules.hpp"
#include "supervisor/supervised_child.hpp"
#include "supervisor/waiting_messages.hpp"

#include <partyline/session/served_methods.hpp>
#include <partyline/supervisor_options.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace partyline {

/// What a `supervisor` is behind its handle: one child after the other, and what waits for them.
///
/// Flow: `start()` starts a child; when that is ready, what waits goes to it, and all calls from then on; when it has
/// ended the rules say whether another one follows, and after which delay.
/// Thread safety: everything on the executor, but for what says otherwise.
class supervisor_core final : public std::enable_shared_from_this<supervisor_core>, private supervised_child::user {
public:
    enum class ending { in_order, at_once };

    supervisor_core(boost::asio::any_io_executor executor, std::vector<std::string> command,
                    const served_methods& methods, supervisor_options options);

    // From any thread.
    const boost::asio::any_io_executor& get_executor() const noexcept { return executor_; }
    call_origin origin() const { return {calling_, executor_}; }
    supervisor_status status() const;
    std::shared_ptr<lifecycle> session_lifecycle() const;
    void start(completion<error_code> done);
    void end(ending how);
    /// Sends a call, a notification or a batch, or lets it wait.
    void launch(const std::shared_ptr<outgoing_message>& message, error_code failed);

private:
    // Calls: supervisor_core_calls.cpp
    void take(const std::shared_ptr<outgoing_message>& message);
    void cancel(outgoing_message& message);
    void send_waiting();
    void watch_due();
    error_code refusal() const noexcept;
    std::string refusal_details() const;

    // Children: supervisor_core.cpp
    void on_start(completion<error_code> done);
    void on_end(ending how);
    void start_child();
    void on_not_started(const boost::system::error_code& why, const std::string& words);
    void decide(child_outcome how);
    void start_later(steady_duration delay);
    void complete(error_code result);
    void finish(error_code result) noexcept;

    // supervised_child::user
    void on_ready() noexcept override;
    void on_start_failed() noexcept override;
    void on_ended(const supervised_child::ending& how) noexcept override;
    void on_failure() noexcept override;

    template <class Change>
    void change(Change make);
    void tell(const supervisor_status& now) noexcept;

    template <class Step>
    void guarded(Step step) noexcept
    {
        try {
            step();
        } catch (...) {
            on_failure();
        }
    }

    boost::asio::any_io_executor executor_;
    std::shared_ptr<const dispatcher> methods_; // before what is made of the options, which a function may change
    const call_rules calling_;
    std::vector<std::string> command_;
    std::shared_ptr<const supervisor_options> options_;
    restart_rules rules_;
    waiting_messages waiting_;
    keep_running life_; // until the end
    boost::asio::steady_timer again_;
    boost::asio::steady_timer due_timer_;
    steady_time watched_due_ = steady_time::max();
    std::shared_ptr<supervised_child> child_;
    std::optional<completion<error_code>> done_;
    std::optional<ending> ending_;
    error_code result_; // of `ending_`
    bool has_started_ = false;
    bool has_given_up_ = false;

    mutable std::mutex mutex_; // for what follows; written on the executor alone
    supervisor_status status_;
    std::shared_ptr<lifecycle> lifecycle_;
};

} // namespace partyline
