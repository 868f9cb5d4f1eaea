#include "session/group/notified_member.hpp"

#include <memory>

namespace partyline {

// Where there is no room, the session keeps one notification until there is; the others stay in the queue meanwhile.
void notified_member::deliver(live_session& now)
{
    while (const broadcast_ptr next = front()) {
        const bool has_room = now.has_room();
        pop();
        on_taken();
        pass_on(*next, now, !has_room);
        if (!has_room)
            return;
    }
    on_empty(now);
}

void notified_member::pass_on(const broadcast_text& what, live_session& now, bool goes_on_then)
{
    const auto self = std::static_pointer_cast<notified_member>(shared_from_this());
    now.notify(what.method, what.params())([self, goes_on_then](error_code failed, const call_result<void>&) {
        if (failed)
            self->on_unsent(failed);
        if (goes_on_then)
            self->wake_again();
    });
}

} // namespace partyline
