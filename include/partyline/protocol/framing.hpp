#pragma once

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/limits.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace partyline {

/// One message cut out of the stream, or what is known of one that was too long to keep.
struct frame {
    /// The message, followed by a NUL byte. Valid until the framing is asked for anything else.
    std::string_view text;
    /// Set when the message was over the limit and has been discarded: `text` is empty then.
    bool is_oversize = false;
    /// Of an oversize message: its length, the exact text of its top-level id (empty without a usable one), and whether it
    /// has `result` or `error` and no `method`.
    std::size_t size = 0;
    std::string_view id;
    bool looks_like_response = false;
};

/// Cuts messages out of a byte stream, and marks where sent ones end. One object serves one session.
///
/// Flow: read into `prepare()`, `commit()` what came, take messages by `next()` until it says false; at end of input
/// `finish()`, then `next()` once more for a message that nothing ended.
class framing {
public:
    virtual ~framing() = default;

    /// Where to read to: at least 64 KiB, which is what a pipe holds; more while a longer message is under way.
    virtual std::span<char> prepare() = 0;
    virtual void commit(std::size_t count) = 0;

    /// Cuts the next complete message out; false when there is none yet.
    virtual bool next(frame& out) = 0;

    /// Input has ended: what is left over is the last message.
    virtual void finish() = 0;

    /// Brackets one outgoing message that is written to `out` between the two calls.
    virtual void begin_message(byte_buffer& out) = 0;
    virtual void end_message(byte_buffer& out) = 0;
};

/// One message a line (NDJSON), as MCP's stdio transport has it.
/// LF or CRLF ends a line; blank lines and a byte order mark at the very start are skipped; the last line needs no end.
/// A line over `limits::message_bytes` is discarded as it arrives, in constant memory, and the stream goes on behind it.
class line_framing final : public framing {
public:
    explicit line_framing(const limits& bounds);
    ~line_framing() override;

    std::span<char> prepare() override;
    void commit(std::size_t count) override;
    bool next(frame& out) override;
    void finish() override;
    void begin_message(byte_buffer& out) override;
    void end_message(byte_buffer& out) override;

private:
    struct state;
    std::unique_ptr<state> state_;
};

} // namespace partyline
