#include "access/tokens/grant_book.hpp"

#include <algorithm>

namespace partyline::access {

grant_book::found_grant grant_book::find(const credential& shown, std::uint64_t epoch, time_point now) noexcept
{
    shard& in = shard_of(shown);
    const std::lock_guard lock(in.mutex);
    const entry* const found = in.grants.find(shown);
    if (!found)
        return {};
    return {found->grant, found->checked_by == epoch && now >= found->since && now < found->until};
}

void grant_book::put(const grant_ptr& grant, std::uint64_t checked_by, time_point now)
{
    shard& in = shard_of(grant->shown);
    const std::lock_guard lock(in.mutex);
    const entry* const before = in.grants.find(grant->shown);
    if (before && before->grant->epoch > grant->epoch)
        return;
    time_point until = grant->peer->until.value_or(time_point::max());
    if (grant->from != issued_grant::origin::file && now < time_point::max() - lifetime)
        until = std::min<time_point>(until, now + lifetime);
    in.grants.put(grant->shown, {grant, checked_by, now, until});
}

void grant_book::erase(const credential& shown) noexcept
{
    shard& in = shard_of(shown);
    const std::lock_guard lock(in.mutex);
    in.grants.erase(shown);
}

std::size_t grant_book::size() const
{
    std::size_t all = 0;
    for (const shard& one : shards_) {
        const std::lock_guard lock(one.mutex);
        all += one.grants.size();
    }
    return all;
}

} // namespace partyline::access
