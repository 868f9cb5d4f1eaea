#pragma once

#include "fleet/wire/bus_message.hpp"
#include "fleet/wire/channel_message.hpp"

#include <boost/asio/buffer.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::fleet {

struct channel_limits {
    std::size_t piece_bytes = max_piece_bytes;
    std::uint64_t window = 32;                           // pieces that the other side has not read yet
    std::chrono::milliseconds retry_interval{500};       // after that the first piece is sent once more
    std::chrono::milliseconds max_retry_interval{2'000}; // the pauses grow to this
    unsigned max_retries = 5;                            // so often in vain, 9.5 s: the other side is dead
    std::chrono::milliseconds idle{10'000};              // nothing heard for that long: it is asked
    std::chrono::milliseconds blocked_idle{1'000}; // the same while it has no room, as it may have said so in vain
    std::chrono::milliseconds answer_delay{50};    // what is said meanwhile tells what has come as well
};

/// With pieces that a server takes whose longest message this is; 0: that is not known.
channel_limits channel_limits_for(std::size_t max_payload) noexcept;

/// Who speaks in a session, and where the other side hears it.
struct channel_ends {
    call_id id;
    std::string run;
    std::string to; // the subject of the other side
};

/// The rules of one side of a session: a stream of bytes each way, in order and each byte once, over messages that may
/// be lost, doubled or late. Both sides are alike. Knows neither sockets nor clocks.
///
/// Bytes are cut into numbered pieces. What has come is told the other side, and what was read of it, which makes room
/// for more. A piece of which nothing is heard is sent again, alone, and what follows it when that has come. Nothing
/// heard for too long: the other side is dead.
///
/// Flow: as of `front_core`. It is settled when there is nothing to be said any more.
class channel_core {
public:
    using time_point = std::chrono::steady_clock::time_point;

    channel_core(channel_ends ends, time_point now, channel_limits limits = {});

    /// Takes as many of the bytes as the other side has room for.
    std::size_t write(std::string_view bytes, time_point now);
    /// Nothing more will be written.
    void finish(time_point now);
    /// Tells the other side that this one is gone.
    void abort();

    /// Reads what has come.
    std::size_t read(boost::asio::mutable_buffer to, time_point now);
    /// The other side has written all, and it has come.
    bool has_ended() const noexcept { return in_end_; }
    bool has_bytes() const noexcept { return !in_.empty(); }

    /// Of the other side. What is not understood is dropped and counted.
    void on_message(channel_message message, time_point now);
    /// What has been said in vain is said again at once.
    void on_connected(time_point now);
    void on_time(time_point now);
    std::optional<time_point> next_due() const noexcept;

    std::vector<publication> take_effects();

    /// What is written is not read any more: the other side is dead, or has aborted.
    bool is_broken() const noexcept { return is_broken_; }
    bool is_finished() const noexcept { return is_finished_; }
    /// All of ours has come at the other side.
    bool is_confirmed() const noexcept { return peer_has_ == last_; }
    bool is_settled() const noexcept { return is_cut_off() || (is_finished_ && is_confirmed() && in_end_); }
    bool has_room() const noexcept { return !is_finished_ && last_ - peer_taken_ < limits_.window; }
    /// Written, and not read by the other side.
    std::size_t unread_bytes() const noexcept { return unread_bytes_; }
    std::uint64_t dropped() const noexcept { return dropped_; }
    const channel_ends& ends() const noexcept { return ends_; }

private:
    using kind = channel_message::kind;
    struct sent_piece {
        std::shared_ptr<const std::string> payload; // until it has come
        std::size_t bytes = 0;
    };

    void write_pieces(std::string_view bytes, time_point now, std::size_t& written);
    void add_piece(kind is, std::string_view bytes);
    void send_more(time_point now);
    void send_piece(std::uint64_t number);
    void send(kind is);
    void publish(std::shared_ptr<const std::string> payload);
    channel_message next_message(kind is) const;
    void note_told() noexcept;

    void on_has(const channel_message& message, time_point now) noexcept;
    void on_numbered(channel_message& message, time_point now);
    void on_abort() noexcept;
    void on_taken(time_point now) noexcept;
    void answer_soon(time_point now, bool is_much) noexcept;

    bool is_cut_off() const noexcept { return is_broken_ || is_aborted_; }
    bool is_blocked() const noexcept { return last_ - peer_taken_ >= limits_.window; }
    bool is_waiting() const noexcept { return is_pinging_ || peer_has_ < last_; }
    time_point idle_until() const noexcept;
    void ping(time_point now);
    void repeat(time_point now);
    void repeat_first();
    void release() noexcept;

    const channel_ends ends_;
    const channel_limits limits_;

    // What is written.
    std::deque<sent_piece> out_; // from the first that was not taken
    std::uint64_t last_ = 0;     // of all
    std::uint64_t next_ = 1;     // to be sent
    std::uint64_t peer_has_ = 0;
    std::uint64_t peer_taken_ = 0;
    std::size_t unread_bytes_ = 0;
    bool is_repeating_ = false; // the first piece is on its way again, and the others wait for it
    bool is_finished_ = false;

    // What is read.
    std::deque<std::string> in_;
    std::size_t offset_ = 0; // in the first of them
    std::uint64_t has_ = 0;
    std::uint64_t taken_ = 0;
    std::uint64_t told_has_ = 0;
    std::uint64_t told_taken_ = 0;
    bool in_end_ = false;

    // Time.
    bool is_pinging_ = false;
    unsigned repeats_ = 0; // since something was heard
    time_point heard_at_;
    time_point again_at_ = {}; // while it is waiting
    std::optional<time_point> answer_at_ = {};

    bool is_broken_ = false;
    bool is_aborted_ = false;
    std::uint64_t dropped_ = 0;
    std::vector<publication> effects_;
};

} // namespace partyline::fleet
