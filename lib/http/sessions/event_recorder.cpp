#include "http/sessions/event_recorder.hpp"

#include "http/wire/event_bracket.hpp"

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
        return calls_->wait(*this);
    try {
        begin();
    } catch (...) {
        calls_->wait(*this);
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

event_recorder::batch event_recorder::make_batch() const
{
    batch made{{}, next_, 0};
    for (; made.behind != log_.next() && made.bytes < most_batch_bytes; ++made.behind) {
        made.what.events.push_back({made.behind, std::string(message_of(log_.at(made.behind)))});
        made.bytes += log_.bytes_of(made.behind);
    }
    if (is_complete_ && made.behind == log_.next())
        made.what.end = made.behind;
    return made;
}

void event_recorder::begin()
{
    batch made = make_batch();
    store_calls::receiver told = [late = weak_from_this(), behind = made.behind, bytes = made.bytes,
                                  has_end = made.what.end != 0](const store_calls::result& got) {
        if (const auto self = late.lock())
            self->on_result(got.has_value(), behind, bytes, has_end);
    };
    calls_->append(key_, std::move(made.what), made.bytes, std::move(told));
    is_under_way_ = true;
}

void event_recorder::on_result(bool is_stored, std::uint64_t behind, std::size_t bytes, bool has_end) noexcept
{
    is_under_way_ = false;
    has_failed_ = !is_stored;
    if (is_stored) {
        next_ = behind;
        waiting_bytes_ -= bytes;
        has_stored_end_ = has_stored_end_ || has_end;
        advance();
    } else {
        calls_->wait(*this);
    }
    user_.on_recorded();
}

} // namespace partyline::http
