#pragma once

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/writer.hpp>

#include <cstddef>

namespace partyline {

class outlet;

/// Collects the replies to one batch; it is sent when the last element has ended (JSON-RPC 2.0 §6: one array back, or
/// nothing at all).
///
/// Flow: made with one hold, for as long as elements are still being started; `add_hold()` for each one that is in
/// flight, `drop_hold()` when it has ended. The last drop says that the array is complete.
class batch_reply {
public:
    /// It goes to `to`, which lives longer.
    explicit batch_reply(outlet& to) : to_(to), writer_(text_) {}

    outlet& to() const noexcept { return to_; }

    void add_hold() noexcept { ++holds_; }
    /// True when that was the last hold.
    [[nodiscard]] bool drop_hold() noexcept { return --holds_ == 0; }

    /// Where the next reply goes.
    byte_buffer& begin_reply()
    {
        writer_.begin_element();
        return text_;
    }

    /// Drops what has been written since the array had `size` bytes.
    void take_back(std::size_t size) noexcept
    {
        text_.truncate(size);
        if (size == 0)
            writer_ = batch_writer(text_);
    }

    bool empty() const noexcept { return writer_.empty(); }
    std::size_t size() const noexcept { return text_.size(); }

    /// Ends the array; the text of the whole.
    std::string_view finish()
    {
        writer_.end();
        return text_.view();
    }

private:
    outlet& to_;
    byte_buffer text_;
    batch_writer writer_;
    std::size_t holds_ = 1;
};

} // namespace partyline
