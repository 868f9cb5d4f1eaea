#pragma once

#include "fleet/moment.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>

namespace partyline::test {

/// Time that passes from one event to the next. Events of one time happen in the order in which they were planned.
class virtual_time {
public:
    using duration = std::chrono::nanoseconds;

    fleet::moment now() const
    {
        return {std::chrono::steady_clock::time_point(passed_), std::chrono::system_clock::time_point(start + passed_)};
    }
    duration passed() const { return passed_; }

    void after(duration delay, std::function<void()> event)
    {
        events_.emplace(std::pair(passed_ + delay, next_++), std::move(event));
    }

    /// Runs the next event; false where there is none until then.
    bool run_one(duration until)
    {
        if (events_.empty() || events_.begin()->first.first > until)
            return false;
        auto event = events_.extract(events_.begin());
        passed_ = event.key().first;
        event.mapped()();
        return true;
    }

private:
    static constexpr std::chrono::hours start{24 * 365 * 50};

    duration passed_{std::chrono::hours(1)};
    std::uint64_t next_ = 0;
    std::map<std::pair<duration, std::uint64_t>, std::function<void()>> events_;
};

} // namespace partyline::test
