#include "http/sessions/resumed_reader.hpp"

#include "http/serve/http_service.hpp"
#include "http/serve/post_answer.hpp"
#include "http/wire/event_bracket.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <string>
#include <utility>

namespace partyline::http {
namespace {

std::size_t bytes_of(const stored_page& page) noexcept
{
    std::size_t bytes = 0;
    for (const stored_event& one : page.events)
        bytes += sizeof one + one.message.size();
    return bytes;
}

void append_event(byte_buffer& out, const event_id& id, const std::string& message)
{
    out.append("id: " + to_string(id) + '\n');
    out.append(event_bracket::before);
    out.append(message);
    out.append(event_bracket::behind);
}

} // namespace

resumed_reader::resumed_reader(std::shared_ptr<mcp_session> of, std::shared_ptr<store_calls> from, const event_id& last,
                               reply_sink& line, response_style style)
    : resumption(last.stream), session_(std::move(of)), store_(std::move(from)), line_(line), style_(std::move(style)),
      chunks_(style_), share_(session_->core().options().session.budget.get()), next_(last.event + 1)
{
    session_->note_reader_begun();
}

resumed_reader::~resumed_reader()
{
    later_.reset();
    session_->note_reader_gone();
}

void resumed_reader::ask()
{
    call_ = store_->read(session_->key_of(stream()), next_, most_at_once,
                         [late = weak_from_this()](store_calls::result got) {
                             if (const auto self = late.lock())
                                 self->on_page(std::move(got));
                         });
}

void resumed_reader::on_page(store_calls::result got) noexcept
{
    has_failed_ = !got;
    try {
        if (got)
            take(take_page(std::move(*got), next_, most_at_once));
        session_->core().note_time();
    } catch (const std::bad_alloc&) { // the time of the event before has to do
        has_failed_ = !page_;
    }
    line_.flush();
}

void resumed_reader::take(stored_page page) noexcept
{
    share_.set(bytes_of(page));
    page_ = std::move(page);
}

bool resumed_reader::is_over() const noexcept
{
    return has_ended_ || session_->has_ended() || (later_ && later_->has_ended());
}

exchange::progress resumed_reader::produce(byte_buffer& out)
{
    if (!has_begun_) {
        if (!page_ && !has_failed_ && !is_over())
            return progress::waiting;
        if (const std::optional<response> refused = find_refusal())
            return answer(out, *refused);
        attach();
        begin(out);
    }
    if (is_over())
        return finish(out);
    if (next_ < behind_)
        return produce_page(out);
    leave_store();
    return later_->produce(out);
}

// As it is where the store was not asked; what it has may be there another time.
std::optional<response> resumed_reader::find_refusal() const
{
    if (session_->has_ended())
        return session_not_found();
    if (has_ended_)
        return busy();
    if (has_failed_ || (page_->is_gone() && session_->is_recording(stream())))
        return busy();
    if (page_->is_gone())
        return no_such_event();
    return std::nullopt;
}

// From now on the stream keeps what it has, and what comes, for its reader.
void resumed_reader::attach()
{
    behind_ = std::numeric_limits<std::uint64_t>::max();
    std::shared_ptr<session_stream> kept = session_->find(stream());
    if (!kept)
        return;
    behind_ = std::max(next_, kept->log().first());
    kept->rewind(behind_);
    later_ = std::make_unique<stream_reader>(session_, std::move(kept), line_, style_);
    later_->note_begun();
}

exchange::progress resumed_reader::answer(byte_buffer& out, const response& known)
{
    line_.begin_answer(known.status, style_);
    append_head(out, {known.status, known.type, known.body.size(), known.fields, session_->core().date()}, style_);
    out.append(known.body);
    return progress::done;
}

void resumed_reader::begin(byte_buffer& out)
{
    has_begun_ = true;
    line_.begin_answer(200, style_);
    append_event_stream_head(out, style_, {}, session_->core().date());
    const std::string priming = session_->priming_event({stream(), next_ - 1});
    chunks_.begin(out);
    out.append(priming);
    chunks_.end(out);
}

// Of a page that comes to nothing the client is told by the end of the response: it comes back.
exchange::progress resumed_reader::produce_page(byte_buffer& out)
{
    if (!page_)
        return has_failed_ ? finish(out) : progress::waiting;
    chunks_.begin(out);
    for (auto one = page_->events.begin(); one != page_->events.end() && next_ != behind_; ++one, ++next_)
        append_event(out, {stream(), next_}, one->message);
    chunks_.end(out);
    const bool is_last = page_->is_end || page_->is_gone();
    page_.reset();
    share_.set(0);
    if (next_ == behind_)
        return progress::more;
    if (is_last || !store_->has_room_to_read(session_->store_name()))
        return finish(out);
    ask();
    return progress::waiting;
}

exchange::progress resumed_reader::finish(byte_buffer& out) const
{
    chunks_.finish(out);
    return progress::done;
}

void resumed_reader::write_comment(byte_buffer& out)
{
    chunks_.append_comment(out);
}

// Whoever resumes the stream from now on takes it over as from any reader.
void resumed_reader::leave_store() noexcept
{
    if (is_linked())
        unlink();
}

void resumed_reader::end()
{
    has_ended_ = true;
    call_.cancel();
    line_.flush();
}

} // namespace partyline::http
