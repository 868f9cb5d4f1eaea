#include "fleet/front/front_service.hpp"

#include "fleet/front/front_message.hpp"
#include "fleet/front/refusal.hpp"
#include "fleet/random_name.hpp"

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/error.hpp>

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

namespace asio = boost::asio;

namespace partyline::fleet {
namespace {

constexpr std::chrono::seconds unreachable_time{10}; // then calls do not wait for the bus

front_options checked(front_options options)
{
    if (options.max_calls_per_client == std::size_t(0))
        throw std::invalid_argument("front: no calls at all of a client");
    if (options.max_sessions_per_client == 0)
        throw std::invalid_argument("front: no sessions at all of a client");
    return options;
}

front_limits front_limits_of(const front_options& options)
{
    front_limits made;
    made.max_calls = options.max_calls;
    made.max_calls_per_client = options.max_calls_per_client.value_or(std::max<std::size_t>(options.max_calls / 2, 1));
    made.max_sessions_per_client = options.max_sessions_per_client;
    made.max_bytes = options.max_bytes;
    made.max_message_bytes = options.max_message_bytes;
    return made;
}

limits reader_limits(const front_options& options)
{
    limits made;
    made.message_bytes = options.max_message_bytes;
    return made;
}

// A server counts them with the payload.
std::size_t header_bytes(const publication& one)
{
    constexpr std::string_view around = "NATS/1.0\r\nNats-Msg-Id: \r\n\r\n";
    return one.message_id.empty() ? 0 : around.size() + one.message_id.size();
}

} // namespace

front_service::front_service(asio::any_io_executor executor, std::shared_ptr<bus_core> by, std::string service,
                             front_options options)
    : executor_(std::move(executor)), bus_(std::move(by)), options_(checked(std::move(options))), name_(random_name()),
      core_(name_, checked_service(std::move(service), "front"), front_limits_of(options_)), timer_(executor_),
      reader_(reader_limits(options_)), channels_(channel_table::side::front, name_, *this),
      disconnected_since_(std::chrono::steady_clock::now())
{
}

void front_service::start()
{
    const std::weak_ptr<inbox::receiver> self(std::shared_ptr<inbox::receiver>(shared_from_this(), this));
    inbox_ = std::make_shared<inbox>(executor_, self);
    bus_->attach(inbox_, {reply_prefix(name_) + ".>"});
}

void front_service::start_call(fleet_call what, call_completion::handler done)
{
    auto slot = asio::get_associated_cancellation_slot(done);
    const auto call = std::make_shared<open_call>(std::move(done), executor_);
    call->on_notification = std::move(what.on_notification);
    call->is_notification = what.id.empty();
    if (slot.is_connected()) {
        slot.assign([late = weak_from_this(), weak = std::weak_ptr(call)](asio::cancellation_type) {
            const auto self = late.lock();
            const auto known = weak.lock();
            if (self && known)
                asio::dispatch(self->executor_, [self, known] { self->cancel(known); });
        });
    }
    asio::dispatch(executor_, [self = shared_from_this(), what = std::move(what), call]() mutable {
        self->enter(std::move(what), call);
    });
}

bool front_service::is_unreachable() const
{
    return disconnected_since_ && std::chrono::steady_clock::now() - *disconnected_since_ >= unreachable_time;
}

// It was posted: nobody takes an exception, and whoever waits must hear of it.
void front_service::enter(fleet_call what, const std::shared_ptr<open_call>& call) noexcept
{
    try {
        try_enter(std::move(what), call);
    } catch (const std::bad_alloc&) {
        return fail(*call);
    }
    carry_out_what_it_can();
}

// What the rules know of it ends by itself.
void front_service::fail(open_call& call) noexcept
try {
    call.done.tell(asio::error::no_memory, {});
} catch (const std::bad_alloc&) { // there is none for this either
}

void front_service::try_enter(fleet_call what, const std::shared_ptr<open_call>& call)
{
    if (call->is_cancelled)
        return;
    if (is_closed_)
        return refuse(call, front_outcome::closed);
    if (is_unreachable())
        return refuse(call, front_outcome::unreachable);
    std::optional<new_call> made = make_call(std::move(what), options_);
    if (!made)
        return refuse(call, front_outcome::invalid);
    call->number = core_.enter(*std::move(made), current_moment());
    calls_.emplace(call->number, call);
}

void front_service::refuse(const std::shared_ptr<open_call>& call, front_outcome outcome)
{
    core_.count(outcome);
    tell_totals();
    call_settled how;
    how.outcome = outcome;
    call->done.tell({}, refusal_of(how));
}

void front_service::cancel(const std::shared_ptr<open_call>& call) noexcept
try {
    call->is_cancelled = true;
    if (call->number == 0)
        return call->done.tell(asio::error::operation_aborted, {});
    core_.cancel(call->number);
    carry_out();
} catch (const std::bad_alloc&) {
    fail(*call);
}

void front_service::on_events(std::vector<bus_event> all) noexcept
{
    for (const bus_event& one : all) {
        try {
            std::visit([this](const auto& which) { on_event(which); }, one);
        } catch (const std::bad_alloc&) { // as if it had been lost
        }
    }
    carry_out_what_it_can();
}

void front_service::carry_out_what_it_can() noexcept
try {
    carry_out();
} catch (const std::bad_alloc&) { // the rest is due still
}

void front_service::on_event(const kept_message& message)
{
    const auto at = read_front_subject(message.subject, name_);
    if (!at || !at->is_session)
        return core_.on_message(message.view(), current_moment());
    if (core_.has_effects()) // that this session is open may have come just before
        carry_out();
    channels_.on_message(at->number, message.payload, std::chrono::steady_clock::now());
}

void front_service::on_event(const bus_connected& is)
{
    disconnected_since_.reset();
    max_payload_ = is.max_payload;
    channels_.on_connected(std::chrono::steady_clock::now());
}

void front_service::on_event(const bus_disconnected&)
{
    disconnected_since_ = std::chrono::steady_clock::now();
}

void front_service::on_time()
{
    core_.on_time(current_moment());
    carry_out();
}

void front_service::publish_now(std::vector<publication> all)
{
    if (!disconnected_since_)
        bus_->publish(all);
}

// What can't be sent has effects, too.
void front_service::carry_out()
{
    for (auto effects = core_.take_effects(); !effects.empty(); effects = core_.take_effects()) {
        tell_totals(); // before anybody is told that a call has ended
        for (front_effect& one : effects) {
            try {
                std::visit([this](auto& which) { carry_out(which); }, one);
            } catch (const std::bad_alloc&) { // as if a message had been lost; the other calls go on
            }
        }
        publish();
    }
    channels_.on_time(std::chrono::steady_clock::now());
    tell_totals();
    wait();
}

void front_service::tell_totals()
{
    front_totals now = core_.totals();
    now.dropped += inbox_->dropped() + channels_.dropped();
    totals_.tell(now);
}

void front_service::carry_out(publication& one)
{
    if (max_payload_ == 0 || one.text().size() + header_bytes(one) <= max_payload_)
        return unsent_.push_back(std::move(one));
    // As the stream would answer, if the message could be sent there.
    core_.on_message({one.reply_to, {}, 0, R"({"error":{"code":400,"err_code":10054,"description":"too large"}})"},
                     current_moment());
}

void front_service::publish()
{
    std::vector<publication> all = std::exchange(unsent_, {});
    if (all.empty())
        return;
    const bool is_connected = !disconnected_since_;
    if (is_connected && bus_->publish(all))
        return;
    for (const publication& one : all)
        core_.on_unsent(one);
}

void front_service::carry_out(call_message& one)
{
    const auto found = calls_.find(one.number);
    if (found == calls_.end() || !found->second->on_notification)
        return;
    const auto call = found->second; // which what it tells may end
    const message& m = reader_.read(one.message);
    if (m.type == message_type::notification)
        call->on_notification(std::string(m.method), json_text(m.params));
}

void front_service::carry_out(call_settled& one)
{
    const auto found = calls_.find(one.number);
    if (found == calls_.end())
        return settle_opening(one);
    const auto call = std::move(found->second);
    calls_.erase(found);
    try {
        tell_end(*call, one);
    } catch (const std::bad_alloc&) {
        fail(*call);
    }
}

void front_service::tell_end(open_call& call, const call_settled& one)
{
    if (call.is_cancelled)
        return call.done.tell(asio::error::operation_aborted, {});
    if (one.outcome != front_outcome::answered)
        return call.done.tell({}, refusal_of(one));
    if (call.is_notification)
        return call.done.tell({}, json_text(std::string("null")));
    call.done.tell({}, read_answer(one.message, reader_));
}

void front_service::wait()
{
    std::optional<time_point> due = core_.next_due();
    const std::optional<time_point> other = channels_.next_due();
    if (other && (!due || *other < *due))
        due = other;
    timer_.wait_until(due, weak_from_this(), &front_service::on_time);
}

} // namespace partyline::fleet
