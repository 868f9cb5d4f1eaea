#include "http/sessions/session_post.hpp"

#include "http/serve/server_core.hpp"
#include "http/sessions/mcp_session.hpp"

#include <partyline/protocol/error.hpp>

#include <exception>
#include <utility>

namespace partyline::http {

session_post::~session_post()
{
    close();
}

std::optional<response> session_post::begin(request&& asked, reply_line& line)
{
    answer_.begin(asked.accepts, std::move(asked.style), status_rule::legacy, bracket_);
    out_ = &session_->served().open_outlet(bracket_, *this);
    line_ = &line;
    const error_code failed = session_->served().push(*out_, std::move(asked.body));
    if (!failed)
        return std::nullopt;
    line_ = nullptr;
    if (failed == errc::message_too_large)
        return refuse(413, error_codes::invalid_request, "the message is longer than this server takes");
    return busy();
}

exchange::progress session_post::produce(byte_buffer& out)
{
    using next = post_answer::next;
    progress how = progress::done;
    if (reader_) {
        how = reader_->produce(out);
    } else if (is_over_in_silence()) {
        how = answer_ended(out);
    } else {
        switch (answer_.decide(*out_)) {
        case next::wait: return progress::waiting;
        case next::skip:
            out_->sent(out_->unsent().size());
            session_->served().drive(); // there is room for more
            return answer_.decide(*out_) == next::wait ? progress::waiting : progress::more;
        case next::events: begin_events(out); return progress::more;
        case next::whole:
            if (begins_ && !out_->empty())
                session_->note_greeting(answer_.reply_in(*out_));
            if (begins_ && !answer_.has_failed())
                answer_.style().fields += "Mcp-Session-Id: " + session_->id() + "\r\n";
            how = answer_.append_whole(out, *out_, *line_, session_->core().date());
        }
    }
    if (how == progress::done) {
        line_ = nullptr;
        reader_.reset();
        if (begins_ && answer_.has_failed())
            session_->end();
        if (!stream_ || stream_->is_complete())
            session_->close_post(*this);
    }
    return how;
}

void session_post::begin_events(byte_buffer& out)
{
    if (begins_)
        answer_.style().fields += "Mcp-Session-Id: " + session_->id() + "\r\n";
    stream_ = session_->open_stream(*this);
    reader_.emplace(session_, stream_, *line_, answer_.style());
    reader_->begin(out);
    collect();
}

// The session ends, and says nothing to what was asked.
bool session_post::is_over_in_silence() const noexcept
{
    if (!out_)
        return true;
    return out_->empty() && (session_->has_ended() || (session_->served().was_cancelled() && out_->is_idle()));
}

exchange::progress session_post::answer_ended(byte_buffer& out)
{
    const response known = begins_ ? busy() : refuse(404, -32001, "Session not found");
    line_->begin_answer(known.status, answer_.style());
    append_head(out, {known.status, known.type, known.body.size(), known.fields, session_->core().date()},
                answer_.style());
    out.append(known.body);
    return progress::done;
}

void session_post::collect()
{
    if (!stream_ || !out_)
        return;
    stream_->collect(*out_);
    if (out_->is_idle() && out_->empty())
        stream_->complete();
}

void session_post::flush()
{
    const auto hold = shared_from_this();
    if (!stream_) {
        if (line_)
            line_->flush();
        else if (out_ && !out_->empty())
            out_->sent(out_->unsent().size()); // the client did not wait for it, and knows of no stream
    } else {
        collect();
        if (stream_reader* const reader = stream_->reader())
            reader->flush();
    }
    if (out_ && !line_ && out_->is_idle() && out_->empty())
        session_->close_post(*this);
}

// That a connection is lost is no cancel (2025-11-25, Streamable HTTP).
void session_post::on_client_gone() noexcept
{
    const auto hold = shared_from_this();
    line_ = nullptr;
    reader_.reset();
    try {
        flush();
    } catch (...) {
        session_->served().fail(std::current_exception());
    }
}

void session_post::write_comment(byte_buffer& out)
{
    if (reader_)
        reader_->write_comment(out);
}

void session_post::drop() noexcept
{
    close();
    if (line_)
        line_->flush();
}

void session_post::close() noexcept
{
    if (outlet* const unused = std::exchange(out_, nullptr))
        session_->served().release(*unused);
    if (stream_) {
        stream_->set_post(nullptr);
        stream_->complete();
    }
}

} // namespace partyline::http
