#include "supervisor/waiting_messages.hpp"

#include "session/calls/call_table.hpp"

#include <algorithm>

namespace partyline {
namespace {

std::size_t weight(const outgoing_message& message) noexcept
{
    return std::max<std::size_t>(message.calls, 1);
}

} // namespace

// What is left is lost with its executor: nobody can be told.
waiting_messages::~waiting_messages()
{
    for (const std::shared_ptr<outgoing_message>& message : all_)
        message->waiting.reset();
}

void waiting_messages::add(const std::shared_ptr<outgoing_message>& message)
{
    if (!has_room_for(*message))
        return call_table::refuse(*message, errc::too_many_calls);
    try {
        const auto place = all_.insert(all_.end(), message);
        message->waiting = place;
        calls_ -= weight(*message);
        bytes_ -= message->bytes();
        if (message->due() != steady_time::max())
            due_.emplace(message->due(), message.get());
    } catch (...) {
        if (!cancel(*message, errc::session_failed))
            call_table::refuse(*message, errc::session_failed);
        throw;
    }
}

std::shared_ptr<outgoing_message> waiting_messages::take() noexcept
{
    if (all_.empty())
        return nullptr;
    std::shared_ptr<outgoing_message> first = all_.front();
    remove(*first);
    return first;
}

bool waiting_messages::cancel(outgoing_message& message, error_code why) noexcept
{
    if (!message.waiting || message.via) // that goes somewhere already, and waits there
        return false;
    const std::shared_ptr<outgoing_message> hold = message.shared_from_this();
    remove(message);
    call_table::refuse(message, why);
    return true;
}

void waiting_messages::refuse_all(error_code why, const std::string& details) noexcept
{
    while (const std::shared_ptr<outgoing_message> first = take())
        call_table::refuse(*first, why, details);
}

steady_time waiting_messages::next_due() const noexcept
{
    return due_.empty() ? steady_time::max() : due_.begin()->first;
}

void waiting_messages::expire(steady_time now) noexcept
{
    while (!due_.empty() && due_.begin()->first <= now)
        cancel(*due_.begin()->second, errc::timeout);
}

bool waiting_messages::has_room_for(const outgoing_message& message) const noexcept
{
    return weight(message) <= calls_ && message.bytes() <= bytes_;
}

void waiting_messages::remove(outgoing_message& message) noexcept
{
    due_.erase({message.due(), &message});
    calls_ += weight(message);
    bytes_ += message.bytes();
    all_.erase(*message.waiting);
    message.waiting.reset();
}

} // namespace partyline
