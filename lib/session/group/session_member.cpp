#include "session/group/session_member.hpp"

namespace partyline {

bool session_member::wake()
{
    return to_->post([self = std::static_pointer_cast<session_member>(shared_from_this())](live_session& now) {
        self->deliver(now);
    });
}

// What is passed on here goes out when this has returned: only then it is known how far the client reads.
void session_member::deliver(live_session& now)
{
    bool has_sent = false;
    while (const broadcast_ptr next = front()) {
        if (!now.has_room()) {
            if (has_sent)
                return wake_again();
            drop_all();
            if (facts().options.slow_consumers == slow_consumer::disconnect)
                now.close();
            return;
        }
        pop();
        pass_on(*next, now);
        has_sent = true;
    }
}

void session_member::pass_on(const broadcast_text& what, live_session& now)
{
    now.notify(what.method, what.params())([of = shared_facts()](error_code failed, const call_result<void>&) {
        if (failed)
            ++of->dropped;
    });
}

} // namespace partyline
