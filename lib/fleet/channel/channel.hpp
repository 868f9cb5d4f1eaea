#pragma once

#include "fleet/channel/channel_core.hpp"

#include <partyline/session/detail/end_reason.hpp>
#include <partyline/transport/detail/byte_stream.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/buffer.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace partyline {
class session_driver;
}

namespace partyline::fleet {

/// One side of a session on the bus: its rules, once it is open, and what its stream waits for. It outlives the stream
/// until the other side has all that was written.
///
/// Flow: the first use of the stream opens it, by `opener`; then `open()` or `fail()`, once. Or it is open already.
/// Ownership: the carrier's, and the stream's. Whoever waits keeps itself, as drivers do while they run.
/// Thread safety: none; everything happens on one executor.
class channel final : public std::enable_shared_from_this<channel> {
public:
    using time_point = channel_core::time_point;
    using stream_user = partyline::detail::byte_stream::user;
    using end_reason = partyline::detail::end_reason;
    using opener = std::function<void(const std::shared_ptr<channel>& one)>;

    /// Who has its subject and its time.
    class carrier {
    public:
        /// It has something to say, its time is another one, or it is over.
        virtual void on_changed(channel& one) = 0;

    protected:
        ~carrier() = default;
    };

    channel(boost::asio::any_io_executor executor, std::weak_ptr<carrier> by, opener open);
    /// Open from the start on.
    channel(boost::asio::any_io_executor executor, std::weak_ptr<carrier> by, channel_core core);

    // For the carrier.
    std::uint64_t number() const noexcept { return number_; }
    void set_number(std::uint64_t number) noexcept { number_ = number; }
    void set_session(std::weak_ptr<session_driver> of) noexcept { session_ = std::move(of); }
    /// Who speaks in it; null where that has ended.
    std::shared_ptr<session_driver> session() const noexcept { return session_.lock(); }
    void open(channel_core core);
    void fail(end_reason why);
    /// Says that this side is gone. Its stream has lost the other one.
    void cut_off(end_reason why);
    void on_message(channel_message message, time_point now);
    void on_connected(time_point now);
    void on_time(time_point now);
    /// Null until it is open.
    channel_core* core() noexcept { return core_ ? &*core_ : nullptr; }
    bool is_opening() const noexcept { return !core_ && !failed_; }
    /// Nobody uses it, and nothing is to be said.
    bool is_over() const noexcept { return is_closed_ && (!core_ || core_->is_settled()); }
    std::optional<time_point> next_due() const noexcept;

    // For the stream.
    void start_read(boost::asio::mutable_buffer target, std::weak_ptr<stream_user> told);
    void start_wait(std::weak_ptr<stream_user> told);
    void start_write(boost::asio::const_buffer source, std::weak_ptr<stream_user> told);
    void start_watch(std::weak_ptr<stream_user> told);
    std::size_t try_read(boost::asio::mutable_buffer target, error_code& failed);
    std::size_t try_write(boost::asio::const_buffer source, error_code& failed);
    bool has_ended_input() const noexcept { return is_lost() || (core_ && core_->has_ended()); }
    std::size_t unread() const noexcept { return core_ ? core_->unread_bytes() : 0; }
    bool close_send() noexcept;
    /// `told`: null where there is no stream.
    void close(std::shared_ptr<stream_user> told);
    /// The stream is destroyed.
    void drop() noexcept;
    /// The other side is gone, or has never been there.
    bool is_lost() const noexcept { return failed_ || (core_ && core_->is_broken()); }
    end_reason why_lost() const;

private:
    struct waiting_read {
        boost::asio::mutable_buffer target;
        std::weak_ptr<stream_user> told;
    };
    struct waiting_write {
        boost::asio::const_buffer source;
        std::weak_ptr<stream_user> told;
    };

    void begin();
    void go_on_soon();
    void go_on();
    void read_on();
    void write_on();
    void end_operations();
    bool is_readable() const noexcept;
    bool is_writable() const noexcept;
    void update(time_point now);
    void tell_carrier() noexcept;
    void finish_closed(time_point now);

    const boost::asio::any_io_executor executor_;
    const std::weak_ptr<carrier> carrier_;
    opener opener_;
    std::weak_ptr<session_driver> session_;
    std::uint64_t number_ = 0;
    std::optional<channel_core> core_;
    std::optional<end_reason> failed_;
    std::optional<waiting_read> read_;
    std::optional<waiting_write> write_;
    std::weak_ptr<stream_user> wait_;
    std::weak_ptr<stream_user> watch_;
    bool is_going_on_ = false; // soon
    bool is_closed_ = false;
    std::optional<time_point> closed_until_; // then the other side has all, or is told that this one is gone
};

} // namespace partyline::fleet
