#include "http/sessions/mcp_session.hpp"

#include "http/serve/server_core.hpp"
#include "http/sessions/session_get.hpp"
#include "http/sessions/session_post.hpp"
#include "protocol/json/read_string.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/protocol/message.hpp>

#include <boost/asio/error.hpp>

#include <algorithm>
#include <exception>
#include <utility>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

event_log::bounds log_bounds(const server_options& options)
{
    return {std::max<std::size_t>(options.mcp.stream_events, 2), options.mcp.stream_bytes};
}

// From this revision on an event may have no message (SEP-1699).
constexpr std::string_view first_with_priming = "2025-11-25";

} // namespace

mcp_session::mcp_session(std::shared_ptr<server_core> of, std::string id, std::shared_ptr<const dispatcher> methods,
                         session_options options)
    : core_(std::move(of)), id_(std::move(id)),
      conversation_(std::make_shared<conversation>(core_->executor(), std::move(methods), std::move(options),
                                                   std::make_unique<event_framing>())),
      own_(std::make_shared<session_stream>(0, log_bounds(core_->options()), core_->options().session.budget.get())),
      last_use_(core_->now())
{
    conversation_->attach(*this);
    core_->note_session_begun();
}

mcp_session::~mcp_session()
{
    conversation_->detach();
}

void mcp_session::note_use() noexcept
{
    last_use_ = core_->now();
}

endpoint::answer mcp_session::post(request&& asked, reply_line& line, bool begins)
{
    note_use();
    const auto one = std::make_shared<session_post>(shared_from_this(), begins);
    posts_.emplace(one.get(), one);
    try {
        std::optional<response> refused = one->begin(std::move(asked), line);
        if (!refused)
            return std::shared_ptr<exchange>(one);
        close_post(*one);
        return std::move(*refused);
    } catch (...) {
        close_post(*one);
        throw;
    }
}

endpoint::answer mcp_session::get(const request& asked, reply_line& line)
{
    note_use();
    const std::string_view last = asked.head.find("last-event-id");
    std::shared_ptr<session_stream> stream = own_;
    if (!last.empty()) {
        const std::optional<event_id> id = parse_event_id(last);
        stream = id ? find(id->stream) : nullptr;
        if (!stream || !stream->rewind(id->event + 1))
            return refuse(400, -32000,
                          "Last-Event-ID names no event that is kept: what followed it is lost, so begin anew");
    }
    return std::shared_ptr<exchange>(
        std::make_shared<session_get>(shared_from_this(), std::move(stream), line, asked.style));
}

std::shared_ptr<session_stream> mcp_session::find(std::uint64_t number) const noexcept
{
    if (number == 0)
        return own_;
    const auto found = streams_.find(number);
    return found == streams_.end() ? nullptr : found->second;
}

std::shared_ptr<session_stream> mcp_session::open_stream(session_post&)
{
    forget_streams(core_->now());
    auto one = std::make_shared<session_stream>(++last_stream_, log_bounds(core_->options()),
                                                core_->options().session.budget.get());
    streams_.emplace(one->log().stream(), one);
    return one;
}

void mcp_session::close_post(session_post& done) noexcept
{
    note_use();
    const auto found = posts_.find(&done);
    if (found == posts_.end())
        return;
    const std::shared_ptr<session_post> hold = std::move(found->second);
    posts_.erase(found);
    hold->close();
}

// Completed ones are kept for a while, and not too many of them: the oldest go first.
void mcp_session::forget_streams(clock::time_point now) noexcept
{
    const mcp_session_limits& most = core_->options().mcp;
    for (auto next = streams_.begin(); next != streams_.end();) {
        const session_stream& one = *next->second;
        const bool is_kept_in_vain = one.is_complete() && !one.reader();
        const bool is_old = is_kept_in_vain && now - *one.completed_at() >= most.completed_stream;
        next =
            is_old || (is_kept_in_vain && streams_.size() > most.kept_streams) ? streams_.erase(next) : std::next(next);
    }
}

void mcp_session::on_tick(clock::time_point now)
{
    forget_streams(now);
}

bool mcp_session::has_readers() const noexcept
{
    return own_->reader() || std::any_of(streams_.begin(), streams_.end(),
                                         [](const auto& each) { return each.second->reader() != nullptr; });
}

void mcp_session::collect(session_stream& of)
{
    if (has_ended_)
        return;
    if (&of == own_.get()) {
        if (own_->collect(conversation_->out()))
            conversation_->drive();
        return;
    }
    for (const auto& [key, one] : posts_) {
        if (one->stream().get() != &of)
            continue;
        const std::shared_ptr<session_post> hold = one;
        hold->collect();
        conversation_->drive();
        return;
    }
}

void mcp_session::flush()
{
    if (!own_->collect(conversation_->out()))
        return;
    if (stream_reader* const reader = own_->reader())
        reader->flush();
}

std::string mcp_session::priming_event(const session_stream& of) const
{
    if (revision_ < first_with_priming)
        return {};
    return "id: " + to_string(event_id{of.log().stream(), of.unsent() - 1}) +
           "\nretry: " + std::to_string(core_->options().mcp.retry.count()) + "\ndata: \n\n";
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

void mcp_session::end() noexcept
{
    if (std::exchange(has_ended_, true))
        return;
    core_->note_session_ended();
    self_ = shared_from_this();
    own_->complete(core_->now());
    if (stream_reader* const reader = own_->reader())
        reader->end();
    while (!posts_.empty()) {
        const std::shared_ptr<session_post> one = posts_.begin()->second;
        posts_.erase(posts_.begin());
        one->drop();
    }
    for (const auto& [number, stream] : std::exchange(streams_, {})) {
        if (stream_reader* const reader = stream->reader())
            reader->end();
    }
    conversation_->stop(asio::error::operation_aborted, {errc::session_closed});
}

void mcp_session::on_end(error_code) noexcept
{
    end();                        // where nobody has asked for it
    if (core_->drop_later(self_)) // not from within its own conversation
        self_.reset();
}

} // namespace partyline::http
