#pragma once

#include "mcp/client/client_core.hpp"
#include "mcp/client/lasting_settings.hpp"
#include "mcp/client/requests.hpp"
#include "mcp/client/supervised/start_client.hpp"
#include "session/calls/posted_completion.hpp"
#include "supervisor/restart_rules.hpp"

#include <partyline/async/async_event.hpp>
#include <partyline/config.hpp>
#include <partyline/mcp/client.hpp>
#include <partyline/mcp/client/supervised_client_options.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace partyline::mcp {

/// What a `supervised_client` is behind its handle: one client after the other.
///
/// Flow: `start()` has `run()` make a client, start it, hand it out and wait for its end; then the rules say whether
/// another one follows, and after which delay. `end()` ends the one that there is, or the delay, and thereby `run()`.
/// Thread safety: everything on the executor, but for what says otherwise. Each client has an executor of its own.
class supervised_core : public std::enable_shared_from_this<supervised_core> {
public:
    enum class ending { in_order, at_once };

    supervised_core(boost::asio::any_io_executor executor, std::function<client()> make,
                    supervised_client_options options);

    // From any thread.
    const boost::asio::any_io_executor& get_executor() const noexcept { return executor_; }
    supervisor_status status() const;
    void start(completion<error_code> done);
    void end(ending how);
    /// The handle has gone: no function of the user's is called any more.
    void leave();

    /// Waits for a client that is ready.
    static task<std::shared_ptr<client>> ready(std::shared_ptr<supervised_core> of);

private:
    /// How one client has ended, or could not be made.
    struct client_end {
        error_code why; // always a failure
        std::string words;
        error_code session_result;
        child_outcome how = child_outcome::failure;
    };
    class run_end;
    using roots_told = std::optional<std::vector<root>>;

    // What is asked of it: supervised_core.cpp
    void on_start(completion<error_code> done);
    void on_end(ending how);
    void end_client(ending how);
    error_code refusal() const noexcept;
    std::string refusal_details() const;
    void enter(supervisor_state state, steady_duration delay = steady_duration::zero());
    void tell(const supervisor_status& now) noexcept;
    void finish(error_code result) noexcept;
    void on_failure() noexcept;
    void log_failure(const std::exception_ptr& thrown) const noexcept;

    // Its clients: supervised_core_run.cpp
    static task<error_code> run(std::shared_ptr<supervised_core> self);
    void on_run_end(const std::exception_ptr& thrown, error_code result) noexcept;
    task<client_end> run_one();
    std::shared_ptr<client> make(client_end& how);
    void become_ready(const std::shared_ptr<client>& made, const roots_told& known);
    void pass_roots_on(const roots_told& known);
    void give_up_start();
    void note_end(const client_end& how);
    std::optional<steady_duration> decide(const client_end& how);
    bool must_end() const noexcept { return ending_ || has_left_; }
    error_code result_after(const client_end& how) const noexcept;

    template <class Step>
    void guarded(Step step) noexcept
    {
        try {
            step();
        } catch (...) {
            on_failure();
        }
    }

    const boost::asio::any_io_executor executor_;
    const std::function<client()> make_;
    const supervised_options_ptr options_;
    restart_rules rules_;
    boost::asio::steady_timer again_;
    async_event changed_; // whatever `ready()` depends on
    std::shared_ptr<client> ready_;
    client_core_ptr last_; // of those that were ready: what it was told
    std::optional<completion<error_code>> done_;
    std::optional<ending> ending_;
    error_code result_; // of `ending_`
    bool has_started_ = false;
    bool is_running_ = false; // run()
    bool has_given_up_ = false;
    std::atomic<bool> has_left_ = false;

    mutable std::mutex mutex_; // for what follows; written on the executor alone
    supervisor_status status_;
    client_core_ptr current_; // that `leave()` ends
};

} // namespace partyline::mcp
