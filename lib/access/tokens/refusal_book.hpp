#pragma once

#include "access/tokens/credential.hpp"
#include "access/tokens/lru_table.hpp"

#include <partyline/session/access_control.hpp>

#include <chrono>
#include <cstddef>
#include <mutex>
#include <optional>

namespace partyline::access {

/// Tokens that were refused, for 10 s: whoever shows one again costs no signature. It remembers 4,096.
///
/// Thread safety: all members may be called from any thread, at the same time.
class refusal_book {
public:
    using time_point = std::chrono::system_clock::time_point;

    static constexpr std::size_t max_tokens = 4'096;
    static constexpr std::chrono::seconds lifetime{10};

    std::optional<authentication_outcome> find(const credential& shown, time_point now) noexcept
    {
        const std::lock_guard lock(mutex_);
        const refusal* const found = refusals_.find(shown);
        if (!found || now < found->at || now - found->at >= lifetime)
            return std::nullopt;
        return found->why;
    }

    void put(const credential& shown, authentication_outcome why, time_point now)
    {
        const std::lock_guard lock(mutex_);
        refusals_.put(shown, {why, now});
    }

    void clear() noexcept
    {
        const std::lock_guard lock(mutex_);
        refusals_.clear();
    }

    std::size_t size() const
    {
        const std::lock_guard lock(mutex_);
        return refusals_.size();
    }

private:
    struct refusal {
        authentication_outcome why = authentication_outcome::invalid;
        time_point at = {};
    };

    mutable std::mutex mutex_;
    lru_table<credential, refusal, bytes_hash> refusals_{max_tokens};
};

} // namespace partyline::access
