#include "session/group/session_member.hpp"

namespace partyline {

bool session_member::wake()
{
    return to_->post([self = shared_from_base()](live_session& now) { self->deliver(now); });
}

void session_member::give_up()
{
    to_->post([](live_session& now) { now.close(); });
}

// Where there is no room, the session keeps one notification until there is; the others stay in the queue meanwhile.
void session_member::deliver(live_session& now)
{
    while (const broadcast_ptr next = front()) {
        const bool has_room = now.has_room();
        pop();
        pass_on(*next, now, !has_room);
        if (!has_room)
            return;
    }
}

void session_member::pass_on(const broadcast_text& what, live_session& now, bool goes_on_then)
{
    now.notify(what.method,
               what.params())([self = shared_from_base(), goes_on_then](error_code failed, const call_result<void>&) {
        if (failed)
            self->note_dropped();
        if (goes_on_then)
            self->wake_again();
    });
}

} // namespace partyline
