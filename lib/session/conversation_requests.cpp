#include "session/conversation.hpp"

#include "session/offloaded_request.hpp"
#include "session/outcome.hpp"

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

} // namespace

start_rule start_rule_of(const method& m) noexcept
{
    start_rule rule;
    rule.method = &m;
    rule.max_concurrent = m.options.max_concurrent;
    rule.exclusive = m.options.exclusive;
    rule.is_barrier = m.options.ordered;
    return rule;
}

std::string_view conversation::find_progress_token(json_view params)
{
    // A look at the bytes first: next to no request has one.
    if (params.text().find(profile_.progress_token) == std::string_view::npos) [[likely]]
        return {};
    std::string_view text;
    std::string_view key;
    return reader_.find_id(params, profile_.progress_token, text, key) ? text : std::string_view();
}

void conversation::send(const served_request& from, std::uint64_t generation, std::string_view method,
                        std::string_view params)
{
    // From elsewhere this may come when the request is no more.
    if (from.stage != slot::state::running || from.generation != generation || has_ended_)
        return;
    replies_.notification(method, json_view::checked(params), &from);
    request_round();
}

failure conversation::describe(const served_request& from, std::exception_ptr thrown) const
{
    const cancel_cause cause = from.cause.load(std::memory_order_relaxed);
    failure what = describe_exception(std::move(thrown), cause, options_.expose_errors);
    if (!what.log.empty())
        log("the handler of \"" + std::string(from.method()) + "\" " + what.log);
    return what;
}

void conversation::fail(served_request& done, std::exception_ptr thrown)
{
    settle(done, describe(done, std::move(thrown)).error);
}

// Runs a plain function to its end.
void conversation::call(worker& loaded)
{
    direct_result result(*this, loaded);
    try {
        loaded.callee->target->call(loaded, loaded.params, result);
    } catch (...) {
        fail(loaded, std::current_exception());
    }
}

// Where a request came from and when: just now, or as it says that waited in its place.
void conversation::set_origin(slot& s, const slot* waited)
{
    if (waited) {
        s.batch = waited->batch;
        s.arrival = waited->arrival;
        return;
    }
    s.batch = batch_;
    if (batch_) [[unlikely]]
        batch_->add_hold();
    if (options_.trace) [[unlikely]]
        s.arrival = std::chrono::steady_clock::now();
}

void conversation::hold(const message& m, const method& target, std::string_view text)
{
    waiting_request& waiting = queue_.hold(start_rule_of(target), text);
    waiting.id.assign(m.id, m.id_key);
    waiting.callee = &target;
    waiting.generation = next_generation();
    set_origin(waiting, nullptr);
    if (!waiting.is_notification())
        in_flight_.insert(waiting);
}

void conversation::offload(const message& m, const method& target, const slot* waited)
{
    const auto request =
        std::make_shared<offloaded_request>(*this, std::string(m.params.text()), target.options);
    request->assign(m, target);
    set_origin(*request, waited);
    queue_.on_start(request->rule);
    enter(*request);
    request->start();
}

// From here on the request can be cancelled, and its id is taken.
void conversation::enter(served_request& suspended)
{
    running_.push_back(suspended);
    if (!suspended.is_notification())
        in_flight_.insert(suspended);
    if (suspended.callee->options.deadline.count() != 0)
        start_deadline(suspended);
    if (is_stopped_)
        cancel(suspended, cancel_cause::stop);
}

void conversation::start_deadline(served_request& r)
{
    r.deadline = std::make_unique<boost::asio::steady_timer>(executor_, r.callee->options.deadline);
    r.deadline->async_wait([self = weak_from_this(), id = r.slot::id, at = r.generation](error_code failed) {
        const std::shared_ptr<conversation> owner = self.lock();
        if (!failed && owner)
            owner->on_deadline(id, at);
    });
}

void conversation::on_deadline(const request_id& id, std::uint64_t generation)
{
    // The request may have ended meanwhile, and its object serve another: only the lists know.
    if (!id.empty()) {
        slot* const found = in_flight_.find(id.key());
        if (found && found->generation == generation)
            cancel(static_cast<served_request&>(*found), cancel_cause::deadline);
        return;
    }
    for (served_request& r : running_) {
        if (r.generation == generation)
            return cancel(r, cancel_cause::deadline);
    }
}

// The one exit of a request: its id is free before its answer is written, since the peer may use it again then.
template <class Result>
void conversation::settle(served_request& done, const Result& result)
{
    if (done.stage != slot::state::running)
        return;
    leave(done);
    if (!done.is_notification() && !has_ended_)
        give(done, result);
    if (const std::shared_ptr<batch_reply> batch = std::move(done.batch); batch && !has_ended_)
        replies_.drop_hold(*batch);
    request_round();
}

template void conversation::settle(served_request&, const boost::json::value&);
template void conversation::settle(served_request&, const json_view&);
template void conversation::settle(served_request&, const json_text&);
template void conversation::settle(served_request&, const error_object&);

void conversation::leave(served_request& done)
{
    done.stage = slot::state::free;
    release(done);
    done.deadline.reset();
    if (done.is_linked())
        running_.erase(running_.iterator_to(done));
    queue_.on_end(done.rule);
}

void conversation::release(slot& s)
{
    if (s.is_listed)
        in_flight_.erase(s);
}

void conversation::cancel(served_request& running, cancel_cause cause)
{
    cancel_cause none = cancel_cause::none;
    if (running.cause.compare_exchange_strong(none, cause))
        running.emit_cancel();
}

void conversation::cancel(waiting_request& waiting, cancel_cause cause)
{
    refuse(waiting, cause);
    queue_.remove(waiting);
}

// The answer to a request that never starts.
void conversation::refuse(waiting_request& waiting, cancel_cause cause)
{
    release(waiting);
    if (!waiting.is_notification())
        replies_.error(waiting, cancelled_error(cause));
    if (waiting.batch)
        replies_.drop_hold(*waiting.batch);
}

} // namespace partyline
