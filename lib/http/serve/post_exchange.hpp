#pragma once

#include "http/serve/access_record.hpp"
#include "http/serve/exchange.hpp"
#include "http/serve/post_answer.hpp"
#include "http/serve/request.hpp"
#include "http/wire/event_bracket.hpp"
#include "session/conversation.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace partyline::http {

class http_service;

/// The answer to a POST: all that its conversation says in one outlet. A reply alone is JSON; where something else is
/// to be said before it, all that is said is a stream of events, if the client takes one, else the reply alone.
///
/// Without a keeper the answer is lost with its connection, and what was asked is cancelled; the next POST of that
/// connection has the same outlet. With one, what was asked goes on, and the client may come back for the answer.
///
/// Flow: `begin()` for each request; then it is the exchange that answers it.
class post_exchange final : public exchange, private outlet::user {
public:
    /// The session that a POST belongs to.
    class keeper {
    public:
        /// The answer where the session ends without a word about what was asked.
        virtual response answer_ended() const = 0;
        /// The reply to the POST that begins the session is sent next.
        virtual void on_first_reply(post_exchange& to) = 0;
        /// More than a reply is said: the result sends it, from the head of the answer on.
        virtual std::unique_ptr<exchange> open_stream(post_exchange& by, reply_sink& line) = 0;
        /// There may be something in the outlet that `by` does not send itself, or nothing more to come: it has become
        /// a stream, or its client is gone.
        virtual void on_said(post_exchange& by) = 0;
        /// The connection has been told all that it will be.
        virtual void on_answered(post_exchange& by) = 0;

    protected:
        ~keeper() = default;
    };
    /// Of a session's messages.
    enum class place : std::uint8_t { first, later };

    /// The conversation lives longer.
    post_exchange(http_service& of, conversation& by) noexcept : core_(of), conversation_(by) {}
    post_exchange(http_service& of, conversation& by, std::shared_ptr<keeper> kept, place at) noexcept
        : core_(of), conversation_(by), keeper_(std::move(kept)), place_(at)
    {
    }

    /// Has a message served. It may be refused at once.
    std::optional<response> begin(request&& asked, status_rule by, reply_sink& line);
    /// The outlet is let go of: nobody hears any more what is said there.
    void close() noexcept;
    /// The conversation is over.
    void end() noexcept;

    /// Where there is none it can't serve another message: not begun, or closed.
    outlet* out() const noexcept { return out_; }
    /// Whether a connection waits for the answer.
    bool is_awaited() const noexcept { return line_; }
    bool has_ended() const noexcept { return has_ended_; }
    bool is_first() const noexcept { return place_ == place::first; }
    post_answer& answer() noexcept { return answer_; }

    // exchange
    progress produce(byte_buffer& out) override;
    void on_client_gone() noexcept override;
    void write_comment(byte_buffer& out) override;
    bool is_event_stream() const noexcept override { return events_ != nullptr; }
    void drain() override;
    void follow_grant(const access_grant& from, const access_grant& to) noexcept override;
    void end_stream() override;

private:
    class event_writer;

    bool is_over_in_silence() const noexcept;
    progress produce_reply(byte_buffer& out);
    progress answer_ended(byte_buffer& out);
    void begin_events();

    // outlet::user
    void on_taken(const partyline::message& m, const message_reader& reader) override
    {
        answer_.on_taken(m.type);
        if (record_) [[unlikely]]
            record_message(m, reader);
    }
    void on_answered(const reply_given& how) noexcept override
    {
        answer_.on_answered(how);
        if (record_ && how.error_code != 0) [[unlikely]]
            record_->note_error(how.error_code);
    }
    void record_message(const message& m, const message_reader& reader);
    void flush() override;

    http_service& core_;
    conversation& conversation_;
    const std::shared_ptr<keeper> keeper_;
    const place place_ = place::later;
    event_bracket bracket_;
    outlet* out_ = nullptr;
    reply_sink* line_ = nullptr;      // null where no connection waits for an answer
    access_record* record_ = nullptr; // null there, too, and where there is no access log
    post_answer answer_;
    std::unique_ptr<exchange> events_; // sends what is said, where that is a stream and somebody reads it
    bool is_stream_ = false;
    bool is_unheard_ = false; // its client is gone
    bool has_ended_ = false;
};

} // namespace partyline::http
