#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

namespace partyline::fleet {

/// Which of many numbered things is due next. Each has one time; all operations cost log n.
class due_times {
public:
    using time_point = std::chrono::steady_clock::time_point;

    void add(time_point due, std::uint64_t number) { all_.emplace(due, number); }
    void remove(time_point due, std::uint64_t number) { all_.erase({due, number}); }
    /// `due` is the time that the number has here: then it takes no memory. One that has not been added is added.
    void change(time_point& due, time_point to, std::uint64_t number)
    {
        auto moved = all_.extract({due, number});
        due = to;
        if (moved.empty())
            return add(due, number);
        moved.value() = {due, number};
        all_.insert(std::move(moved));
    }

    std::optional<time_point> next() const { return all_.empty() ? std::nullopt : std::optional(all_.begin()->first); }
    /// The first one that is due at `now`; it stays until it is changed or removed.
    std::optional<std::uint64_t> due_at(time_point now) const
    {
        if (all_.empty() || all_.begin()->first > now)
            return std::nullopt;
        return all_.begin()->second;
    }

private:
    std::set<std::pair<time_point, std::uint64_t>> all_;
};

} // namespace partyline::fleet
