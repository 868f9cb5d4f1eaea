#include "session/calls/call_table.hpp"

#include "protocol/json/scanner.hpp"
#include "protocol/message/whole_number.hpp"

#include <partyline/protocol/writer.hpp>

#include <charconv>
#include <exception>
#include <utility>

namespace partyline {

std::uint64_t call_table::number_of(std::string_view id) noexcept
{
    std::uint64_t number = 0;
    const auto [end, failed] = std::from_chars(id.data(), id.data() + id.size(), number);
    const bool is_plain = failed == std::errc() && end == id.data() + id.size();
    return is_plain ? number : whole_number(id);
}

response call_table::failed_with(error_code why, const std::string& details) noexcept
{
    try {
        return response::failure{why, details};
    } catch (const std::bad_alloc&) {
        return response::failure{why, {}};
    }
}

void call_table::start(const std::shared_ptr<outgoing_message>& wanted)
{
    const bool must_wait = !wanted->is_held() && !wanted->via->takes_calls();
    try {
        if (const error_code short_of = shortage(*wanted, must_wait)) {
            leave_handler(*wanted);
            return refuse(*wanted, short_of);
        }
        enter(wanted, must_wait);
    } catch (...) {
        leave_handler(*wanted);
        refuse(*wanted, errc::session_failed);
        throw;
    }
    start_timer(*wanted);
    if (!must_wait && !wanted->is_held())
        send(*wanted);
    owner_.request_turn();
}

// All of it or nothing.
void call_table::enter(const std::shared_ptr<outgoing_message>& wanted, bool must_wait)
{
    open_.reserve(open_.size() + wanted->calls);
    if (must_wait) {
        wanted->waiting = waiting_.insert(waiting_.end(), wanted);
        wanted->via->waiting().push_back(*wanted);
        waiting_bytes_ += wanted->bytes();
    }
    if (wanted->calls != 0)
        wanted->via->add_use();
    wanted->open = wanted->calls;
    for (std::size_t i = 0; i != wanted->calls; ++i)
        open_.emplace(wanted->first_id + i, wanted);
    count(*wanted);
}

// What a held call sends is not told besides it.
void call_table::count(const outgoing_message& entered) noexcept
{
    if (!entered.is_admitted)
        context_.counters.open_calls.add(entered.calls);
    if (entered.is_held()) {
        ++held_;
        held_bytes_ += entered.bytes();
    }
}

bool call_table::has_wrong_params(const outgoing_message& wanted) const
{
    if (context_.protocol.allows_array_params)
        return false;
    for (std::size_t i = 0; i != wanted.size(); ++i) {
        if (*scanner::skip_space(wanted.element(i).params.c_str()) == '[')
            return true;
    }
    return false;
}

error_code call_table::shortage(const outgoing_message& wanted, bool must_wait) const
{
    const limits& bounds = context_.options.bounds;
    if ((wanted.is_batch() && !context_.allows_batches()) || has_wrong_params(wanted))
        return errc::bad_params;
    if (wanted.bytes() > bounds.message_bytes || wanted.size() > bounds.batch_elements)
        return errc::message_too_large;
    return has_room(wanted, must_wait) ? error_code() : errc::too_many_calls;
}

bool call_table::has_room(const outgoing_message& wanted, bool must_wait) const
{
    const limits& bounds = context_.options.bounds;
    if (wanted.is_held())
        return held_ < bounds.calls && held_bytes_ + wanted.bytes() <= bounds.call_bytes;
    const bool may_wait = waiting_.size() < bounds.calls && waiting_bytes_ + wanted.bytes() <= bounds.call_bytes;
    return open_.size() - held_ + wanted.calls <= bounds.calls && (may_wait || !must_wait);
}

void call_table::refuse(outgoing_message& unwanted, error_code why, const std::string& details) noexcept
{
    if (unwanted.calls == 0)
        return unwanted.on_dropped(why);
    for (std::size_t i = 0; i != unwanted.calls; ++i)
        unwanted.settle(i, why, failed_with(why, details));
}

// The request whose handler has called waits for it no longer.
void call_table::leave_handler(outgoing_message& message) noexcept
{
    if (served_request* const from = std::exchange(message.from, nullptr))
        owner_.on_ended(*from, message);
}

void call_table::stop_waiting(outgoing_message& message) noexcept
{
    if (!message.waiting)
        return;
    waiting_bytes_ -= message.bytes();
    waiting_.erase(*message.waiting);
    message.waiting.reset();
    message.unlink();
}

void call_table::start_timer(outgoing_message& message)
{
    using clock = outgoing_message::clock;
    const clock::time_point due = message.due();
    if (due == clock::time_point::max())
        return;
    if (due <= clock::now() && message.timer)
        return cancel(message, errc::timeout);
    if (!message.timer)
        message.timer.emplace(context_.executor);
    message.timer->expires_at(due);
    message.timer->async_wait([this, late = message.weak_from_this()](error_code failed) {
        const std::shared_ptr<outgoing_message> still = late.lock();
        if (!failed && still && still->timer) // without a timer it has ended, and we may have, too
            on_timer(*still);
    });
}

void call_table::on_timer(outgoing_message& message) noexcept
{
    try {
        start_timer(message);
    } catch (...) {
        owner_.fail(std::current_exception());
    }
}

void call_table::cancel(outgoing_message& given_up, error_code why)
{
    const std::shared_ptr<outgoing_message> hold = given_up.shared_from_this();
    const bool is_known = !given_up.waiting && !given_up.is_held(); // to the peer
    if (given_up.calls == 0 && is_known)
        return; // it is on its way
    for (std::size_t i = 0; is_known && i != given_up.calls; ++i) {
        const auto found = open_.find(given_up.first_id + i);
        if (found != open_.end() && found->second == hold)
            send_cancel(*given_up.via, given_up.first_id + i, why);
    }
    give_up(given_up, why, {});
    owner_.request_turn();
}

void call_table::send_cancel(outlet& via, std::uint64_t id, error_code why)
{
    const std::string number = std::to_string(id);
    byte_buffer params;
    context_.protocol.write_cancel(params, number, why.message());
    outbox::message out(via);
    const std::string_view method = context_.protocol.cancel_method;
    write_notification(out.buffer(), method, json_view::checked(params.view()));
    if (!tap_.outgoing(message_type::notification, number, method, out.text(), false, via.number()))
        out.commit();
}

// Ends what is open of it.
void call_table::give_up(outgoing_message& message, error_code why, const std::string& details) noexcept
{
    const std::shared_ptr<outgoing_message> hold = message.shared_from_this();
    stop_waiting(message);
    if (message.is_unanswered || message.unanswered)
        has_given_up_unanswered_ = true;
    if (message.calls == 0)
        return message.on_dropped(why);
    for (std::size_t i = 0; i != message.calls; ++i)
        end(message, i, why, failed_with(why, details));
}

bool call_table::fail_calls(error_code why, const std::string& details) noexcept
{
    const bool is_something = !open_.empty();
    for (auto next = open_.begin(); next != open_.end();) { // in one pass: each new begin() would look for the first
        const auto here = next++;
        const std::shared_ptr<outgoing_message> hold = here->second;
        stop_waiting(*hold);
        end(here, why, failed_with(why, details));
    }
    return is_something;
}

void call_table::fail_all(error_code why, const std::string& details) noexcept
{
    fail_calls(why, details);
    while (!waiting_.empty())
        give_up(*waiting_.front(), why, details);
}

void call_table::drop_all() noexcept
{
    for (auto& [id, message] : open_)
        message->timer.reset();
    for (const std::shared_ptr<outgoing_message>& message : waiting_) {
        message->waiting.reset();
        message->unlink();
    }
    for (outgoing_message* const batch : unanswered_batches_)
        batch->unanswered.reset();
    unanswered_batches_.clear();
    unanswered_calls_ = 0;
    // What they hold may come back to us when it goes.
    auto open = std::exchange(open_, {});
    held_ = 0;
    held_bytes_ = 0;
    auto waiting = std::exchange(waiting_, {});
}

void call_table::finish(outgoing_message& held, response reply) noexcept
{
    const error_code failed = reply.code();
    end(held, 0, failed, std::move(reply));
}

bool call_table::is_open(std::string_view id) const
{
    return !open_.empty() && find(number_of(id));
}

std::string_view call_table::proof_beside(std::string_view id) const
{
    const outgoing_message* const found = find(number_of(id));
    return found ? std::string_view(found->element(0).proof_beside) : std::string_view();
}

outgoing_message* call_table::find(std::uint64_t id) const
{
    const auto found = open_.find(id);
    return found == open_.end() || found->second->waiting || found->second->is_held() ? nullptr : found->second.get();
}

// One call has come to its end, if it had not.
void call_table::end(outgoing_message& message, std::size_t call, error_code failed, response reply) noexcept
{
    const auto found = open_.find(message.first_id + call);
    if (found == open_.end() || found->second.get() != &message)
        return;
    end(found, failed, std::move(reply));
}

void call_table::end(open_calls::iterator found, error_code failed, response reply) noexcept
{
    const std::shared_ptr<outgoing_message> hold = std::move(found->second);
    outgoing_message& message = *hold;
    const std::size_t call = found->first - message.first_id;
    open_.erase(found);
    if (!message.is_admitted)
        context_.counters.open_calls.sub(1);
    if (message.is_held()) {
        --held_;
        held_bytes_ -= message.bytes();
    }
    if (const auto place = std::exchange(message.unanswered, std::nullopt))
        unanswered_batches_.erase(*place);
    if (std::exchange(message.is_unanswered, false))
        --unanswered_calls_;
    if (--message.open == 0) {
        message.timer.reset();
        message.via->drop_use();
        leave_handler(message);
    }
    message.settle(call, failed, std::move(reply));
}

} // namespace partyline
