#include "session/calls/held_call.hpp"

#include "session/calls/call_table.hpp"
#include "session/calls/make_outgoing.hpp"
#include "session/persistent_post.hpp"

#include <partyline/protocol/exception_text.hpp>
#include <partyline/session/request_context.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <new>
#include <tuple>

namespace asio = boost::asio;
using boost::asio::awaitable;

namespace partyline {
namespace {

awaitable<response> ready(response answer)
{
    co_return answer;
}

} // namespace

/// Goes with the coroutines. Asio destroys them without a word when an operation that they begin throws.
struct held_call::ticket {
    std::shared_ptr<held_call> held;

    explicit ticket(std::shared_ptr<held_call> h) noexcept : held(std::move(h)) {}
    ticket(ticket&&) noexcept = default;
    ~ticket()
    {
        if (held)
            held->on_lost();
    }

    void operator()(std::exception_ptr thrown, response reply)
    {
        std::exchange(held, nullptr)->finish(std::move(thrown), std::move(reply));
    }
};

response response_for(std::exception_ptr thrown)
{
    try {
        std::rethrow_exception(std::move(thrown));
    } catch (const rpc_error& refusal) {
        return refusal.error();
    } catch (const boost::system::system_error& failed) {
        return response::failure{failed.code(), exception_details(failed)};
    } catch (const std::bad_alloc&) {
        return response::failure{errc::refused, {}}; // no memory for more
    } catch (const std::exception& problem) {
        return response::failure{errc::refused, problem.what()};
    } catch (...) {
        return response::failure{errc::refused, "not by a std::exception"};
    }
}

void pass_one(intercepted_call& on_its_way)
{
    try {
        on_its_way.answer = on_its_way.around[on_its_way.next].before(on_its_way.call);
    } catch (...) {
        on_its_way.answer = response_for(std::current_exception());
    }
    ++on_its_way.next;
}

held_call::held_call(intercepted_call what)
    : way_(std::move(what)), shown_{way_.call.method, {}, !way_.call.is_notification(), nullptr},
      bytes_(way_.call.method.size() + way_.call.params.text().size())
{
    calls = 1;
    options = way_.call.options;
    options.idle_timeout(call_options::duration::zero()); // of what is sent: progress is told about that
    if (request_context* const caller = std::exchange(way_.call.from_, nullptr))
        way_.call.attached.attach(caller->trace()); // for what stands behind a coroutine
}

void held_call::on_started(const std::shared_ptr<held_call_host>& by, const asio::any_io_executor& executor)
{
    if (is_settled_)
        return;
    host_ = by;
    executor_ = executor;
    const auto self = std::static_pointer_cast<held_call>(shared_from_this());
    asio::co_spawn(executor_, run(self), asio::bind_cancellation_slot(signal_.slot(), ticket(self)));
}

void held_call::finish(std::exception_ptr thrown, response reply) noexcept
{
    if (const std::shared_ptr<held_call_host> host = host_.lock())
        host->finish_call(*this, std::move(thrown), std::move(reply));
}

// As a worker's: the dispatched function runs at once; while the io_context is being destroyed it never runs.
void held_call::on_lost() noexcept
{
    const std::shared_ptr<held_call_host> host = host_.lock();
    if (!host || is_settled_)
        return;
    try {
        const auto self = std::static_pointer_cast<held_call>(shared_from_this());
        asio::dispatch(executor_, [host, self] {
            host->finish_call(*self, nullptr, response::failure{errc::session_failed, {}});
        });
    } catch (...) { // the end of the session ends it
    }
}

// Whoever waits hears at once; the coroutines later, since this is called while calls are gone through.
void held_call::settle(std::size_t, error_code failed, response reply)
{
    is_settled_ = true;
    way_.call.ended_ = failed;
    complete(failed, std::move(reply));
    const auto self = std::static_pointer_cast<held_call>(shared_from_this());
    try {
        if (executor_)
            post_persistently(executor_, [self] { self->cancel_coroutines(); });
    } catch (const std::bad_alloc&) { // they go on for nobody
    }
}

void held_call::cancel_coroutines() noexcept
{
    try {
        signal_.emit(asio::cancellation_type::all);
    } catch (...) { // they go on for nobody
    }
}

awaitable<response> held_call::run(std::shared_ptr<held_call> self)
{
    co_return co_await self->proceed(self->way_.next);
}

awaitable<response> held_call::proceed(std::size_t at)
{
    for (; at != way_.around.size(); ++at) {
        if (way_.around[at].is_coroutine())
            return run_middleware(at);
        if (std::optional<response> answer = way_.around[at].before(way_.call))
            return ready(std::move(*answer));
    }
    return send();
}

awaitable<response> held_call::run_middleware(std::size_t at)
{
    next_call next(*this, at + 1);
    co_return co_await way_.around[at].around(way_.call, next);
}

// What can throw is made ahead of the operation: what that throws would get past the coroutine.
awaitable<response> held_call::send()
{
    inner_failure_ = {};
    inner_ = make_element(way_.call.method, way_.call.params, !way_.call.is_notification(), way_.depth, inner_failure_);
    inner_.proof_beside = way_.call.take_proof_beside();
    using token = asio::as_tuple_t<asio::use_awaitable_t<>>;
    auto [failed, reply] = co_await asio::async_initiate<const token, void(error_code, response)>(
        [](auto handler, held_call* self) { self->send(call_handler(std::move(handler))); }, token(), this);
    co_return std::move(reply);
}

void held_call::send(call_handler done)
{
    const std::shared_ptr<outgoing_message> inner = make_inner(std::move(done));
    const std::shared_ptr<held_call_host> host = host_.lock();
    if (!host || is_settled_)
        return call_table::refuse(*inner, asio::error::operation_aborted);
    inner->is_admitted = true;
    if (host->prepare(inner, inner_failure_))
        host->start_call(inner, from);
}

// A notification completes as a call does: with null, or with what has failed.
std::shared_ptr<outgoing_message> held_call::make_inner(call_handler done)
{
    const peer_call& call = way_.call;
    if (!call.is_notification()) {
        auto made = std::make_shared<outgoing_call>(std::move(inner_),
                                                    completion<error_code, response>(std::move(done), executor_));
        made->options = call.options;
        return made;
    }
    const auto slot = asio::get_associated_cancellation_slot(done);
    auto told = [done = std::move(done)](error_code why) mutable {
        std::move(done)(why, why ? response(response::failure{why, {}}) : response(json_text()));
    };
    return std::make_shared<outgoing_notification>(
        std::move(inner_),
        completion<error_code>(notify_handler(asio::bind_cancellation_slot(slot, std::move(told))), executor_));
}

} // namespace partyline
