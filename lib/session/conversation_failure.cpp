// What becomes of a session when something of its own goes wrong: no memory, or a hook, a profile or a log that throws.

#include "session/conversation.hpp"

#include "session/current_exception.hpp"

#include <string>
#include <utility>

namespace partyline {

void conversation::fail(std::exception_ptr thrown) noexcept
{
    if (has_ended_)
        return;
    note_failure(std::move(thrown));
    has_failed_ = true;
    if (is_stopped_)
        return; // the end is on its way, and the grace bounds it
    try {
        stop(errc::session_failed, {errc::session_failed, {}, true});
    } catch (...) {
        break_off(); // to end in order fails, too
    }
}

// It may have been asked about a message that is half written: there is a better time.
void conversation::on_hook_failed(std::exception_ptr thrown) noexcept
{
    hook_failure_ = std::move(thrown);
}

void conversation::note_failure(std::exception_ptr thrown) noexcept
{
    log_exception("the session fails: ", std::move(thrown));
    if (!result_) // what came first is why
        result_ = errc::session_failed;
}

void conversation::log_exception(const char* what, std::exception_ptr thrown) noexcept
{
    try {
        try {
            std::rethrow_exception(std::move(thrown));
        } catch (...) {
            log(what + current_exception_text());
        }
    } catch (...) {
        log(what); // no memory for more
    }
}

// Calls are told and the transport closes; handlers are given up.
void conversation::break_off() noexcept
{
    if (has_ended_)
        return;
    unanswered_.code = errc::session_failed;
    is_stopped_ = true;
    is_stopping_ = true;
    has_abandoned_ = has_abandoned_ || !running_.empty();
    if (active_)
        is_broken_off_ = true;
    else
        end();
}

} // namespace partyline
