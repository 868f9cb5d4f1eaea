#pragma once

#include "session/calls/outgoing_message.hpp"
#include "supervisor/bounded_hook.hpp"
#include "supervisor/restart_rules.hpp"

#include <partyline/session/handler.hpp>
#include <partyline/supervisor_options.hpp>
#include <partyline/transport/child_report.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace partyline {

class stream_driver;

/// One child of a supervisor, from its start to its end, with its session and the hooks that are run with it.
///
/// Flow: `start()`; when `on_start` has succeeded it is ready, and `adopt()`s calls; it ends by itself, since
/// `on_start` has failed, by `close()` or by `stop()`. That is over when its session has ended and no hook runs any
/// more: the process has been reaped then.
/// Thread safety: everything on the executor.
class supervised_child : public std::enable_shared_from_this<supervised_child> {
public:
    /// How it has ended.
    struct ending {
        child_outcome how = child_outcome::failure;
        error_code why; // always a failure
        std::string last_words;
        error_code session_result;
    };
    class user {
    public:
        virtual void on_ready() noexcept = 0;
        /// `on_start` has failed: it is being ended.
        virtual void on_start_failed() noexcept = 0;
        virtual void on_ended(const ending& how) noexcept = 0;
        /// A step of ours has thrown: the exception that is being handled.
        virtual void on_failure() noexcept = 0;

    protected:
        ~user() = default;
    };

    /// Throws `system_error` when the process can't be started. The user lives longer.
    supervised_child(user& told, boost::asio::any_io_executor executor, std::vector<std::string> command,
                     std::shared_ptr<const dispatcher> methods, std::shared_ptr<const supervisor_options> options);
    ~supervised_child();

    void start();
    /// Whether it is ready, and not on its way out.
    bool takes_calls() const noexcept;
    void adopt(const std::shared_ptr<outgoing_message>& message) noexcept;
    /// Cancels one that it has adopted.
    void cancel(outgoing_message& message) noexcept;
    void close();
    void stop();

    int pid() const noexcept { return report_->pid(); }
    std::shared_ptr<lifecycle> session_lifecycle() const;

private:
    enum class phase : std::uint8_t { starting, ready, parting, ending }; // parting: `on_close` runs

    void run(const std::function<boost::asio::awaitable<void>(caller&)>& what, bounded_hook::time_limit limit);
    void on_hook_end(bounded_hook::outcome how);
    void on_session_end(error_code result);
    void become_ready() noexcept;
    void fail_start(bounded_hook::outcome how);
    void part(const bounded_hook::outcome& how);
    void complete() noexcept;
    ending how_it_ended() const noexcept;
    std::string last_words() const;

    template <class Step>
    void guarded(Step step) noexcept
    {
        try {
            step();
        } catch (...) {
            user_.on_failure();
        }
    }

    user& user_;
    boost::asio::any_io_executor executor_;
    std::shared_ptr<const supervisor_options> options_;
    std::shared_ptr<const child_report> report_;
    std::shared_ptr<stream_driver> driver_;
    std::shared_ptr<bounded_hook> hook_; // the one that runs
    phase at_ = phase::starting;
    bool has_session_ = false; // not before `start()`, which memory may be too short for
    std::optional<bounded_hook::outcome> start_failure_;
    std::optional<error_code> session_result_;
};

} // namespace partyline
