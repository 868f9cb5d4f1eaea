#pragma once

#include "access/file/access_file.hpp"

#include <partyline/session/request_quota.hpp>

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace partyline::access {

/// The limits for a principal: the last that fits; none are all zero. `principal`: empty for anonymous peers.
quota_limits limits_for(const std::vector<limit_entry>& limits, std::string_view principal) noexcept;

/// The quotas of all principals that have one, each for as long as somebody holds it.
///
/// Thread safety: all members may be called from any thread, at the same time.
class quota_book {
public:
    /// Returns the quota of a principal (`name`: source LF principal), the same one while its limits are the same; null
    /// where there are no limits.
    std::shared_ptr<request_quota> find(const std::string& name, const quota_limits& limits);

    std::size_t size() const;

private:
    void forget_unused();

    mutable std::mutex mutex_;
    std::unordered_map<std::string, std::weak_ptr<request_quota>> quotas_;
    std::size_t sweep_at_ = 64;
};

} // namespace partyline::access
