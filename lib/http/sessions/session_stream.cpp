#include "http/sessions/session_stream.hpp"

#include "http/serve/http_service.hpp"
#include "http/wire/event_bracket.hpp"

#include <algorithm>
#include <utility>

namespace partyline::http {
namespace {

// So much waits for a connection that is slow to take it; the rest stays in the outlet.
constexpr std::size_t most_unsent_bytes = std::size_t(256) << 10;

// The stream itself, with the first piece of its log.
constexpr std::size_t own_bytes = std::size_t(1) << 10;

std::size_t most_events(const mcp_session_limits& most) noexcept
{
    return std::max<std::size_t>(most.stream_events, 2);
}

} // namespace

session_stream::session_stream(std::uint64_t number, http_service& core, owner& session,
                               std::shared_ptr<store_calls> store, event_stream_key key)
    : entry(core.spare()), core_(core), session_(session),
      log_(number, {most_events(core.options().mcp), core.options().mcp.stream_bytes}),
      share_(core.options().session.budget.get())
{
    if (store) [[unlikely]]
        recorder_ = std::make_shared<event_recorder>(std::move(store), std::move(key), log_,
                                                     static_cast<event_recorder::user&>(*this));
}

std::size_t session_stream::bytes() const noexcept
{
    return log_.bytes() + own_bytes;
}

// Nothing is forgotten that a reader still has to send.
bool session_stream::has_room() const noexcept
{
    const std::size_t most = most_events(core_.options().mcp) / 2;
    if (recorder_ && !recorder_->has_room(most, most_unsent_bytes)) [[unlikely]]
        return false;
    if (is_recording() && !share_.is_left()) [[unlikely]]
        return false;
    if (!reader_ || !has_unsent())
        return true;
    return log_.next() - unsent_ < most && unsent_bytes_ < most_unsent_bytes && share_.is_left();
}

bool session_stream::collect(outlet& from)
{
    bool is_something = false;
    while (!from.empty() && has_room()) {
        std::string_view events = from.unsent();
        const std::size_t all = events.size();
        for (; !events.empty() && has_room(); is_something = true)
            append(event_bracket::take_event(events));
        from.sent(all - events.size());
    }
    settle();
    return is_something;
}

void session_stream::append(std::string_view event)
{
    log_.append(event);
    if (reader_)
        unsent_bytes_ += log_.bytes_of(log_.next() - 1);
    if (recorder_) [[unlikely]]
        recorder_->on_appended();
    share_.set(needed_bytes());
    log_.trim(needed());
    unsent_ = std::max(unsent_, log_.first());
}

// What is still to be sent, or to be stored where the store keeps up.
std::uint64_t session_stream::needed() const noexcept
{
    const std::uint64_t first = reader_ ? unsent_ : log_.next();
    return recorder_ ? std::min(first, recorder_->needed()) : first;
}

std::size_t session_stream::needed_bytes() const noexcept
{
    return recorder_ ? std::max(unsent_bytes_, recorder_->needed_bytes()) : unsent_bytes_;
}

void session_stream::complete() noexcept
{
    is_complete_ = true;
    if (recorder_) [[unlikely]]
        recorder_->complete();
    settle();
}

void session_stream::set_reader(stream_reader* one) noexcept
{
    reader_ = one;
    count_unsent();
    settle();
}

void session_stream::send(byte_buffer& out, std::size_t most)
{
    for (std::size_t count = 0; has_unsent() && count < most; ++unsent_) {
        const std::string_view next = log_.at(unsent_);
        out.append(next);
        count += next.size();
        unsent_bytes_ -= log_.bytes_of(unsent_);
    }
    settle();
}

bool session_stream::rewind(std::uint64_t event) noexcept
{
    if (event < log_.first() || event > log_.next())
        return false;
    unsent_ = event;
    count_unsent();
    return true;
}

void session_stream::count_unsent() noexcept
{
    unsent_bytes_ = 0;
    for (std::uint64_t event = unsent_; reader_ && event != log_.next(); ++event)
        unsent_bytes_ += log_.bytes_of(event);
}

// Says what is spare now, and what is not. What is complete goes first, but not before the event store has it.
void session_stream::settle() noexcept
{
    const bool was_kept = std::exchange(is_kept_, is_complete_ && !reader_);
    share_.set(needed_bytes());
    if (is_kept_ != was_kept)
        session_.on_kept(*this, is_kept_);
    keep((is_kept_ ? bytes() : log_.bytes()) - needed_bytes(), is_kept_ && !is_recording(), core_.now());
}

// What is handed over is counted there.
void session_stream::hand_over() noexcept
{
    if (!recorder_)
        return;
    share_.set(0);
    recorder_->hand_over();
    recorder_.reset();
}

void session_stream::forget() noexcept
{
    if (is_kept_)
        return session_.forget(*this);
    log_.forget_before(needed());
    unsent_ = std::max(unsent_, log_.first());
}

} // namespace partyline::http
