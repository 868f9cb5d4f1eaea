#include "http/sessions/event_recorder.hpp"

#include "http/wire/event_bracket.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace partyline::http {
namespace {

// About so much is appended by one call.
constexpr std::size_t most_batch_bytes = std::size_t(64) << 10;

// An event of a log has a line with its id in front.
std::string_view message_of(std::string_view event) noexcept
{
    return event_bracket::only_message(event.substr(event.find('\n') + 1));
}

} // namespace

void event_recorder::on_appended() noexcept
{
    waiting_bytes_ += log_.bytes_of(log_.next() - 1);
    advance();
}

void event_recorder::complete() noexcept
{
    is_complete_ = true;
    advance();
}

void event_recorder::try_again() noexcept
{
    advance();
    if (is_waited_for())
        user_.on_recorded(); // what the log has is not spare any more
}

void event_recorder::hand_over() noexcept
{
    if (is_done())
        return;
    std::uint64_t from = is_under_way_ ? behind_ : next_;
    if (from < log_.first()) {
        from = log_.first();
        calls_->note_lost(key_);
    }
    std::size_t bytes = 0;
    for (std::uint64_t event = from; event != log_.next(); ++event)
        bytes += log_.bytes_of(event);
    if (!calls_->has_room_for_last(key_, bytes))
        return calls_->note_lost(key_);
    try {
        batch rest = make_batch(from, log_.bytes() + 1);
        if (is_under_way_ && is_end_under_way_)
            rest.what.end = 0;
        calls_->append_last(key_, std::move(rest.what), bytes);
    } catch (...) {
        calls_->note_lost(key_);
    }
}

// One that waits to try again is asked to.
void event_recorder::advance() noexcept
{
    if (is_under_way_ || is_linked())
        return;
    skip_lost();
    if (is_done())
        return;
    if (!calls_->has_room())
        return calls_->wait_for_room(*this);
    try {
        begin();
    } catch (...) {
        calls_->wait_for_tick(*this);
    }
}

void event_recorder::skip_lost() noexcept
{
    if (next_ >= log_.first())
        return;
    next_ = log_.first();
    waiting_bytes_ = log_.bytes();
    calls_->note_lost(key_);
}

event_recorder::batch event_recorder::make_batch(std::uint64_t from, std::size_t most_bytes) const
{
    batch made{{}, from, 0};
    for (; made.behind != log_.next() && made.bytes < most_bytes; ++made.behind) {
        made.what.events.push_back({made.behind, std::string(message_of(log_.at(made.behind)))});
        made.bytes += log_.bytes_of(made.behind);
    }
    if (is_complete_ && made.behind == log_.next())
        made.what.end = made.behind;
    return made;
}

void event_recorder::begin()
{
    batch made = make_batch(next_, most_batch_bytes);
    const bool has_end = made.what.end != 0;
    store_calls::append_receiver told = [known = weak_from_this(), bytes = made.bytes](store_calls::append_state is) {
        if (const auto self = known.lock())
            self->on_state(is, bytes);
    };
    calls_->append(key_, std::move(made.what), made.bytes, std::move(told));
    is_under_way_ = true;
    is_end_under_way_ = has_end;
    behind_ = made.behind;
}

// A stream has one call at a time: behind one that is late nothing begins until it has ended.
void event_recorder::on_state(store_calls::append_state is, std::size_t bytes) noexcept
{
    using state = store_calls::append_state;
    is_under_way_ = is == state::late;
    has_failed_ = is != state::stored;
    if (is == state::stored) {
        next_ = behind_;
        waiting_bytes_ -= bytes;
        has_stored_end_ = has_stored_end_ || is_end_under_way_;
        advance();
    } else if (is == state::failed) {
        calls_->wait_for_tick(*this);
    }
    user_.on_recorded();
}

} // namespace partyline::http
