#pragma once

#include "session/serve/parked_coroutine.hpp"
#include "session/serve/served_request.hpp"

#include <partyline/session/handler.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <exception>
#include <list>
#include <memory>

namespace partyline {

/// A coroutine on the session's executor that serves one request after the other, and is parked while there is none.
///
/// Flow: the conversation loads a request (`assign`) and calls `run()`. A worker whose handler did not suspend
/// takes the next request itself, so parking is paid per suspension and not per request.
///
/// Ownership: the conversation owns its workers, and a worker that is parked does not own the conversation (its frame
/// would keep itself alive). One whose handler is suspended does, by `held`: what the handler refers to stays.
class worker final : public served_request {
public:
    explicit worker(request_host& owner) noexcept : served_request(owner) {}
    ~worker();

    /// Starts or resumes the coroutine; returns when it is parked, suspended in its handler, or has ended.
    void run();

    bool is_parked() const noexcept { return bool(wake_); }

    /// What has been said and not sent; for the session.
    unsent_notifications& unsent() { return more().unsent; }

    void emit_cancel() override;
    bool take_unsent(notification_text& out) override;
    void on_unsent_taken() override;
    boost::asio::any_io_executor get_executor() const override;

    std::shared_ptr<request_host> held; // while a handler is suspended
    std::list<worker>::iterator self;   // where the conversation keeps it

private:
    friend struct worker_ended;
    struct frame_guard;

    boost::asio::awaitable<void> loop();
    boost::asio::awaitable<boost::json::value> start();
    boost::asio::awaitable<boost::json::value> finish_text(boost::asio::awaitable<json_text> handler);
    void say(std::string_view method, std::string_view params, bool is_replaceable) override;
    std::size_t coalesce_above() const noexcept override { return 0; }
    bool must_wait() override { return has_unsent(); }
    void take_to_session(const std::shared_ptr<outgoing_message>& message) override;
    void begin_peer_wait() override;
    void end_peer_wait() override;

    boost::asio::cancellation_signal signal_;
    parked_coroutine wake_;
    frame_guard* guard_ = nullptr; // in the frame of the coroutine, while there is one
};

} // namespace partyline
