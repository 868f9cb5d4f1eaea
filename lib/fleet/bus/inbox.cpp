#include "fleet/bus/inbox.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <exception>
#include <utility>

namespace partyline::fleet {
namespace {

std::size_t bytes_of(const bus_event& one)
{
    const auto* const message = std::get_if<kept_message>(&one);
    return message ? sizeof(bus_event) + message->subject.size() + message->reply_to.size() + message->payload.size()
                   : 0;
}

} // namespace

inbox::inbox(boost::asio::any_io_executor executor, std::weak_ptr<receiver> to)
    : to_(std::move(to)), executor_(std::move(executor))
{
}

void inbox::put(bus_event one) noexcept
try {
    const std::size_t bytes = bytes_of(one);
    const std::lock_guard lock(mutex_);
    if (!executor_ || (bytes_ != 0 && bytes > max_bytes - std::min(bytes_, max_bytes))) {
        ++dropped_;
        return;
    }
    if (waiting_.empty()) // under the lock: `close()` waits for it
        boost::asio::post(executor_, [self = shared_from_this()] { self->hand_over(); });
    waiting_.push_back(std::move(one));
    bytes_ += bytes;
} catch (const std::exception&) { // no memory
    ++dropped_;
}

void inbox::close() noexcept
{
    const std::lock_guard lock(mutex_);
    executor_ = {};
}

void inbox::hand_over() noexcept
{
    std::vector<bus_event> all;
    {
        const std::lock_guard lock(mutex_);
        all.swap(waiting_);
        bytes_ = 0;
    }
    if (const auto to = to_.lock())
        to->on_events(std::move(all));
}

} // namespace partyline::fleet
