#pragma once

#include "http/wire/response_head.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/session/access_control.hpp>

#include <cstdint>

namespace partyline::http {

/// What answers one request over a connection.
///
/// Flow: the connection asks it to `produce()` whenever it has room; it says `waiting` when there is nothing to send
/// yet, and has the connection ask again (`reply_sink::flush()`). Then either it is `done`, or it is told that the
/// client is gone.
class exchange {
public:
    enum class progress : std::uint8_t {
        waiting, // nothing to be sent now
        more,    // there is more to be sent than it has written
        done     // that was all
    };
    /// About so much is written at once.
    static constexpr std::size_t most_at_once = std::size_t(64) << 10;

    virtual ~exchange() = default;

    virtual progress produce(byte_buffer& out) = 0;
    /// Nobody reads what it writes any more. It is not asked again, and let go of at once.
    virtual void on_client_gone() noexcept {}
    /// Nothing has been sent for a while: where the client is to see that all is well, it writes a comment.
    virtual void write_comment(byte_buffer& out) { static_cast<void>(out); }
    /// The server is to end: what could go on for ever ends now.
    virtual void drain() {}
    /// Whether it has the client read for as long as both like.
    virtual bool is_event_stream() const noexcept { return false; }

    // Of an event stream, whose reader's rights may change.

    /// Its reader has had the rights of the one grant, and has those of the other from now on.
    virtual void follow_grant(const access_grant& from, const access_grant& to) noexcept
    {
        static_cast<void>(from);
        static_cast<void>(to);
    }
    /// Its reader may hear nothing more: it ends now, with its connection.
    virtual void end_stream() {}
};

/// The connection, as an exchange sees it.
class reply_sink {
public:
    /// There is something to be sent.
    virtual void flush() = 0;
    /// The head of the answer is written next: says in `style` whether the connection ends with it, and tells the
    /// access log.
    virtual void begin_answer(int status, response_style& style) noexcept = 0;

protected:
    ~reply_sink() = default;
};

} // namespace partyline::http
