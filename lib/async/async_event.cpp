#include <partyline/async/async_event.hpp>

namespace partyline {

void async_event::set() noexcept
{
    if (std::exchange(state_->is_set, true))
        return;
    ++state_->times_set;
    state_->never.cancel();
}

void async_event::cancel() noexcept
{
    state_->never.cancel();
}

} // namespace partyline
