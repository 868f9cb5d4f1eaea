#pragma once

#include <partyline/protocol/framing.hpp>

#include <cstddef>
#include <string_view>

namespace partyline {

/// What is to be sent, in order: the one way out of a session.
///
/// Flow: `begin()`, write one message, `commit()`. The transport takes `bytes()` from time to time.
class outbox {
public:
    explicit outbox(framing& frames) noexcept : frames_(frames) {}

    /// Starts a message: where it is to be written.
    byte_buffer& begin()
    {
        frames_.begin_message(bytes_);
        text_start_ = bytes_.size();
        return bytes_;
    }

    /// The message as it stands between `begin` and `commit`.
    std::string_view message() const noexcept { return bytes_.view().substr(text_start_); }
    void commit() { frames_.end_message(bytes_); }

    /// The committed messages, framed. The transport swaps or clears them.
    byte_buffer& bytes() noexcept { return bytes_; }

private:
    framing& frames_;
    byte_buffer bytes_;
    std::size_t text_start_ = 0;
};

} // namespace partyline
