#include "mcp/state/signed_state.hpp"

#include <utility>

namespace partyline::mcp {

signed_state::signed_state(const state_keys& keys, state_limits limits) : limits_(limits)
{
    use(keys);
}

void signed_state::use(const state_keys& keys)
{
    auto next = std::make_shared<const signers>(signers{state_sealer(keys, limits_), list_cursors(keys)});
    const std::lock_guard lock(mutex_);
    current_.swap(next); // the last one goes when the mutex is free
}

std::shared_ptr<const signed_state::signers> signed_state::current() const
{
    const std::lock_guard lock(mutex_);
    return current_;
}

std::shared_ptr<const state_sealer> signed_state::states() const
{
    std::shared_ptr<const signers> now = current();
    return {now, &now->states};
}

std::shared_ptr<const list_cursors> signed_state::cursors() const
{
    std::shared_ptr<const signers> now = current();
    return {now, &now->cursors};
}

} // namespace partyline::mcp
