#pragma once

#include <partyline/session/access_control.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include <prometheus/counter.h>

namespace partyline::telemetry {

inline constexpr std::size_t authentication_outcomes = 8;
/// As the label `outcome` has it.
std::string_view to_string(authentication_outcome outcome) noexcept;

/// Counts how attempts to authenticate end. Renewals are no attempts.
class counted_access final : public access_control {
public:
    /// One counter for each outcome, which `owner` keeps.
    using counters = std::array<prometheus::Counter*, authentication_outcomes>;

    counted_access(std::shared_ptr<access_control> by, counters counts, std::shared_ptr<const void> owner) noexcept
        : by_(std::move(by)), counts_(counts), owner_(std::move(owner))
    {
    }

    authentication authenticate(const peer_identity& from, std::optional<std::string_view> authorization,
                                std::chrono::system_clock::time_point now) noexcept override;
    authentication renew(const std::shared_ptr<const access_grant>& grant,
                         std::chrono::system_clock::time_point now) noexcept override;
    std::shared_ptr<const protected_resource> resource() const noexcept override { return by_->resource(); }

private:
    const std::shared_ptr<access_control> by_;
    const counters counts_;
    const std::shared_ptr<const void> owner_;
};

} // namespace partyline::telemetry
