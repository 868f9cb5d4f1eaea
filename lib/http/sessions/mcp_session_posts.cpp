// What a session makes of the POSTs that are under way.

#include "http/serve/http_service.hpp"
#include "http/sessions/mcp_session.hpp"
#include "http/sessions/stream_reader.hpp"
#include "protocol/json/read_string.hpp"

#include <partyline/protocol/message.hpp>

#include <utility>

namespace partyline::http {

// Moves what was said to the stream.
void mcp_session::open_post::collect() const
{
    outlet* const from = exchange->out();
    if (!from)
        return;
    stream->collect(*from);
    if (from->is_idle() && from->empty())
        stream->complete();
}

void mcp_session::open_post::close() const noexcept
{
    exchange->close();
    if (!stream)
        return;
    stream->set_post(nullptr);
    stream->complete();
}

void mcp_session::close_post(post_map::iterator done) noexcept
{
    if (done == posts_.end())
        return;
    const open_post hold = std::move(done->second);
    posts_.erase(done);
    note_use();
    hold.close();
}

response session_not_found()
{
    return refuse(404, -32001, "Session not found");
}

response mcp_session::answer_ended() const
{
    return session_not_found();
}

void mcp_session::on_first_reply(post_exchange& to)
{
    if (!to.out()->empty())
        note_greeting(to.answer().reply_in(*to.out()));
    if (!to.answer().has_failed())
        to.answer().style().fields += id_field();
}

void mcp_session::note_greeting(std::string_view reply)
{
    const std::string text(reply);
    message_reader reader(core_->options().session.bounds);
    const message& m = reader.read(text);
    if (m.type != message_type::reply || m.is_error || !m.outcome.text().starts_with('{'))
        return;
    std::string memory;
    std::string_view revision;
    const json_view told = reader.find_member(m.outcome, "protocolVersion");
    if (!told.empty() && read_string(told, revision, memory))
        revision_ = revision;
}

std::unique_ptr<exchange> mcp_session::open_stream(post_exchange& by, reply_sink& line)
{
    response_style& style = by.answer().style();
    if (by.is_first())
        style.fields += id_field();
    const std::uint64_t number = ++last_stream_;
    const auto one = std::make_shared<session_stream>(number, *core_, as_owner(), store_, key_of(number));
    auto answer = std::make_unique<stream_reader>(shared_from_this(), one, line, style);
    streams_.emplace(one->log().stream(), one);
    open_post& post = posts_.at(&by);
    post.stream = one;
    one->set_post(&by);
    post.collect();
    return answer;
}

void mcp_session::on_said(post_exchange& by)
{
    const auto found = posts_.find(&by);
    if (found == posts_.end())
        return;
    const open_post hold = found->second;
    if (hold.stream) {
        hold.collect();
        if (stream_reader* const reader = hold.stream->reader())
            reader->flush();
    } else if (outlet& lost = *by.out(); !lost.empty()) {
        lost.sent(lost.unsent().size()); // the client did not wait for it, and knows of no stream
    }
    const outlet* const out = by.out();
    if (out && !by.is_awaited() && out->is_idle() && out->empty())
        close_post(posts_.find(&by));
}

void mcp_session::on_answered(post_exchange& by)
{
    if (by.is_first() && by.answer().has_failed())
        end();
    const auto found = posts_.find(&by);
    if (found == posts_.end())
        return;
    const session_stream* const stream = found->second.stream.get();
    if (!stream || stream->is_complete())
        close_post(found);
}

} // namespace partyline::http
