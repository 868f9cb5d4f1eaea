#include "session/conversation.hpp"

#include "protocol/message/id_reader.hpp"
#include "session/due_time.hpp"
#include "session/requests/error_replies.hpp"
#include "session/serve/offloaded_request.hpp"

#include <boost/json/serialize.hpp>

#include <string>
#include <utility>

namespace partyline {
namespace {

// Hands a plain function's result on; when it throws instead, nothing has been written yet.
class direct_result final : public result_writer {
public:
    direct_result(conversation& owner, served_request& request) noexcept : owner_(owner), request_(request) {}

    void write(const boost::json::value& result) override { owner_.finish(request_, result); }
    void write(json_view result) override { owner_.finish(request_, result); }
    void write(const json_text& result) override { owner_.finish(request_, result); }

private:
    conversation& owner_;
    served_request& request_;
};

// What a notification was answered, if there were an answer to one.
std::string refusal_text(const error_object& error)
{
    std::string text = "refused a notification: " + error.message;
    if (error.data)
        text += ' ' + boost::json::serialize(*error.data);
    return text;
}

} // namespace

std::string_view conversation::find_token(json_view params, std::string_view name, bool may_be_escaped)
{
    // A look at the bytes first: next to no request has one.
    if (!may_be_escaped && params.text().find(name) == std::string_view::npos) [[likely]]
        return {};
    std::string_view text;
    std::string_view key;
    // LSP 3.17, ProgressToken: an integer or a string. MCP has the same.
    const bool is_token = reader_.find_id(params, name, text, key) && !is_odd_id(text);
    return is_token ? text : std::string_view();
}

handler_failure conversation::describe(const served_request& from, std::exception_ptr thrown) const
{
    const cancel_cause cause = from.cause.load(std::memory_order_relaxed);
    handler_failure what = describe_exception(std::move(thrown), cause, options_.expose_errors);
    if (what.log.empty() && from.is_notification() && cause == cancel_cause::none)
        what.log = refusal_text(what.error); // nobody else would hear of it
    if (!what.log.empty())
        log("the handler of \"" + std::string(from.method()) + "\" " + what.log);
    return what;
}

error_object conversation::error_for(const served_request& from, std::exception_ptr thrown) const noexcept
{
    try {
        return describe(from, std::move(thrown)).error;
    } catch (...) {
        return plain_internal_error(); // no memory for more
    }
}

// Runs a plain function to its end.
void conversation::call(worker& loaded)
{
    direct_result result(*this, loaded);
    try {
        loaded.callee->target->call(loaded, loaded.input, result);
    } catch (...) {
        finish(loaded, std::current_exception());
    }
}

// Where a request came from and when: just now, or as it says that waited in its place.
void conversation::set_origin(incoming_request& s, const incoming_request* waited)
{
    if (waited) {
        s.batch = waited->batch;
        s.arrival = waited->arrival;
        return;
    }
    s.batch = batch_;
    if (batch_) [[unlikely]]
        batch_->add_hold();
    if (tap_) [[unlikely]]
        s.arrival = std::chrono::steady_clock::now();
}

void conversation::hold(const message& m, const method& target, const start_rule& rule, std::string_view text)
{
    waiting_request& waiting = queue_.hold(rule, text);
    waiting.callee = &target; // before anything can throw: it stands in the queue already
    waiting.generation = next_generation();
    set_origin(waiting, nullptr);
    waiting.id.assign(m.id, m.id_key);
    if (!waiting.is_notification())
        in_flight_.insert(waiting);
    note_waiting();
}

// It fits in nowhere. A request can be told; a notification can't, and to drop it could leave our state wrong.
void conversation::refuse(const message& m, const shortage& of)
{
    if (m.what == message::kind::notification) {
        log("no room for the notification \"" + std::string(m.method) + "\": the limit is " + std::to_string(of.limit) +
            ", it takes " + std::to_string(of.value));
        return stop(errc::overloaded, {errc::overloaded});
    }
    counts_.busy.add();
    writer_.reject(m.id, m.method, busy_error(of.limit, of.value), batch_.get());
    note_answered(m.method, true);
}

void conversation::offload(const message& m, const method& target, const start_rule& rule, const incoming_request* waited)
{
    const auto request =
        std::make_shared<offloaded_request>(*this, std::string(m.params.text()), target.options);
    request->assign(m, target, rule);
    set_origin(*request, waited);
    queue_.on_start(request->rule);
    try {
        enter(*request);
        request->start();
    } catch (...) {
        finish(*request, std::current_exception()); // it goes away with this scope, so nothing may refer to it
    }
}

// From here on the request can be cancelled, and its id is taken.
void conversation::enter(served_request& suspended)
{
    running_.push_back(suspended);
    ++entered_;
    counts_.in_flight.add(1);
    suspended.keep_tokens();
    if (!suspended.is_notification())
        in_flight_.insert(suspended);
    if (suspended.callee->options.deadline.count() != 0)
        start_deadline(suspended);
    if (is_stopped_)
        cancel(suspended, cancel_cause::stop);
    else if (is_stopping() && suspended.callee->options.open_ended)
        cancel(suspended, cancel_cause::end_of_input); // it had to wait until then
}

void conversation::start_deadline(served_request& r)
{
    const auto timer = std::make_shared<boost::asio::steady_timer>(executor_, due_time(r.callee->options.deadline));
    r.more().deadline = timer;
    // The request may have ended meanwhile, and its object serve another, or be no more: it has let go of the timer then.
    timer->async_wait([self = weak_from_this(), late = std::weak_ptr(timer), &r](error_code failed) {
        const std::shared_ptr<conversation> owner = self.lock();
        if (!failed && owner && !late.expired())
            owner->cancel(r, cancel_cause::deadline);
    });
}

// Nothing refers to it any more, but that it still has its slot.
void conversation::leave(served_request& done) noexcept
{
    if (request_extras* const extras = done.extras()) [[unlikely]]
        leave(done, *extras);
    release(done);
    if (done.is_linked()) {
        running_.erase(running_.iterator_to(done));
        counts_.in_flight.sub(1);
    }
    done.clear();
}

void conversation::leave(served_request& done, request_extras& extras) noexcept
{
    if (std::exchange(extras.is_slot_lent, false))
        queue_.take_back(done.rule);
    if (const auto place = std::exchange(extras.unheard, std::nullopt))
        unheard_.erase(*place);
    for (const std::shared_ptr<outgoing_message>& call : std::exchange(extras.calls, {}))
        call->from = nullptr; // it goes on without the handler
}

void conversation::release(incoming_request& s) noexcept
{
    if (s.is_listed)
        in_flight_.erase(s);
}

void conversation::note_waiting() noexcept
{
    counts_.waiting.set(queue_.size());
    counts_.waiting_bytes.set(queue_.bytes());
}

// What ends a handler's waiting may be its own code, and throw: then it goes on, as one that ignores its cancel. Its calls
// are ours.
void conversation::cancel(served_request& running, cancel_cause cause) noexcept
{
    cancel_cause none = cancel_cause::none;
    if (!running.cause.compare_exchange_strong(none, cause))
        return;
    counts_.cancelled.add();
    guarded([&] { cancel_calls(running); });
    try {
        running.emit_cancel();
    } catch (...) {
        log_exception("a handler could not be cancelled: ", std::current_exception());
    }
}

void conversation::cancel(waiting_request& waiting, cancel_cause cause)
{
    refuse(waiting, cause);
    queue_.remove(waiting);
    note_waiting();
}

// The answer to a request that never starts.
void conversation::refuse(waiting_request& waiting, cancel_cause cause)
{
    if (std::exchange(waiting.stage, incoming_request::state::free) == incoming_request::state::free)
        return; // it has been, and something threw before it was out of the queue
    release(waiting);
    counts_.cancelled.add();
    if (!waiting.is_notification())
        writer_.error(waiting, cancelled_error(cause));
    note_answered(waiting.callee->name, true);
    if (waiting.batch)
        writer_.drop_hold(*waiting.batch);
}

} // namespace partyline
