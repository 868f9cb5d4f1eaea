#pragma once

#include "fleet/bus/bus_event.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace partyline::fleet {

/// Brings what comes in the threads of the bus to the executor of its receiver, in order, all that has come meanwhile
/// at once. Without a receiver, or room, messages are dropped: who has sent them sends them again.
///
/// Thread safety: all from any thread; the receiver is called on the executor.
class inbox final : public std::enable_shared_from_this<inbox> {
public:
    class receiver {
    public:
        /// Must not throw.
        virtual void on_events(std::vector<bus_event> all) noexcept = 0;

    protected:
        ~receiver() = default;
    };

    inbox(boost::asio::any_io_executor executor, std::weak_ptr<receiver> to);

    void put(bus_event one) noexcept;
    /// Drops what comes from now on. After this the executor's context may be destroyed.
    void close() noexcept;
    std::size_t dropped() const noexcept { return dropped_.load(std::memory_order_relaxed); }

private:
    static constexpr std::size_t max_bytes = std::size_t(64) << 20; // of messages that wait

    void hand_over() noexcept;

    const std::weak_ptr<receiver> to_;
    std::atomic<std::size_t> dropped_ = 0;
    std::mutex mutex_;
    boost::asio::any_io_executor executor_; // empty when it is closed
    std::vector<bus_event> waiting_;
    std::size_t bytes_ = 0; // of these
};

} // namespace partyline::fleet
