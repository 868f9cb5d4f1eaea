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
    : executor_(std::move(executor)), to_(std::move(to))
{
}

void inbox::put(bus_event one) noexcept
try {
    const std::size_t bytes = bytes_of(one);
    bool is_first = false;
    {
        const std::lock_guard lock(mutex_);
        if (bytes_ != 0 && bytes > max_bytes - std::min(bytes_, max_bytes)) {
            ++dropped_;
            return;
        }
        is_first = waiting_.empty();
        waiting_.push_back(std::move(one));
        bytes_ += bytes;
    }
    if (is_first)
        boost::asio::post(executor_, [self = shared_from_this()] { self->hand_over(); });
} catch (const std::exception&) { // no memory
    ++dropped_;
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
