#pragma once

#include "session/serve/request_host.hpp"
#include "session/serve/served_request.hpp"

#include <partyline/session/detail/task_root.hpp>
#include <partyline/session/detail/task_runner.hpp>
#include <partyline/session/handler.hpp>

#include <cstddef>
#include <list>
#include <memory>

namespace partyline {

/// Serves one request after the other on the session's executor.
///
/// Flow: the conversation loads a request (`assign`) and calls `run()`. A worker whose handler did not suspend takes
/// the next request itself; one whose handler did is entered by the conversation, and comes back by `recycle()`.
///
/// Ownership: the conversation owns its workers. One whose handler is suspended owns the conversation, by `held`: what
/// the handler refers to stays.
class worker final : public served_request, private detail::task_runner, private result_writer {
public:
    explicit worker(request_host& owner) noexcept : served_request(owner) {}

    /// Starts the handlers; returns when one is suspended, or there is no request left for this worker.
    void run();

    /// What has been said and not sent; for the session.
    unsent_notifications& unsent() { return more().unsent; }

    /// The session has ended, and its executor may go before this does.
    void let_go() noexcept { release_beside(); }

    void emit_cancel() override;
    bool take_unsent(notification_text& out) override;
    void on_unsent_taken() override;
    boost::asio::any_io_executor get_executor() const override;

    std::shared_ptr<request_host> held; // while a handler is suspended
    std::list<worker>::iterator self;   // where the conversation keeps it

private:
    bool serve() noexcept;
    void settle() noexcept;
    void rest();
    void on_lost() noexcept;

    void write(const boost::json::value& result) override { owner_.finish(*this, result); }
    void write(json_view result) override { owner_.finish(*this, result); }
    void write(const json_text& result) override { owner_.finish(*this, result); }
    void refuse(const error_object& error) override
    {
        owner_.note_refusal(*this, error);
        owner_.finish(*this, error);
    }
    const boost::asio::any_io_executor& task_home() const noexcept override { return home_; }
    void on_task_ended() override;

    void say(std::string_view method, std::string_view params, bool is_replaceable) override;
    std::size_t coalesce_above() const noexcept override { return 0; }
    bool must_wait() override { return has_unsent(); }
    void take_to_session(const std::shared_ptr<outgoing_message>& message) override;
    void begin_peer_wait() override;
    void end_peer_wait() override;

    detail::task_root root_;
    boost::asio::any_io_executor home_; // while it serves: the session lets go of its own when it ends
};

} // namespace partyline
