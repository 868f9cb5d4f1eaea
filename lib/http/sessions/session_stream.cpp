#include "http/sessions/session_stream.hpp"

#include "http/wire/event_bracket.hpp"

namespace partyline::http {
namespace {

// So much waits for a connection that is slow to take it; the rest stays in the outlet.
constexpr std::size_t most_unsent_bytes = std::size_t(256) << 10;

} // namespace

// Nothing is forgotten that a reader still has to send.
bool session_stream::has_room() const noexcept
{
    return !reader_ || !has_unsent() || (log_.next() - unsent_ < most_unsent_ && unsent_bytes_ < most_unsent_bytes);
}

bool session_stream::collect(outlet& from)
{
    bool is_something = false;
    while (!from.empty() && has_room()) {
        std::string_view events = from.unsent();
        const std::size_t all = events.size();
        for (; !events.empty() && has_room(); is_something = true) {
            log_.append(event_bracket::take_event(events));
            unsent_bytes_ += log_.at(log_.next() - 1).size();
        }
        from.sent(all - events.size());
    }
    if (unsent_ < log_.first())
        rewind(log_.first());
    return is_something;
}

void session_stream::send(byte_buffer& out, std::size_t most)
{
    for (std::size_t count = 0; has_unsent() && count < most; ++unsent_) {
        const std::string_view next = log_.at(unsent_);
        out.append(next);
        count += next.size();
        unsent_bytes_ -= next.size();
    }
}

bool session_stream::rewind(std::uint64_t event) noexcept
{
    if (event < log_.first() || event > log_.next())
        return false;
    unsent_ = event;
    unsent_bytes_ = 0;
    for (; event != log_.next(); ++event)
        unsent_bytes_ += log_.at(event).size();
    return true;
}

} // namespace partyline::http
