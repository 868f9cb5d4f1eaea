#pragma once

#include "access/digest.hpp"
#include "access/tokens/lru_table.hpp"

#include <boost/asio/ip/address.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace partyline::access {

/// Counts refusals by address, of IPv6 by /64: an address with 20 of them in 10 s is throttled for 10 s. It remembers
/// 4,096 addresses. Those of loopback are never throttled: behind a proxy on this machine all clients have them, and
/// one that guesses would lock out all others.
///
/// Thread safety: all members may be called from any thread, at the same time.
class failure_book {
public:
    using time_point = std::chrono::system_clock::time_point;

    static constexpr std::size_t max_addresses = 4'096;
    static constexpr std::uint32_t most_refusals = 20;
    static constexpr std::chrono::seconds window{10};
    static constexpr std::chrono::seconds pause{10};

    bool is_throttled(const boost::asio::ip::address& address, time_point now) noexcept;
    void on_refusal(const boost::asio::ip::address& address, time_point now);

    std::size_t size() const;

private:
    using network = std::array<unsigned char, 16>;

    struct record {
        std::uint32_t refusals = 0;
        time_point since = {}; // of the first of them; of the pause where it is throttled
        bool is_throttled(time_point now) const noexcept
        {
            return refusals >= most_refusals && now >= since && now - since < pause;
        }
    };

    static network network_of(const boost::asio::ip::address& address) noexcept;

    mutable std::mutex mutex_;
    lru_table<network, record, bytes_hash> records_{max_addresses};
};

} // namespace partyline::access
