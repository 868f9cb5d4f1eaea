#include "session/group/group_member.hpp"

#include "protocol/message/throw_unwritable.hpp"

#include <partyline/async/async_event.hpp>
#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/protocol/limits.hpp>
#include <partyline/protocol/writer.hpp>
#include <partyline/session/request_context.hpp>
#include <partyline/session/session_link.hpp>

#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

#include <optional>
#include <stdexcept>
#include <utility>

namespace partyline {
namespace {

json_text text_of(const call_params& params)
{
    byte_buffer text;
    const std::size_t depth = limits().depth - 1; // the message is an object around it
    throw_unwritable(params.write_to(text, depth));
    return text.view().empty() ? json_text() : json_text(json_view::checked(text.view()));
}

} // namespace

broadcast_ptr make_broadcast(std::string method, const call_params& params)
{
    broadcast_text what{std::move(method), text_of(params)};
    return std::make_shared<const broadcast_text>(std::move(what));
}

group_member::group_member(std::shared_ptr<group_facts> of) : facts_(std::move(of)) {}

bool group_member::send(const broadcast_ptr& what)
{
    const std::lock_guard alone(mutex_);
    if (!queue_.empty() && queued_bytes_ + what->bytes() > facts_->options.queue_bytes) {
        note_dropped();
        if (!was_full_ && facts_->options.slow_consumers == slow_consumer::disconnect)
            give_up();
        was_full_ = true;
        return false;
    }
    queue_.push_back(what);
    try {
        if (!is_woken_)
            is_woken_ = wake();
    } catch (...) {
        queue_.pop_back();
        throw;
    }
    queued_bytes_ += what->bytes();
    return true;
}

void group_member::clear() noexcept
{
    const std::lock_guard alone(mutex_);
    queue_.clear();
    queued_bytes_ = 0;
}

// What cannot be sent to this client, such as what is longer than its session's limits, is none of the others' affair.
task<bool> group_member::notify_within(request_context& context, broadcast_ptr what)
{
    try {
        sending sent = context.notify(what->method, what->params());
        co_await std::move(sent);
        co_return true;
    } catch (const boost::system::system_error& failed) {
        if (failed.code() == boost::asio::error::operation_aborted)
            throw;
    } catch (const std::invalid_argument&) {
    } catch (const rpc_error&) {
    }
    co_return false;
}

task<void> group_member::deliver_within(request_context& context, async_event& is_queued)
{
    for (;;) {
        is_queued.reset();
        while (const broadcast_ptr next = front()) {
            pop();
            on_taken();
            task<bool> passed_on = notify_within(context, next);
            if (!co_await std::move(passed_on))
                note_dropped();
            if (is_given_up())
                throw rpc_error(error_codes::server_busy, "The client reads too slowly");
        }
        if (try_finish())
            co_return;
        co_await is_queued.async_wait();
    }
}

bool group_member::is_empty() noexcept
{
    const std::lock_guard alone(mutex_);
    return queue_.empty();
}

broadcast_ptr group_member::front() noexcept
{
    const std::lock_guard alone(mutex_);
    is_woken_ = !queue_.empty();
    return is_woken_ ? queue_.front() : nullptr;
}

void group_member::pop() noexcept
{
    const std::lock_guard alone(mutex_);
    if (queue_.empty())
        return; // cleared meanwhile
    queued_bytes_ -= queue_.front()->bytes();
    queue_.pop_front();
}

bool group_member::wake_again() noexcept
{
    const std::lock_guard alone(mutex_);
    try {
        is_woken_ = wake();
    } catch (...) {
        is_woken_ = false;
    }
    return is_woken_;
}

// Where there is no room, the session keeps one notification until there is; the others stay in the queue meanwhile.
void group_member::deliver(live_session& now)
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

void group_member::pass_on(const broadcast_text& what, live_session& now, bool goes_on_then)
{
    now.notify(what.method,
               what.params())([self = shared_from_this(), goes_on_then](error_code failed, const call_result<void>&) {
        if (failed)
            self->on_unsent(failed);
        if (goes_on_then)
            self->wake_again();
    });
}

} // namespace partyline
