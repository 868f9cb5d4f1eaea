#include "session/end_rules.hpp"

#include <utility>

namespace partyline {
namespace {

const detail::end_reason closed_by_us{errc::session_closed};

} // namespace

// What came first is why.
void end_rules::set_first_result(error_code why) noexcept
{
    if (!result_)
        result_ = why;
}

void end_rules::on_input_over(detail::end_reason why)
{
    if (input_ != input::open)
        return;
    input_ = input::over;
    if (!was_cancelled_)
        unanswered_ = std::move(why);
}

end_rules::step end_rules::on_input_taken(bool were_calls_open, bool has_work)
{
    if (std::exchange(input_, input::taken) == input::taken || ignores_input())
        return step::none;
    if (were_calls_open || (unanswered_.is_failure && current() != phase::closing))
        set_first_result(unanswered_.code);
    if (unanswered_.is_gone && has_work) {
        set_first_result(unanswered_.code);
        return start_cancelling();
    }
    if (current() != phase::open)
        return step::none;
    enter(phase::draining);
    return step::drain;
}

end_rules::step end_rules::on_close(error_code result) noexcept
{
    was_closed_ = true;
    if (!ignores_input())
        set_first_result(result);
    if (current() > phase::draining)
        return step::none;
    const bool has_time = current() == phase::draining && !std::exchange(is_peer_behind_, false);
    enter(phase::closing);
    return has_time ? step::none : step::drain;
}

end_rules::step end_rules::on_stop(error_code result, const detail::end_reason& unanswered)
{
    if (ignores_input())
        return step::none;
    unanswered_ = unanswered;
    set_first_result(result);
    return start_cancelling();
}

// The time bounds handlers: those that wait for a peer that does not read get it afresh when it has caught up, unless
// it is we who want the end.
end_rules::step end_rules::on_drain_timeout(bool is_peer_behind)
{
    is_peer_behind_ = is_peer_behind && !was_closed_ && !ignores_input();
    if (is_peer_behind_ || ignores_input())
        return step::none;
    if (result_ != errc::access_ended)
        result_ = errc::drain_timeout;
    unanswered_ = closed_by_us;
    return start_cancelling();
}

bool end_rules::on_peer_caught_up() noexcept
{
    return std::exchange(is_peer_behind_, false) && !ignores_input();
}

end_rules::step end_rules::on_grace_over() noexcept
{
    if (has_ended())
        return step::none;
    has_abandoned_ = true;
    return step::end;
}

void end_rules::note_failure() noexcept
{
    set_first_result(errc::session_failed);
    has_failed_ = true;
}

end_rules::step end_rules::on_failure()
{
    note_failure();
    return on_stop(errc::session_failed, {errc::session_failed, {}, true});
}

void end_rules::on_broken(bool has_handlers) noexcept
{
    unanswered_.code = errc::session_failed;
    was_cancelled_ = true;
    has_abandoned_ = has_abandoned_ || has_handlers;
    enter(phase::broken);
}

end_rules::step end_rules::start_cancelling() noexcept
{
    was_cancelled_ = true;
    enter(phase::cancelling);
    return step::cancel;
}

const detail::end_reason* end_rules::refusal(bool is_call, bool from_handler) const noexcept
{
    if (!was_cancelled_ && (has_ended() || (current() == phase::closing && !from_handler)))
        return &closed_by_us;
    if (was_cancelled_ || (input_ == input::taken && is_call))
        return &unanswered_;
    return nullptr;
}

} // namespace partyline
