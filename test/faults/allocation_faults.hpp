#pragma once

#include <cstddef>

namespace partyline::test {

/// Which allocations of this program fail. While none is armed all succeed.
/// Thread safety: none; the program has one thread.
struct allocation_plan {
    std::size_t fails_at = 0;      // this one, counted from 1
    std::size_t large_fail_at = 0; // and of those of `large` bytes or more this one and all that follow
    static constexpr std::size_t large = std::size_t(16) << 10;
};

/// Makes allocations fail as planned, for the length of a scope.
class armed_allocations {
public:
    explicit armed_allocations(allocation_plan plan) noexcept;
    ~armed_allocations();
    armed_allocations(const armed_allocations&) = delete;
    armed_allocations& operator=(const armed_allocations&) = delete;

    /// How many have failed.
    std::size_t failed() const noexcept;
};

/// A scope of the test's own within that one: here nothing fails, and nothing is counted.
class unharmed {
public:
    unharmed() noexcept;
    ~unharmed();
    unharmed(const unharmed&) = delete;
    unharmed& operator=(const unharmed&) = delete;
};

} // namespace partyline::test
