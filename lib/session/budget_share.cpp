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

} // namespace partyline
