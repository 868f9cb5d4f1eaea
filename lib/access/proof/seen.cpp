#include "access/proof/seen.hpp"

#include <algorithm>
#include <cstring>

namespace partyline::access {

seen_nonces& seen_nonces::of_process() noexcept
{
    static seen_nonces one;
    return one;
}

seen_nonces::result seen_nonces::enter(std::string_view signer, const proof_nonce& nonce, clock::time_point end,
                                       clock::time_point now)
{
    const second last = std::chrono::ceil<std::chrono::seconds>(end).time_since_epoch().count();
    const std::lock_guard lock(mutex_);
    forget(std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count());
    if (last <= forgotten_until_)
        return result::outdated;
    const auto known = signers_.find(std::string(signer));
    const bool is_known = known != signers_.end();
    if (is_known && nonces_.contains(key_of(known->second, nonce)))
        return result::replayed;
    if (nonces_.size() >= max_nonces || (is_known && known->second.nonces >= max_of_signer))
        return result::full;
    add(is_known ? *known : *signers_.try_emplace(std::string(signer), signer_record{++last_number_, 0}).first, nonce,
        last);
    return result::is_new;
}

void seen_nonces::add(signers::value_type& by, const proof_nonce& nonce, second last)
{
    std::vector<key>& ending = by_end_[last];
    if (ending.size() == ending.capacity())
        ending.reserve(std::max<std::size_t>(16, 2 * ending.size()));
    const key entry = key_of(by.second, nonce);
    nonces_.emplace(entry, &by);
    ending.push_back(entry);
    ++by.second.nonces;
}

seen_nonces::key seen_nonces::key_of(const signer_record& by, const proof_nonce& nonce) noexcept
{
    key entry;
    std::memcpy(entry.data(), &by.number, sizeof by.number);
    std::copy(nonce.begin(), nonce.end(), entry.begin() + sizeof by.number);
    return entry;
}

void seen_nonces::forget(second now) noexcept
{
    while (!by_end_.empty() && by_end_.begin()->first < now) {
        for (const key& one : by_end_.begin()->second)
            forget(one);
        forgotten_until_ = std::max(forgotten_until_, by_end_.begin()->first);
        by_end_.erase(by_end_.begin());
    }
}

void seen_nonces::forget(const key& one) noexcept
{
    const auto found = nonces_.find(one);
    if (found == nonces_.end())
        return;
    const auto signer = signers_.find(found->second->first);
    nonces_.erase(found);
    if (--signer->second.nonces == 0)
        signers_.erase(signer);
}

std::size_t seen_nonces::size() const
{
    const std::lock_guard lock(mutex_);
    return nonces_.size();
}

} // namespace partyline::access
