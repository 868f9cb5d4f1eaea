#pragma once

#include "inbox.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace wire_client {

/// A text message as a client sends it over a WebSocket: one frame, masked.
std::string frame_of(std::string_view message);

/// Cuts what a server says over one connection into messages of WebSocket, behind the answer to the client's opening.
///
/// It is no judge of WebSocket: what it does not understand, and the end of the conversation, is a `failure`. Pings are
/// not answered, since no measurement takes so long that a server would mind.
class frame_reader {
public:
    /// Takes bytes as they arrive; each message in them becomes a line of `into`.
    void append(std::string_view bytes, inbox& into);

    /// Whether the server has agreed to speak WebSocket.
    bool is_open() const noexcept { return is_open_; }
    /// How many messages are complete.
    std::size_t messages() const noexcept { return messages_; }

private:
    bool take_answer();
    bool take_frame(inbox& into);
    void take_content(unsigned first, std::string_view content, inbox& into);

    std::string text_;
    std::size_t begin_ = 0; // of what has not been taken yet
    bool is_open_ = false;
    std::string message_; // of which more frames are to come
    std::size_t messages_ = 0;
};

} // namespace wire_client
