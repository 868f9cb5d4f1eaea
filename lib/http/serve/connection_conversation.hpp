#pragma once

#include "http/serve/endpoint.hpp"
#include "http/serve/post_answer.hpp"
#include "http/wire/event_bracket.hpp"
#include "session/conversation.hpp"

#include <memory>
#include <optional>

namespace partyline::http {

class server_core;

/// The conversation that the requests of one connection are served by, one after the other: of clients that have no session.
/// What it says is the answer to the POST under way: a reply alone is JSON; where something else is to be said before it, all
/// that is said is a stream of events, if the client takes one, else the reply alone.
///
/// Flow: `begin()` for each request; then it is the exchange that answers it.
/// Ownership: the connection's, until it lets go; then its own, until its handlers have ended.
class connection_conversation final : public connection_state,
                                      public exchange,
                                      private conversation::host,
                                      private outlet::user,
                                      public std::enable_shared_from_this<connection_conversation> {
public:
    connection_conversation(std::shared_ptr<server_core> of, std::shared_ptr<const dispatcher> methods,
                            session_options options);
    ~connection_conversation() override;

    /// Whether it can serve one more.
    bool is_usable() const noexcept { return out_ && !has_ended_; }
    /// Has a message served. It may be refused at once.
    std::optional<response> begin(request&& asked, status_rule by, reply_line& line);

    // exchange
    progress produce(byte_buffer& out) override;
    void on_client_gone() noexcept override;
    void write_comment(byte_buffer& out) override;
    bool is_event_stream() const noexcept override { return is_stream_; }
    void drain() override;
    // connection_state
    void let_go() noexcept override;

private:
    progress produce_events(byte_buffer& out);
    progress answer_ended(byte_buffer& out);
    void begin_events(byte_buffer& out);

    // outlet::user
    void on_taken(message_type type) override { answer_.on_taken(type); }
    void on_answered(const reply_given& how) noexcept override { answer_.on_answered(how); }
    // outlet::user and conversation::host
    void flush() override;
    // conversation::host
    void resume_reading() override {}
    void on_end(error_code result) noexcept override;

    const std::shared_ptr<server_core> core_;
    event_bracket bracket_;
    std::shared_ptr<conversation> conversation_;
    outlet* out_ = nullptr;
    std::shared_ptr<connection_conversation> self_; // while handlers are to end that nobody waits for
    reply_line* line_ = nullptr;                    // null when no request is under way
    post_answer answer_;
    chunk_writer chunks_{{}};
    bool is_stream_ = false; // it has become a stream of events
    bool has_ended_ = false;
};

} // namespace partyline::http
