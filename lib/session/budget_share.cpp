#include "session/budget_share.hpp"

namespace partyline {

void budget_share::take(std::size_t bytes) noexcept
{
    if (bytes > taken_)
        whole_->add(bytes - taken_);
    else if (bytes < taken_)
        whole_->sub(taken_ - bytes);
    taken_ = bytes;
}

bool budget_share::is_left_of_whole() const noexcept
{
    return !whole_->is_used_up();
}

} // namespace partyline
