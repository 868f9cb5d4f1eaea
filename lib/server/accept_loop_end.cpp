// How a loop comes to its end in order.

#include "server/accept_loop.hpp"
#include "session/persistent_post.hpp"

#include <boost/asio/post.hpp>

#include <new>
#include <utility>

namespace asio = boost::asio;

namespace partyline {

void accept_loop::end_after(std::chrono::steady_clock::duration lame_duck)
{
    asio::post(strand_, [self = shared_from_this(), lame_duck] { self->on_lame_duck(lame_duck); });
}

// Whom it has not begun to serve it need not keep.
void accept_loop::on_lame_duck(std::chrono::steady_clock::duration time)
{
    if (ending_ || std::exchange(is_lame_duck_, true))
        return;
    service_->begin_lame_duck();
    if (!has_started_ || time <= time.zero())
        return on_end(ending::in_order);
    try {
        try_twice([&] {
            lame_duck_.expires_after(time);
            lame_duck_.async_wait([self = weak_from_this()](error_code cancelled) {
                if (const auto loop = self.lock(); loop && !cancelled)
                    loop->on_end(ending::in_order);
            });
        });
    } catch (const std::bad_alloc&) {
        on_end(ending::in_order);
    }
}

void accept_loop::stop_listening() noexcept
{
    for (const auto& one : sources_) {
        if (ending_ == ending::in_order && has_started_ && service_->answers_the_last())
            accept_rest(*one->from);
        one->from->close();
    }
    sources_.clear();
}

// To close a socket resets those who have connected to it and were not accepted.
void accept_loop::accept_rest(listener& at) noexcept
{
    if (!at.refuse_more())
        return;
    error_code failed;
    while (!failed && served_.size() < most_) {
        try {
            listener::connection accepted = at.accept(threads_->executor(next_thread_), failed);
            if (!failed)
                take(std::move(accepted));
        } catch (const std::bad_alloc&) {
            return;
        }
    }
}

} // namespace partyline
