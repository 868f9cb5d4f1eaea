#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace partyline::http {

/// Tells from the id of a session on which of a server's threads it is: by a hash with a secret key (SipHash-2-4), so
/// that ids tell nobody else, and have no part for it.
/// Thread safety: all but making it, from any thread.
class thread_place {
public:
    using key = std::array<std::uint64_t, 2>;

    /// `count`: the number of threads, at least 1.
    thread_place(std::size_t count, const key& secret) noexcept : count_(count), key_(secret) {}
    /// With a key of its own. Throws `boost::system::system_error` where the system has no random numbers.
    explicit thread_place(std::size_t count);

    std::size_t of(std::string_view id) const noexcept { return count_ == 1 ? 0 : hash(id) % count_; }
    std::uint64_t hash(std::string_view text) const noexcept;

private:
    const std::size_t count_;
    const key key_;
};

} // namespace partyline::http
