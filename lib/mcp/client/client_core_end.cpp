// The end of a client's conversation.

#include "mcp/answers/failed_call.hpp"
#include "mcp/client/client_core.hpp"
#include "session_access.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <memory>
#include <new>
#include <utility>

namespace asio = boost::asio;

namespace partyline::mcp {

void client_core::leave()
{
    class last_step {
    public:
        explicit last_step(std::shared_ptr<client_core> of) noexcept : of_(std::move(of)) {}
        last_step(last_step&&) noexcept = default;
        ~last_step() { take(); }
        void take()
        {
            if (const std::shared_ptr<client_core> left = std::move(of_))
                left->session_.reset();
        }

    private:
        std::shared_ptr<client_core> of_;
    };
    if (has_left_.exchange(true))
        return;
    session_->stop();
    try {
        asio::post(executor_, [last = last_step(shared_from_this())]() mutable { last.take(); });
    } catch (const std::bad_alloc&) { // it has been taken here
    }
}

void client_core::on_ended(error_code how)
{
    end_ = how;
    ended_.set();
    listening_->end();
    if (handlers_.ended)
        tell([&] { handlers_.ended(how); });
}

task<void> client_core::close()
{
    peer(); // throws where the client has gone
    begin_close();
    const error_code how = co_await end();
    if (how)
        throw failed_call(how, "the conversation has ended");
}

void client_core::begin_close()
{
    is_set_up_ = true;
    is_closed_ = true;
    if (!session_)
        return; // the client has gone, which has ended it
    if (!is_running_) {
        end_ = error_code();
        return session_->stop();
    }
    listening_->end();
    session_->close();
}

void client_core::stop()
{
    is_set_up_ = true;
    is_closed_ = true;
    if (!is_running_)
        end_ = asio::error::operation_aborted;
    if (session_)
        session_->stop();
}

bool client_core::takes_calls() const noexcept
{
    return session_ && !end_ && partyline::detail::session_access::driver(*session_).takes_calls();
}

error_code client_core::end_reason() const noexcept
{
    if (is_closed_ || has_left_ || *end_ == asio::error::operation_aborted)
        return errc::session_closed;
    return *end_ ? *end_ : error_code(errc::peer_closed);
}

task<error_code> client_core::end()
{
    while (is_running_ && !end_)
        co_await wait_end(asio::as_tuple(asio::deferred));
    co_return end_.value_or(errc::session_closed);
}

} // namespace partyline::mcp
