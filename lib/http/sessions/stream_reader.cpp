#include "http/sessions/stream_reader.hpp"

#include "http/serve/http_service.hpp"
#include "http/sessions/mcp_session.hpp"

#include <utility>

namespace partyline::http {

stream_reader::stream_reader(std::shared_ptr<mcp_session> of, std::shared_ptr<session_stream> from, reply_sink& line,
                             const response_style& style)
    : session_(std::move(of)), stream_(std::move(from)), line_(line), style_(style), chunks_(style)
{
    stream_reader* const former = stream_->reader();
    stream_->set_reader(this);
    if (former)
        former->end();
    session_->note_reader_begun();
}

stream_reader::~stream_reader()
{
    if (stream_->reader() == this)
        stream_->set_reader(nullptr);
    session_->note_reader_gone();
}

// The head, and what tells the client how to come back.
void stream_reader::begin(byte_buffer& out)
{
    line_.begin_answer(200, style_);
    append_event_stream_head(out, style_, {}, session_->core().date());
    const std::string priming = session_->priming_event({stream_->log().stream(), stream_->unsent() - 1});
    chunks_.begin(out);
    out.append(priming);
    chunks_.end(out);
}

exchange::progress stream_reader::produce(byte_buffer& out)
{
    if (!std::exchange(has_begun_, true))
        begin(out);
    if (!has_ended_) {
        chunks_.begin(out);
        stream_->send(out, most_at_once);
        chunks_.end(out);
        session_->collect(*stream_); // there is room for more
        if (stream_->has_unsent())
            return progress::more;
        if (!stream_->is_complete())
            return progress::waiting;
    }
    chunks_.finish(out);
    return progress::done;
}

void stream_reader::end()
{
    has_ended_ = true;
    if (stream_->reader() == this)
        stream_->set_reader(nullptr);
    line_.flush();
}

} // namespace partyline::http
