#include "access/proof/seen.hpp"

#include <algorithm>
#include <cstring>

namespace partyline::access {
namespace {

std::int64_t first_second(seen_nonces::clock::time_point at) noexcept
{
    return std::chrono::floor<std::chrono::seconds>(at).time_since_epoch().count();
}

std::int64_t last_second(seen_nonces::clock::time_point at) noexcept
{
    return std::chrono::ceil<std::chrono::seconds>(at).time_since_epoch().count();
}

} // namespace

seen_nonces& seen_nonces::of_process() noexcept
{
    static seen_nonces one;
    return one;
}

seen_nonces::result seen_nonces::look(std::string_view signer, const proof_nonce& nonce, clock::time_point end,
                                      clock::time_point now)
{
    const std::lock_guard lock(mutex_);
    forget(first_second(now));
    return find(signers_.find(std::string(signer)), nonce, last_second(end));
}

seen_nonces::result seen_nonces::enter(std::string_view signer, const proof_nonce& nonce, clock::time_point end,
                                       clock::time_point now)
{
    const std::lock_guard lock(mutex_);
    forget(first_second(now));
    auto known = signers_.find(std::string(signer));
    const result found = find(known, nonce, last_second(end));
    if (found != result::is_new)
        return found;
    if (known == signers_.end())
        known = signers_.try_emplace(std::string(signer), signer_record{++last_number_, 0}).first;
    add(*known, nonce, last_second(end));
    return result::is_new;
}

seen_nonces::result seen_nonces::find(signers::iterator of, const proof_nonce& nonce, second last) const
{
    if (last <= forgotten_until_)
        return result::outdated;
    const bool is_known = of != signers_.end();
    if (is_known && nonces_.contains(key_of(of->second, nonce)))
        return result::replayed;
    const bool is_full = nonces_.size() >= max_nonces || (is_known && of->second.nonces >= max_of_signer);
    return is_full ? result::full : result::is_new;
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
