#include "session/group/session_member.hpp"

namespace partyline {

bool session_member::wake()
{
    const auto self = std::static_pointer_cast<session_member>(shared_from_this());
    return to_->post([self](live_session& now) { self->deliver(now); });
}

void session_member::give_up()
{
    to_->post([](live_session& now) { now.close(); });
}

} // namespace partyline
