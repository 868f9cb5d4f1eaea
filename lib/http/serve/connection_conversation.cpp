#include "http/serve/connection_conversation.hpp"

#include "http/serve/server_core.hpp"

#include <partyline/protocol/error.hpp>

#include <boost/asio/error.hpp>

#include <exception>
#include <utility>

namespace asio = boost::asio;

namespace partyline::http {

connection_conversation::connection_conversation(std::shared_ptr<server_core> of,
                                                 std::shared_ptr<const dispatcher> methods, session_options options)
    : core_(std::move(of)),
      conversation_(std::make_shared<conversation>(core_->executor(), std::move(methods), std::move(options),
                                                   std::make_unique<event_framing>()))
{
    conversation_->attach(*this);
    out_ = &conversation_->open_outlet(bracket_, static_cast<outlet::user&>(*this));
}

connection_conversation::~connection_conversation()
{
    conversation_->detach();
}

std::optional<response> connection_conversation::begin(request&& asked, status_rule by, reply_line& line)
{
    line_ = &line;
    answer_.begin(asked.accepts, std::move(asked.style), by, bracket_);
    chunks_ = chunk_writer(answer_.style());
    is_stream_ = false;
    const error_code failed = conversation_->push(*out_, std::move(asked.body));
    if (!failed)
        return std::nullopt;
    line_ = nullptr;
    if (failed == errc::message_too_large)
        return refuse(413, error_codes::invalid_request, "the message is longer than this server takes");
    return busy();
}

exchange::progress connection_conversation::produce(byte_buffer& out)
{
    using next = post_answer::next;
    if (is_stream_)
        return produce_events(out);
    if (out_->empty() && (has_ended_ || (conversation_->was_cancelled() && out_->is_idle())))
        return answer_ended(out);
    switch (answer_.decide(*out_)) {
    case next::wait: return progress::waiting;
    case next::skip:
        out_->sent(out_->unsent().size());
        conversation_->drive(); // there is room for more
        return answer_.decide(*out_) == next::wait ? progress::waiting : progress::more;
    case next::events: begin_events(out); return produce_events(out);
    case next::whole: break;
    }
    const progress how = answer_.append_whole(out, *out_, *line_, core_->date());
    if (how == progress::done)
        line_ = nullptr;
    return how;
}

void connection_conversation::begin_events(byte_buffer& out)
{
    line_->begin_answer(200, answer_.style());
    append_event_stream_head(out, answer_.style(), {}, core_->date());
    is_stream_ = true;
}

exchange::progress connection_conversation::produce_events(byte_buffer& out)
{
    const std::string_view next = out_->unsent().substr(0, most_at_once);
    chunks_.begin(out);
    out.append(next);
    chunks_.end(out);
    out_->sent(next.size());
    if (!next.empty())
        conversation_->drive(); // there is room for more
    if (!out_->empty())
        return progress::more;
    if (!out_->is_idle() && !has_ended_)
        return progress::waiting;
    chunks_.finish(out);
    line_ = nullptr;
    return progress::done;
}

// The conversation is over, without a word about what was asked.
exchange::progress connection_conversation::answer_ended(byte_buffer& out)
{
    const response known = busy();
    line_->begin_answer(known.status, answer_.style());
    append_head(out, {known.status, known.type, known.body.size(), known.fields, core_->date()}, answer_.style());
    out.append(known.body);
    line_ = nullptr;
    return progress::done;
}

void connection_conversation::write_comment(byte_buffer& out)
{
    chunks_.begin(out);
    out.append(": \n\n");
    chunks_.end(out);
}

// Requests that may go on for ever end; the others are waited for.
void connection_conversation::drain()
{
    conversation_->end_of_input({errc::session_closed, {}, false});
    conversation_->drive();
}

void connection_conversation::flush()
{
    outbox& stream = conversation_->out(); // what belongs to no request is for nobody
    if (!stream.empty())
        stream.sent(stream.unsent().size());
    if (line_)
        line_->flush();
}

void connection_conversation::on_client_gone() noexcept
{
    line_ = nullptr;
    if (!out_ || has_ended_)
        return;
    try {
        conversation_->abandon(*out_, true);
    } catch (...) {
        conversation_->fail(std::current_exception());
    }
}

void connection_conversation::let_go() noexcept
{
    line_ = nullptr;
    if (has_ended_ || !out_)
        return;
    self_ = shared_from_this();
    conversation_->release(*std::exchange(out_, nullptr));
    conversation_->stop(asio::error::operation_aborted, {errc::session_closed});
}

void connection_conversation::on_end(error_code) noexcept
{
    has_ended_ = true;
    self_ = shared_from_this(); // its connection may let go of it now
    if (line_)
        line_->flush();
    if (core_->drop_later(self_)) // not from within its own conversation
        self_.reset();
}

} // namespace partyline::http
