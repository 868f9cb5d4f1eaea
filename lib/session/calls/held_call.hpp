#pragma once

#include "session/call_rules.hpp"
#include "session/calls/held_call_host.hpp"
#include "session/calls/outgoing_message.hpp"

#include <partyline/session/call_middleware.hpp>
#include <partyline/session/caller.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace partyline {

/// A call or a notification and how far it has come on its way through middleware.
struct intercepted_call {
    peer_call call;
    call_middleware_list around;
    std::size_t depth;
    std::size_t next = 0; // that it passes
    std::optional<response> answer = {};
};

/// What a middleware's exception says of the call.
response response_for(std::exception_ptr thrown);

/// Has it pass the next one, a plain function.
void pass_one(intercepted_call& on_its_way);

/// A call or a notification while coroutines of middleware stand around it. It has an id that nobody is told, and is
/// open among the calls of its session like one that waits for room: so its time, its cancellation and the session's
/// end end it, whatever the coroutines do. What they send are messages of their own.
///
/// Flow: `start()` runs the coroutines, and `proceed()` is the way from each to the next; what they end with settles
/// this, if nothing else has. Then they are cancelled.
/// Thread safety: on the session's executor, once it is started.
class held_call : public outgoing_message {
public:
    explicit held_call(intercepted_call what);

    std::size_t size() const noexcept override { return 1; }
    const outgoing_element& element(std::size_t) const noexcept override { return shown_; }
    bool is_held() const noexcept override { return true; }
    std::size_t bytes() const noexcept override { return bytes_; }
    void settle(std::size_t, error_code failed, response reply) override;
    void on_started(const std::shared_ptr<held_call_host>& by, const boost::asio::any_io_executor& executor) override;

    boost::asio::awaitable<response> proceed(std::size_t at);

private:
    struct ticket;

    virtual void complete(error_code failed, response reply) = 0;

    static boost::asio::awaitable<response> run(std::shared_ptr<held_call> self);
    boost::asio::awaitable<response> run_middleware(std::size_t at);
    boost::asio::awaitable<response> send();
    void send(call_handler done);
    std::shared_ptr<outgoing_message> make_inner(call_handler done);
    void finish(std::exception_ptr thrown, response reply) noexcept;
    void on_lost() noexcept;
    void cancel_coroutines() noexcept;

    intercepted_call way_;
    const outgoing_element shown_;
    const std::size_t bytes_; // of what was to be sent: coroutines may change that
    std::weak_ptr<held_call_host> host_;
    boost::asio::any_io_executor executor_;
    boost::asio::cancellation_signal signal_;
    outgoing_element inner_; // what is sent next
    error_code inner_failure_;
    bool is_settled_ = false;
};

class held_request final : public held_call {
public:
    held_request(intercepted_call what, completion<error_code, response> done)
        : held_call(std::move(what)), done_(std::move(done))
    {
    }
    void on_cancel(std::function<void()> cancel) override { done_.on_cancel(std::move(cancel)); }

private:
    void complete(error_code failed, response reply) override { done_(shared_from_this(), failed, std::move(reply)); }

    completion<error_code, response> done_;
};

class held_notification final : public held_call {
public:
    held_notification(intercepted_call what, completion<error_code> done)
        : held_call(std::move(what)), done_(std::move(done))
    {
    }
    bool asks() const noexcept override { return false; }
    void on_cancel(std::function<void()> cancel) override { done_.on_cancel(std::move(cancel)); }

private:
    void complete(error_code failed, response reply) override
    {
        done_(shared_from_this(), reply.error() ? error_code(errc::refused) : failed);
    }

    completion<error_code> done_;
};

} // namespace partyline
