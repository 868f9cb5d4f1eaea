#pragma once

#include "session/budget_share.hpp"
#include "session/live_counters.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/protocol/framing.hpp>
#include <partyline/protocol/message.hpp>
#include <partyline/session/session_options.hpp>

#include <boost/container/deque.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace partyline {

class batch_reply;
class outlet;

/// The next thing that came from the peer, or whose turn it is. The views are valid until the next one is taken.
struct arrival {
    enum class kind : std::uint8_t {
        message,
        oversize,    // a message that was discarded: see `discarded`
        bad_header,  // see `discarded`
        end_of_batch // all elements were taken
    };
    kind what = kind::message;
    const message* envelope = nullptr;
    std::string_view text;
    const frame* discarded = nullptr;
};

/// Takes apart what has come: bytes into messages, and batches into elements.
///
/// Flow: bytes into `frames()`, or whole messages by `push()`; then `next_element()` until it says false, then what
/// `has_pushed()` by `take_pushed()`, then `next_message()`. When that is a batch, `open_batch()`, and its elements are
/// next.
class intake {
public:
    /// All live longer.
    intake(std::unique_ptr<framing> frames, const session_options& options, message_reader::params_hint& hint,
           live_counters& counters);

    /// Where what comes by `frames()` is to be answered; it lives longer.
    void set_stream(outlet& stream) noexcept { via_ = stream_ = &stream; }

    framing& frames() noexcept { return *frames_; }
    /// Takes a whole message, of no more than `limits::message_bytes`, that came in by `via`.
    void push(std::string text, outlet& via);
    std::size_t pushed_bytes() const noexcept { return pushed_bytes_; }
    bool has_pushed() const noexcept { return !pushed_.empty(); }
    /// Drops what came by `via` and has not been taken; how many that were.
    std::size_t drop_pushed(const outlet& via) noexcept;
    /// Drops the first of those; the outlet that it came by.
    outlet& drop_pushed() noexcept;
    message_reader& reader() noexcept { return reader_; }

    /// Takes the next element of the batch that is open; false when none is.
    bool next_element(arrival& out);
    /// Takes the next whole message of the stream; false when there is none.
    bool next_message(arrival& out);
    /// Takes the next one that was handed in; there is one.
    void take_pushed(arrival& out);
    /// That by which the last one came.
    outlet& via() const noexcept { return *via_; }
    /// Takes the text of a message apart that had to wait.
    const message& read_again(std::string_view text)
    {
        return reader_.read_element(text);
    } // not read(): a batch may be half taken

    /// The elements of the batch that was read last are next; their replies go to `replies`.
    void open_batch(std::shared_ptr<batch_reply> replies) noexcept;
    /// What is left of it is not taken any more, but for its end. Returns that, which is valid as its elements are.
    std::span<const std::string_view> drop_rest_of_batch() noexcept;
    /// The one that is open; null without.
    const std::shared_ptr<batch_reply>& batch() const noexcept { return batch_; }
    std::shared_ptr<batch_reply> close_batch() noexcept { return std::move(batch_); }

    /// Whether what was discarded would not have been too long, but was given up for want of what sessions share.
    bool was_given_up(const frame& discarded) const noexcept { return discarded.size <= options_.bounds.message_bytes; }
    /// The answer to it.
    error_object oversize_error(const frame& discarded);
    /// What the sessions share.
    const budget_share& share() const noexcept { return pending_share_; }

private:
    struct pushed_message {
        std::string text;
        outlet* via;
    };

    bool take_element(arrival& out);
    bool take_discarded(arrival& out);
    void note_pushed(std::size_t bytes) noexcept;
    bool note_none();
    void note_pending();

    std::unique_ptr<framing> frames_;
    const session_options& options_;
    live_counters& counters_;
    message_reader reader_;
    budget_share pending_share_; // of a message under way
    frame current_;
    outlet* stream_ = nullptr;
    outlet* via_ = nullptr;
    boost::container::deque<pushed_message> pushed_; // that of std takes memory while nothing is pushed
    std::size_t pushed_bytes_ = 0;
    budget_share pushed_share_; // of those
    std::string taken_;         // the last one of those: who handles it reads its text
    std::shared_ptr<batch_reply> batch_;
    std::size_t next_element_ = 0;
    bool is_batch_dropped_ = false;
};

inline bool intake::next_element(arrival& out)
{
    return batch_ && take_element(out);
}

inline bool intake::next_message(arrival& out)
{
    via_ = stream_;
    if (!frames_->next(current_))
        return note_none();
    pending_share_.set(0); // from here on it counts as what it becomes
    if (!current_.problem.empty() || current_.is_oversize) [[unlikely]]
        return take_discarded(out);
    counters_.messages_in.add();
    out.what = arrival::kind::message;
    out.text = current_.text;
    out.envelope = &reader_.read(out.text);
    return true;
}

} // namespace partyline
