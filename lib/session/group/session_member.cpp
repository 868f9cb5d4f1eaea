#include "session/group/session_member.hpp"

namespace partyline {

bool session_member::wake()
{
    return to_->post([self = std::static_pointer_cast<session_member>(shared_from_this())](live_session& now) {
        self->deliver(now);
    });
}

// What was sent here goes out when this has returned: only then it is known how far the peer reads.
void session_member::deliver(live_session& now)
{
    bool has_sent = false;
    while (const broadcast_ptr next = look()) {
        if (!now.has_room()) {
            if (has_sent)
                return wake_again();
            skip();
            if (behind() == when_behind::close)
                now.close();
            return;
        }
        drop();
        send(*next, now);
        has_sent = true;
    }
}

void session_member::send(const broadcast_text& what, live_session& now)
{
    now.notify(what.method, what.params())([counts = counted()](error_code failed, const call_result<void>&) {
        if (failed)
            ++counts->missed;
    });
}

} // namespace partyline
