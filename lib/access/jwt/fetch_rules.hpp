#pragma once

#include "async/back_off.hpp"

#include <chrono>
#include <cstdint>
#include <optional>

namespace partyline::access {

/// Decides when the keys of an issuer are fetched, and for how long those that were fetched serve. Sans-I/O; the times
/// are of a clock that may be set, so a time that lies as far ahead as is waited for counts as one that has passed.
///
/// Flow: `begin()` where `is_due()` or `may_look()`, and `end()` when that fetch has ended.
class fetch_rules {
public:
    using time_point = std::chrono::system_clock::time_point;

    static constexpr std::chrono::minutes lifetime{10};       // of keys, until they are fetched again
    static constexpr std::chrono::hours longest_lifetime{24}; // where that fails
    static constexpr std::chrono::seconds between_looks{30};  // for keys of unknown ids
    static constexpr std::chrono::seconds longest_fetch{60};  // what has not ended by then has failed

    /// Whether it is time for a fetch.
    bool is_due(time_point now) noexcept;
    /// Whether a fetch may be begun to look for a key of an unknown id, which every peer can name.
    bool may_look(time_point now) noexcept;
    void on_look(time_point now) noexcept { looked_ = now; }

    /// A fetch has begun. Returns its number.
    std::uint64_t begin(time_point now) noexcept;
    /// A fetch has ended. False where it is not the one that is waited for.
    bool end(std::uint64_t number, bool has_succeeded) noexcept;

    /// Whether a fetch is under way, or the last one has failed: a key that is not here may be there.
    bool is_behind() const noexcept { return is_fetching_ || retry_; }
    bool are_usable(time_point now) const noexcept;
    /// Whether the keys were asked for before the end of the second in which a token was issued: there may be others.
    bool are_older_than(time_point issued) const noexcept
    {
        return succeeded_ && *succeeded_ < issued + std::chrono::seconds(1);
    }

private:
    void fail() noexcept;

    bool is_fetching_ = false;
    std::uint64_t number_ = 0; // of the last fetch
    time_point began_;
    std::optional<time_point> succeeded_; // the begin of the last fetch that has
    std::optional<time_point> retry_;     // after one that has failed
    std::optional<time_point> looked_;
    back_off delays_{{.first = std::chrono::seconds(1), .longest = std::chrono::minutes(5), .jitter = 0}};
};

} // namespace partyline::access
