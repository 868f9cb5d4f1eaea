#pragma once

#include "http/serve/post_answer.hpp"
#include "http/sessions/stream_reader.hpp"
#include "http/wire/event_bracket.hpp"
#include "session/output/outlet.hpp"

#include <memory>
#include <optional>

namespace partyline::http {

/// One POST of a session: what it asks goes on without its connection, and where something was said before the reply, the
/// client may come back for the rest.
class session_post final : public exchange, private outlet::user, public std::enable_shared_from_this<session_post> {
public:
    session_post(std::shared_ptr<mcp_session> of, bool begins) : session_(std::move(of)), begins_(begins) {}
    ~session_post() override;

    /// Has the message served. It may be refused at once.
    std::optional<response> begin(request&& asked, reply_line& line);
    /// Moves what was said to its stream, once it has one.
    void collect();
    const std::shared_ptr<session_stream>& stream() const noexcept { return stream_; }
    /// It has been answered, or nobody can hear the answer: its outlet goes.
    void close() noexcept;
    /// The session is over.
    void drop() noexcept;

    // exchange
    progress produce(byte_buffer& out) override;
    void on_client_gone() noexcept override;
    void write_comment(byte_buffer& out) override;
    bool is_event_stream() const noexcept override { return reader_.has_value(); }

private:
    bool is_over_in_silence() const noexcept;
    progress answer_ended(byte_buffer& out);
    void begin_events(byte_buffer& out);

    // outlet::user
    void on_taken(message_type type) override { answer_.on_taken(type); }
    void on_answered(const reply_given& how) noexcept override { answer_.on_answered(how); }
    void flush() override;

    std::shared_ptr<mcp_session> session_;
    event_bracket bracket_;
    outlet* out_ = nullptr;
    reply_line* line_ = nullptr; // null without a connection
    post_answer answer_;
    std::shared_ptr<session_stream> stream_; // null as long as the answer may be one JSON text
    std::optional<stream_reader> reader_;
    const bool begins_;
};

} // namespace partyline::http
