#include "mcp/client/supervised/start_client.hpp"

#include "mcp/answers/failed_call.hpp"
#include "mcp/client/client_access.hpp"
#include "mcp/client/supervised/restore_settings.hpp"

#include <partyline/async/async_event.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/deferred.hpp>

#include <exception>
#include <utility>

namespace asio = boost::asio;

namespace partyline::mcp {
namespace {

/// `on_start` with one client.
struct start_hook_run {
    explicit start_hook_run(const asio::any_io_executor& where) : ended(where) {}

    async_event ended;
    std::optional<start_outcome> outcome;
    asio::cancellation_signal end_watch; // cancels the wait for the conversation's end
};

// The end of the conversation ends it, too.
task<start_outcome> run_on_start(client_core_ptr core, std::shared_ptr<client> made, supervised_options_ptr how)
{
    const auto run = std::make_shared<start_hook_run>(core->get_executor());
    const auto hook =
        std::make_shared<bounded_hook>(core->get_executor(), core->options().session.cancel_grace, how->log);
    auto called = [core, how, made] {
        if (core->has_left()) // then nothing of the user's is called
            throw failed_call(errc::session_closed);
        return how->on_start(*made);
    };
    const auto what = std::make_shared<const bounded_hook::hook>(std::move(called));
    auto end_it = [core, hook, run](error_code cancelled) { // which has the signal for longer than it is waited for
        if (!cancelled)
            hook->cancel(core->end_reason());
    };
    core->wait_end(asio::bind_cancellation_slot(run->end_watch.slot(), std::move(end_it)));
    hook->start(what, {"on_start", "start_timeout", how->start_timeout}, [run](start_outcome outcome) {
        run->outcome.emplace(std::move(outcome));
        run->ended.set();
    });
    while (!run->outcome)
        co_await run->ended.async_wait(asio::as_tuple(asio::deferred));
    run->end_watch.emit(asio::cancellation_type::terminal);
    co_return std::move(*run->outcome);
}

// The roots of the last one take the place of those that the maker has set.
void prepare_client(client_core& of, const std::optional<lasting_settings::values>& former)
{
    of.end_with_session();
    client_handlers& handlers = of.handlers_to_set();
    if (!former || !former->roots || !handlers.has_roots)
        return;
    std::vector<root> roots = *former->roots;
    handlers.roots = roots;
    of.lasting().use_roots(std::move(roots));
}

// Throws where the conversation has ended, or is about to, once it has.
task<void> require_conversation(client_core_ptr of)
{
    if (of->takes_calls() && !of->has_left())
        co_return;
    co_await of->end();
    throw failed_call(of->end_reason());
}

task<void> do_start(client_core_ptr core, std::shared_ptr<client> made, supervised_options_ptr how,
                    std::optional<lasting_settings::values> former)
{
    prepare_client(*core, former);
    co_await core->start();
    task<void> before_user = require_conversation(core);
    co_await std::move(before_user);
    if (how->on_start) {
        task<start_outcome> greeting = run_on_start(core, std::move(made), how);
        const start_outcome greeted = co_await std::move(greeting);
        if (greeted.failed)
            throw failed_call(greeted.failed, greeted.details);
    }
    if (former) {
        task<void> restoring = restore_settings(core, how, std::move(*former));
        co_await std::move(restoring);
    }
    task<void> at_the_end = require_conversation(core);
    co_await std::move(at_the_end);
}

} // namespace

task<start_outcome> start_client(std::shared_ptr<client> made, supervised_options_ptr how,
                                 std::optional<lasting_settings::values> former)
{
    const client_core_ptr core = detail::client_access::core(*made);
    try {
        task<void> starting = do_start(core, std::move(made), std::move(how), std::move(former));
        co_await std::move(starting);
    } catch (...) {
        co_return bounded_hook::outcome_of(std::current_exception());
    }
    co_return start_outcome();
}

} // namespace partyline::mcp
