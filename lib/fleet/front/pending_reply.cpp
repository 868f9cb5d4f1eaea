#include "fleet/front/pending_reply.hpp"

#include <utility>

namespace partyline::fleet {
namespace {

std::size_t told_bytes(const pending_reply::notification& one)
{
    return sizeof(one) + one.method.size() + one.params.text().size();
}

} // namespace

void pending_reply::put(notification one)
{
    const std::size_t bytes = told_bytes(one);
    is_overfull_ = is_overfull_ || (bytes_ != 0 && bytes_ + bytes > max_bytes_);
    if (!is_overfull_) {
        bytes_ += bytes;
        waiting_.push_back(std::move(one));
    }
    changed_.set();
}

void pending_reply::end(error_code failed, response reply)
{
    failed_ = failed;
    reply_.emplace(std::move(reply));
    changed_.set();
}

std::optional<pending_reply::notification> pending_reply::take()
{
    if (waiting_.empty())
        return std::nullopt;
    std::optional<notification> next(std::move(waiting_.front()));
    waiting_.pop_front();
    bytes_ -= told_bytes(*next);
    return next;
}

} // namespace partyline::fleet
