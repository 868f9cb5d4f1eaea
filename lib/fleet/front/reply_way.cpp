#include "fleet/front/reply_way.hpp"

#include <utility>

namespace partyline::fleet {
namespace {

std::size_t told_bytes(const reply_way::notification& one)
{
    return sizeof(one) + one.method.size() + one.params.text().size();
}

} // namespace

void reply_way::put(notification one)
{
    const std::size_t bytes = told_bytes(one);
    is_overfull_ = is_overfull_ || (bytes_ != 0 && bytes_ + bytes > max_bytes_);
    if (!is_overfull_) {
        bytes_ += bytes;
        waiting_.push_back(std::move(one));
    }
    changed_.set();
}

void reply_way::end(error_code failed, response reply)
{
    failed_ = failed;
    reply_.emplace(std::move(reply));
    changed_.set();
}

std::optional<reply_way::notification> reply_way::take()
{
    if (waiting_.empty())
        return std::nullopt;
    std::optional<notification> next(std::move(waiting_.front()));
    waiting_.pop_front();
    bytes_ -= told_bytes(*next);
    return next;
}

} // namespace partyline::fleet
