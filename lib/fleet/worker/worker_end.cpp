// How a worker ends.

#include "fleet/worker/worker_service.hpp"
#include "session/persistent_post.hpp"

#include <boost/asio/append.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <new>
#include <utility>

namespace asio = boost::asio;

namespace partyline::fleet {

void worker_service::close()
{
    asio::dispatch(executor_, [self = shared_from_this()] { self->drain(); });
}

void worker_service::drain()
{
    if (phase_ == phase::idle)
        phase_ = phase::closing;
    if (phase_ != phase::running)
        return;
    phase_ = phase::closing;
    try_twice([this] { core_.drain(current_moment()); });
    channels_.close_all();
    carry_out();
}

void worker_service::stop() noexcept
try {
    bus_->detach(inbox_);
    inbox_->close();
    asio::post(executor_, [self = shared_from_this()] { self->end(asio::error::operation_aborted); });
} catch (const std::bad_alloc&) { // it ends with its executor
}

// What was published is on its way already.
void worker_service::end(error_code result) noexcept
{
    phase_ = phase::ended;
    timer_.cancel();
    bus_->detach(inbox_);
    inbox_->close();
    for (auto& [number, run] : std::exchange(runs_, {}))
        run->let_go();
    channels_.stop_all();
    tell_totals();
    if (done_) {
        auto done = std::move(*done_);
        done_.reset();
        if (auto slot = asio::get_associated_cancellation_slot(done); slot.is_connected())
            slot.clear();
        asio::post(executor_, asio::append(std::move(done), result));
    }
    life_.stop();
}

} // namespace partyline::fleet
