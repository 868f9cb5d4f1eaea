#include "session/calls/held_call.hpp"
#include "session/conversation.hpp"
#include "session/serve/closable_executor.hpp"

#include <boost/asio/error.hpp>

#include <list>
#include <memory>
#include <utility>

namespace partyline {

bool conversation::prepare(const std::shared_ptr<outgoing_message>& message, error_code failed)
{
    if (failed) {
        call_table::refuse(*message, failed);
        return false;
    }
    if (message->size() == 0) { // an empty batch
        message->on_sent();
        return false;
    }
    number(*message);
    message->on_cancel([this, executor = session_executor_, self = weak_from_this(), late = message->weak_from_this()] {
        executor->post([this, self, late] {
            const std::shared_ptr<request_host> hold = self.lock();
            const std::shared_ptr<outgoing_message> still = late.lock();
            if (hold && still)
                guarded([&] { calls_.cancel(*still, boost::asio::error::operation_aborted); });
        });
    });
    return true;
}

void conversation::number(outgoing_message& message) noexcept
{
    message.first_id = last_call_id_.fetch_add(message.calls, std::memory_order_relaxed) + 1;
}

void conversation::cancel_call(outgoing_message& message) noexcept
{
    guarded([&] { calls_.cancel(message, boost::asio::error::operation_aborted); });
}

void conversation::fail_call(std::string_view id, error_code why, const std::string& details)
{
    calls_.on_lost({id}, last_call_id_.load(std::memory_order_relaxed), why, details);
    drive();
}

void conversation::start_call(const std::shared_ptr<outgoing_message>& message, served_request* from) noexcept
{
    message->via = from && from->stage == incoming_request::state::running ? from->via : &out();
    if (message->via->is_dropped())
        return call_table::refuse(*message, errc::peer_gone); // nobody would read it
    if (const detail::end_reason* const why = context_.end.refusal(message->asks(), from || message->is_admitted))
        return call_table::refuse(*message, why->code, why->details);
    if (!from || (!message->asks() && !from->is_silenced))
        return guarded([&] { launch(message); });
    if (from->stage != incoming_request::state::running)
        return call_table::refuse(*message, errc::session_closed); // misuse: the request is no more
    if (from->is_silenced)
        return call_table::refuse(*message, boost::asio::error::operation_aborted);
    guarded([&] { start_call_of(*from, message); });
}

void conversation::launch(const std::shared_ptr<outgoing_message>& message)
{
    calls_.start(message);
    message->on_started(shared_from_this(), context_.executor);
}

void conversation::start_call_of(served_request& from, const std::shared_ptr<outgoing_message>& message)
{
    try {
        if (!lend_slot(from))
            return call_table::refuse(*message, errc::too_many_calls);
        std::list<std::shared_ptr<outgoing_message>>& its = from.more().calls;
        message->among_its = its.insert(its.end(), message);
    } catch (...) {
        call_table::refuse(*message, errc::session_failed);
        throw;
    }
    message->from = &from;
    launch(message);
}

void conversation::finish_call(outgoing_message& held, std::exception_ptr thrown, response reply) noexcept
{
    guarded([&] { calls_.finish(held, thrown ? response_for(std::move(thrown)) : std::move(reply)); });
    drive();
}

void conversation::on_ended(served_request& from, const outgoing_message& ended)
{
    from.more().calls.erase(ended.among_its);
    end_peer_wait(from);
}

// Were all slots held by handlers that wait for the peer, what would end their waiting could not start.
bool conversation::lend_slot(served_request& from)
{
    request_extras& extras = from.more();
    if (!extras.is_slot_lent)
        extras.is_slot_lent = admission_.queue().lend(from.rule);
    if (!extras.is_slot_lent)
        return false;
    ++extras.peer_waits;
    request_turn();
    return true;
}

void conversation::begin_peer_wait(served_request& from)
{
    if (from.stage == incoming_request::state::running && !lend_slot(from))
        ++from.more().peer_waits; // goes on counting as in flight
}

void conversation::end_peer_wait(served_request& from)
{
    request_extras* const extras = from.extras();
    if (from.stage != incoming_request::state::running || !extras || extras->peer_waits == 0 ||
        --extras->peer_waits != 0)
        return;
    if (std::exchange(extras->is_slot_lent, false))
        admission_.queue().take_back(from.rule);
}

} // namespace partyline
