#include "session/output/unsent_notifications.hpp"

#include <iterator>
#include <utility>

namespace partyline {

bool unsent_notifications::add(notification_text next)
{
    const bool replaces = next.is_replaceable && replaceable_ != 0 && bytes_ >= coalesce_above_;
    const std::size_t bytes = next.bytes();
    const bool is_replaceable = next.is_replaceable;
    list_.push_back(std::move(next)); // first of all: it may throw
    if (replaces)
        drop_replaceable();
    bytes_ += bytes;
    replaceable_ += is_replaceable ? 1 : 0;
    return replaces;
}

// The newest of them but for the last entry, which has come in its place.
void unsent_notifications::drop_replaceable()
{
    auto newest = std::prev(list_.end());
    while (!(--newest)->is_replaceable) {
    }
    bytes_ -= newest->bytes();
    --replaceable_;
    list_.erase(newest);
}

bool unsent_notifications::take(notification_text& out)
{
    if (list_.empty())
        return false;
    out = std::move(list_.front());
    list_.pop_front();
    bytes_ -= out.bytes();
    replaceable_ -= out.is_replaceable ? 1 : 0;
    return true;
}

} // namespace partyline
