#include "session/backlog.hpp"

#include <utility>

namespace partyline {

bool backlog::add(said next)
{
    const bool replaces = next.is_replaceable && replaceable_ != 0 && bytes_ >= coalesce_above_;
    if (replaces)
        drop_replaceable();
    bytes_ += next.bytes();
    replaceable_ += next.is_replaceable ? 1 : 0;
    list_.push_back(std::move(next));
    return replaces;
}

// The newest of them: the one that the next one replaces.
void backlog::drop_replaceable()
{
    auto newest = list_.end();
    while (!(--newest)->is_replaceable) {
    }
    bytes_ -= newest->bytes();
    --replaceable_;
    list_.erase(newest);
}

bool backlog::take(said& out)
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
