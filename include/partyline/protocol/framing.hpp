#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/errc.hpp>
#include <partyline/protocol/limits.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace partyline {

/// One message cut out of the stream, or the facts about one that was too long to keep.
struct frame {
    /// The message, followed by a NUL byte. Valid until the framing is asked for anything else.
    std::string_view text;
    /// Set when the message was over the limit and has been discarded: `text` is empty then.
    bool is_oversize = false;
    /// The length of an oversize message.
    std::size_t size = 0;
    /// The exact text of its top-level id; of an array, that of the first response in it that has one. Empty without a
    /// usable one.
    std::string_view id;
    /// Whether the message has `result` or `error`, and no `method`; of an array, whether an element does, and none has
    /// a `method`.
    bool looks_like_response = false;
    /// Whether the message is an array.
    bool is_batch = false;
    /// The problem with the header, in plain words, with the expected form; empty when there is none. With a problem
    /// there is no message.
    std::string_view problem = {};
    /// Whether the problem hides where the next message begins: then no more messages come.
    bool is_broken = false;
};

/// Marks where outgoing messages begin and end.
class PARTYLINE_EXPORT message_bracket {
public:
    virtual ~message_bracket() = default;

    /// Begins a message, which is then written to `out`.
    virtual void begin_message(byte_buffer& out) = 0;
    /// Ends the message, which has been written.
    virtual void end_message(byte_buffer& out) = 0;
};

/// Cuts messages out of a byte stream, and marks where sent ones end. One object serves one session.
///
/// Flow: read into `prepare()`, `commit()` the bytes that came, take messages by `next()` until it returns false; at
/// end of input `finish()`, then `next()` once more for an unterminated message.
class PARTYLINE_EXPORT framing : public message_bracket {
public:
    /// The room to read into: at least 64 KiB, the capacity of a pipe; more while a longer message is under way.
    virtual std::span<char> prepare() = 0;
    /// Takes the first `count` bytes of the room of `prepare()`, which have been read.
    virtual void commit(std::size_t count) = 0;

    /// Cuts the next complete message out; false when there is none yet.
    virtual bool next(frame& out) = 0;

    /// Ends input: the bytes that are left are the last message.
    virtual void finish() = 0;

    /// Bytes of the message under way that are kept until it is whole; called after `next()` has returned false.
    virtual std::size_t pending() const noexcept = 0;
    /// Whether a message is under way, kept or not; called after `next()` has returned false.
    virtual bool is_within_message() const noexcept { return pending() != 0; }
    /// Discards the message under way, as one over the limit: the facts about it are reported when its end has come.
    virtual void give_up_pending() = 0;
    /// Gives memory back that pending bytes do not need: all of it where there are none, else the memory that is much
    /// more than these bytes and than the bytes that are read at once. Called after each read, it costs no more than
    /// linear time. Between `prepare()` and `commit()` it does nothing, since a read uses the memory.
    virtual void release_memory() = 0;

    // Functions of a framing with control messages of its own, such as WebSocket; other framings leave this to the
    // stream.

    /// Whether the framing has control messages of its own. Then the peer is sent pings from time to time, and
    /// `append_end()` at the end, whose answer is waited for. The value never changes.
    virtual bool speaks() const noexcept { return false; }
    /// The reason why no more messages come, although the stream goes on: success where the peer has said so; else the
    /// peer has broken the rules. Unset: messages may come.
    virtual std::optional<error_code> input_end() const noexcept { return std::nullopt; }
    /// The peer's reason for its end, as it came, for people alone; empty where the peer has not ended, or has ended in
    /// order.
    virtual std::string close_reason() const { return {}; }
    /// Whether the framing has a control message to send: called whenever something may be sent.
    virtual bool owes() const noexcept { return false; }
    /// Writes all control messages that are to be sent, between two messages; after that `owes()` is false. The framing
    /// may wait with this until the peer has read earlier messages.
    virtual void append_owed(byte_buffer& out) { static_cast<void>(out); }
    /// Writes a ping.
    virtual void append_probe(byte_buffer& out) { static_cast<void>(out); }
    /// Writes the end of the conversation, with how the session has ended. The peer answers with its own end.
    virtual void append_end(error_code why, byte_buffer& out) { static_cast<void>(why), static_cast<void>(out); }
};

/// One message a line (NDJSON), as MCP's stdio transport has it. LF or CRLF ends a line; blank lines and a byte order
/// mark at the very start are skipped; the last line needs no end. A line over `limits::message_bytes` is discarded as
/// it arrives, in constant memory, and the stream goes on after it.
class PARTYLINE_EXPORT line_framing final : public framing {
public:
    /// Bounds messages by `limits::message_bytes`, and the ids that are kept by `limits::id_bytes`.
    explicit line_framing(const limits& bounds);
    ~line_framing() override;

    std::span<char> prepare() override;
    void commit(std::size_t count) override;
    bool next(frame& out) override;
    void finish() override;
    std::size_t pending() const noexcept override;
    bool is_within_message() const noexcept override;
    void give_up_pending() override;
    void release_memory() override;
    void begin_message(byte_buffer& out) override;
    void end_message(byte_buffer& out) override;

private:
    struct state;
    std::unique_ptr<state> state_;
};

/// Messages after headers that tell their length (LSP 3.17, base protocol): `Content-Length: 42`, an empty line, the
/// message.
///
/// Lines end with CR LF; the case of names does not matter, nor do blanks around values; unknown headers are ignored. A
/// `Content-Type` that names another charset than utf-8 (or utf8) costs its message. A header line without colon, a
/// length that is missing, repeated, above `max_length` or no decimal number, more than `limits::header_bytes`, and an
/// end of input within a message make it impossible to find the next message: the frame says so, and is the last.
///
/// Does not rely on the length in a header: memory grows with the bytes that have come. A message over
/// `limits::message_bytes` is discarded as it arrives, in constant memory, and the stream goes on after it.
class PARTYLINE_EXPORT content_length_framing final : public framing {
public:
    /// No message is longer than this, not even one to be discarded.
    static constexpr std::size_t max_length = std::size_t(1) << 30;

    /// Bounds messages as `line_framing` does, and headers by `limits::header_bytes`.
    explicit content_length_framing(const limits& bounds);
    ~content_length_framing() override;

    std::span<char> prepare() override;
    void commit(std::size_t count) override;
    bool next(frame& out) override;
    void finish() override;
    std::size_t pending() const noexcept override;
    bool is_within_message() const noexcept override;
    void give_up_pending() override;
    void release_memory() override;
    void begin_message(byte_buffer& out) override;
    void end_message(byte_buffer& out) override;

private:
    struct state;
    std::unique_ptr<state> state_;
};

/// How messages are delimited on the wire: by `line_framing` or by `content_length_framing`.
enum class framing_kind : std::uint8_t { lines, content_length };

/// Makes a framing of that kind, for one session.
PARTYLINE_EXPORT std::unique_ptr<framing> make_framing(framing_kind kind, const limits& bounds);

} // namespace partyline
