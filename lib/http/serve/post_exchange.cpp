#include "http/serve/post_exchange.hpp"

#include "http/serve/http_service.hpp"
#include "http/serve/sender_of.hpp"
#include "http/serve/shown_proof.hpp"
#include "http/serve/use_peer.hpp"

#include <partyline/protocol/error.hpp>

#include <exception>
#include <utility>

namespace partyline::http {

/// Sends what is said as a stream of events, which nobody keeps.
class post_exchange::event_writer final : public exchange {
public:
    explicit event_writer(post_exchange& of) noexcept : of_(of), chunks_(of.answer_.style()) {}

    progress produce(byte_buffer& out) override
    {
        if (!std::exchange(has_begun_, true)) {
            of_.line_->begin_answer(200, of_.answer_.style());
            append_event_stream_head(out, of_.answer_.style(), {}, of_.core_.date());
        }
        if (is_over_) {
            chunks_.finish(out);
            return progress::done;
        }
        outlet& from = *of_.out_;
        const std::string_view next = from.unsent().substr(0, most_at_once);
        chunks_.begin(out);
        out.append(next);
        chunks_.end(out);
        from.sent(next.size());
        if (!next.empty())
            of_.conversation_.drive(); // there is room for more
        if (!from.empty())
            return progress::more;
        if (!from.is_idle() && !of_.has_ended_)
            return progress::waiting;
        chunks_.finish(out);
        return progress::done;
    }
    void write_comment(byte_buffer& out) override { chunks_.append_comment(out); }
    void end_stream() override { is_over_ = true; }

private:
    post_exchange& of_;
    chunk_writer chunks_;
    bool has_begun_ = false;
    bool is_over_ = false;
};

std::optional<response> post_exchange::begin(request&& asked, status_rule by, reply_sink& line)
{
    answer_.begin(asked.accepts, std::move(asked.style), by, bracket_, core_.options().access.get());
    is_stream_ = false;
    if (!out_)
        out_ = &conversation_.open_outlet(bracket_, *this);
    const session_options& its = conversation_.context().options;
    if (const auto& names = core_.options().handler_fields; its.on_served || !names.empty()) [[unlikely]]
        out_->set_sender(sender_of(asked.head, its, names));
    record_ = asked.record;
    if (conversation_.context().access.get()) [[unlikely]]
        out_->set_proof_beside(shown_proof(asked.head));
    const error_code failed = conversation_.push(*out_, std::move(asked.body));
    if (!failed) {
        line_ = &line; // which asks for all that was said meanwhile
        return std::nullopt;
    }
    record_ = nullptr;
    if (failed == errc::message_too_large)
        return refuse(413, error_codes::invalid_request, "the message is longer than this server takes");
    return busy();
}

void post_exchange::record_message(const message& m, const message_reader& reader)
{
    if (m.type == message_type::batch)
        record_->note_batch(reader.elements().size());
    else
        record_->note_message(m.method);
}

exchange::progress post_exchange::produce(byte_buffer& out)
{
    progress how = events_ ? events_->produce(out) : produce_reply(out);
    if (how != progress::done)
        return how;
    line_ = nullptr;
    record_ = nullptr;
    events_.reset();
    if (out_ && out_->sender().fields) [[unlikely]] // an idle connection keeps none
        out_->set_sender({});
    if (keeper_)
        keeper_->on_answered(*this);
    return how;
}

exchange::progress post_exchange::produce_reply(byte_buffer& out)
{
    using next = post_answer::next;
    if (is_over_in_silence())
        return answer_ended(out);
    switch (answer_.decide(*out_)) {
    case next::wait: return progress::waiting;
    case next::skip:
        out_->sent(out_->unsent().size());
        conversation_.drive(); // there is room for more
        return answer_.decide(*out_) == next::wait ? progress::waiting : progress::more;
    case next::events: begin_events(); return events_->produce(out);
    case next::whole: break;
    }
    if (is_first())
        keeper_->on_first_reply(*this);
    return answer_.append_whole(out, *out_, *line_, core_.date());
}

void post_exchange::begin_events()
{
    events_ = keeper_ ? keeper_->open_stream(*this, *line_) : std::make_unique<event_writer>(*this);
    is_stream_ = true;
}

// The conversation is over, and says nothing to what was asked.
bool post_exchange::is_over_in_silence() const noexcept
{
    return !out_ || (out_->empty() && (has_ended_ || (conversation_.was_cancelled() && out_->is_idle())));
}

exchange::progress post_exchange::answer_ended(byte_buffer& out)
{
    const response known = keeper_ && !is_first() ? keeper_->answer_ended() : busy();
    line_->begin_answer(known.status, answer_.style());
    append_head(out, {known.status, known.type, known.body.size(), known.fields, core_.date()}, answer_.style());
    out.append(known.body);
    return progress::done;
}

// Without a connection that waits, a message is being handed in, or it has been answered. It may be gone after this.
void post_exchange::flush()
{
    if (keeper_ && (is_stream_ || is_unheard_))
        return keeper_->on_said(*this);
    if (line_)
        line_->flush();
}

// That a connection is lost is no cancel in a session (2025-11-25, Streamable HTTP).
void post_exchange::on_client_gone() noexcept
{
    line_ = nullptr;
    record_ = nullptr;
    events_.reset();
    is_unheard_ = true;
    if (!out_ || has_ended_)
        return;
    try {
        if (keeper_)
            keeper_->on_said(*this);
        else
            conversation_.abandon(*out_, true);
    } catch (...) {
        conversation_.fail(std::current_exception());
    }
}

void post_exchange::write_comment(byte_buffer& out)
{
    if (events_)
        events_->write_comment(out);
}

// Requests that may go on for ever end; the others are waited for. A session ends by itself.
void post_exchange::drain()
{
    if (keeper_)
        return;
    conversation_.end_of_input({errc::session_closed, {}, false});
    conversation_.drive();
}

// A session looks after its rights by itself.
void post_exchange::follow_grant(const access_grant& from, const access_grant& to) noexcept
{
    if (!keeper_)
        http::follow_grant(conversation_, from, to);
}

// In a session, what was asked goes on: its owner may come back for the answer.
void post_exchange::end_stream()
{
    if (!events_)
        return;
    events_->end_stream();
    if (keeper_ || !out_ || has_ended_)
        return;
    conversation_.abandon(*out_, true);
    flush();
}

void post_exchange::close() noexcept
{
    if (outlet* const unused = std::exchange(out_, nullptr))
        conversation_.release(*unused);
}

void post_exchange::end() noexcept
{
    has_ended_ = true;
    if (line_)
        line_->flush();
}

} // namespace partyline::http
