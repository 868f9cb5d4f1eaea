#pragma once

#include "frames.hpp"
#include "inbox.hpp"
#include "line_reader.hpp"
#include "reply_reader.hpp"
#include "speech.hpp"
#include "support/unique_fd.hpp"
#include "tls_wire.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace wire_client {

/// One connection of the client, which never waits.
class connection {
public:
    /// Connects to a port of 127.0.0.1, over TLS if `secured` says how.
    connection(std::uint16_t port, speech how, const tls_client* secured = nullptr);
    /// The standard streams of a server; the descriptors don't wait, and stay their owner's.
    connection(int input, int output) noexcept : read_from_(output), write_to_(input), how_(speech::streams) {}

    /// Writes what the socket takes; the rest goes when it takes more. `text` is not copied.
    void send(std::string_view text);
    void send_more();
    bool has_unsent() const noexcept { return !unsent_.empty(); }
    std::size_t unsent_bytes() const noexcept { return unsent_.size(); }
    /// Whether the server takes nothing any more.
    bool is_refused() const noexcept { return is_refused_; }
    /// Reads what there is. False: the server has closed the connection.
    bool read_some(inbox& into);

    speech how() const noexcept { return how_; }
    int socket() const noexcept { return read_from_; }
    /// What it writes to: the socket again, or a server's standard input.
    int writing_end() const noexcept { return write_to_; }
    const reply_reader& replies() const noexcept { return replies_; }
    const frame_reader& frames() const noexcept { return frames_; }
    /// How many answers are complete: responses, or messages where HTTP is not spoken.
    std::size_t answers() const noexcept { return how_ == speech::http ? replies_.responses() : messages_; }
    /// Where its user stands: nothing of that is the connection's affair.
    std::size_t mark = 0;

private:
    void take(std::string_view bytes, inbox& into);
    ssize_t write_some();
    ssize_t read_to(char* to, std::size_t size);

    partyline::test::unique_fd socket_;
    int read_from_;
    int write_to_;
    std::optional<tls_wire> secured_;
    speech how_;
    std::string_view unsent_;
    bool is_refused_ = false;
    reply_reader replies_;
    frame_reader frames_;
    line_reader lines_;
    std::size_t messages_ = 0;
};

} // namespace wire_client
