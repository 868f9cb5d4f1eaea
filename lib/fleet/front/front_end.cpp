// How a front ends.

#include "fleet/front/front_service.hpp"
#include "session/persistent_post.hpp"

#include <boost/asio/dispatch.hpp>

#include <new>
#include <utility>

namespace asio = boost::asio;

namespace partyline::fleet {

void front_service::close() noexcept
try {
    asio::dispatch(executor_, [self = shared_from_this()] { self->end(); });
} catch (const std::bad_alloc&) { // it ends with its executor
}

void front_service::stop() noexcept
try {
    bus_->detach(inbox_);
    inbox_->close();
    asio::dispatch(executor_, [self = shared_from_this()] { self->end_at_once(); });
} catch (const std::bad_alloc&) { // it ends with its executor
}

void front_service::end() noexcept
try {
    is_closed_ = true;
    try_twice([this] { core_.close(); });
    carry_out();
    channels_.close_all();
    if (channels_.size() == 0)
        detach();
} catch (const std::bad_alloc&) { // what is left ends when it is due
}

void front_service::end_at_once() noexcept
try {
    is_closed_ = true;
    is_detached_ = true; // by `stop()`
    try_twice([this] { core_.close(); });
    carry_out();
    channels_.cut_off_all({errc::peer_gone, "this front is gone", true, true});
    timer_.cancel();
} catch (const std::bad_alloc&) { // the rest goes with it
}

void front_service::detach() noexcept
{
    if (std::exchange(is_detached_, true))
        return;
    bus_->detach(inbox_);
    inbox_->close();
    timer_.cancel();
}

} // namespace partyline::fleet
