#pragma once

#include "session/group/group_member.hpp"

#include <partyline/protocol/errc.hpp>
#include <partyline/session/session_link.hpp>

namespace partyline {

/// A member whose peer is told by notifications of a session, on that one's executor.
class notified_member : public group_member {
protected:
    using group_member::group_member;

    /// Passes on what is queued, as far as there is room; the rest follows by `wake()`.
    void deliver(live_session& now);
    /// Passes on one notification. `goes_on_then`: the rest follows it.
    void pass_on(const broadcast_text& what, live_session& now, bool goes_on_then);

    /// One has been taken out of the queue.
    virtual void on_taken() noexcept {}
    /// Nothing is queued any more.
    virtual void on_empty(live_session&) {}
    /// One that was taken out will not be sent.
    virtual void on_unsent(error_code why) noexcept = 0;
};

} // namespace partyline
