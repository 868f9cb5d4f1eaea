#include "session/outbox.hpp"

namespace partyline {

void outbox::commit()
{
    frames_.end_message(bytes_);
    if (!was_full_ && is_full()) [[unlikely]]
        excess_ = queued() + held_ - full_;
    counts_.messages_out.add();
    note_size();
}

std::string_view outbox::unsent()
{
    if (sent_ == sending_.size()) {
        sending_.clear();
        sent_ = 0;
        sending_.swap(bytes_);
    }
    return sending_.view().substr(sent_);
}

void outbox::sent(std::size_t count)
{
    sent_ += count;
    counts_.bytes_out.add(count);
    note_size();
}

void outbox::hold(std::size_t count)
{
    held_ += count;
    note_size();
}

void outbox::release(std::size_t count)
{
    held_ -= count;
    note_size();
}

} // namespace partyline
