#include "waits.hpp"

#include <partyline/async/async_event.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <exception>
#include <memory>
#include <optional>

namespace asio = boost::asio;
using partyline::async_event;
using partyline::error_code;
using partyline::test::no_memory;

namespace {

struct event_fixture : partyline::test::stepped_context {
    std::optional<async_event> event{std::in_place, context.get_executor()};

    static auto into(std::optional<error_code>& told)
    {
        return [&told](error_code failed) { told = failed; };
    }
};

constexpr std::array every_type{asio::cancellation_type::terminal, asio::cancellation_type::partial,
                                asio::cancellation_type::total};

} // namespace

BOOST_FIXTURE_TEST_SUITE(async_event_suite, event_fixture)

BOOST_AUTO_TEST_CASE(all_that_wait_complete_when_it_is_set_and_not_from_within)
{
    std::optional<error_code> first;
    std::optional<error_code> second;
    event->async_wait(into(first));
    event->async_wait(into(second));
    run();
    BOOST_TEST((!first && !second));
    event->set();
    BOOST_TEST((!first && !second));
    run();
    BOOST_TEST((first == error_code() && second == error_code()));
}

BOOST_AUTO_TEST_CASE(what_waits_for_an_event_that_is_set_completes_at_once_until_it_is_reset)
{
    event->set();
    BOOST_TEST(event->is_set());
    std::optional<error_code> early;
    event->async_wait(into(early));
    BOOST_TEST(!early);
    run();
    BOOST_TEST((early == error_code()));

    event->reset();
    BOOST_TEST(!event->is_set());
    std::optional<error_code> late;
    event->async_wait(into(late));
    run();
    BOOST_TEST(!late);
    event->set();
    run();
    BOOST_TEST((late == error_code()));
}

BOOST_AUTO_TEST_CASE(a_reset_takes_back_no_wake_up)
{
    std::optional<error_code> waited;
    std::optional<error_code> was_set;
    event->async_wait(into(waited));
    event->set();
    event->async_wait(into(was_set));
    event->reset();
    run();
    BOOST_TEST((waited == error_code() && was_set == error_code()));
}

BOOST_AUTO_TEST_CASE(each_wait_is_cancelled_by_itself)
{
    for (const auto type : every_type) {
        asio::cancellation_signal signal;
        std::optional<error_code> cancelled;
        std::optional<error_code> other;
        event->async_wait(asio::bind_cancellation_slot(signal.slot(), into(cancelled)));
        event->async_wait(into(other));
        signal.emit(type);
        BOOST_TEST(!cancelled);
        run();
        BOOST_TEST((cancelled == asio::error::operation_aborted && !other));
        event->set();
        run();
        BOOST_TEST((other == error_code()));
        event->reset();
    }
}

BOOST_AUTO_TEST_CASE(an_event_that_is_set_before_a_cancel_is_told_is_not_lost)
{
    asio::cancellation_signal signal;
    std::optional<error_code> told;
    event->async_wait(asio::bind_cancellation_slot(signal.slot(), into(told)));
    signal.emit(asio::cancellation_type::terminal);
    event->set();
    event->reset();
    run();
    BOOST_TEST((told == error_code()));
}

BOOST_AUTO_TEST_CASE(a_cancel_of_all_reaches_what_waits_and_nothing_later)
{
    std::optional<error_code> told;
    std::optional<error_code> later;
    event->async_wait(into(told));
    event->cancel();
    event->async_wait(into(later));
    run();
    BOOST_TEST((told == asio::error::operation_aborted && !later));
    BOOST_TEST(!event->is_set());
}

BOOST_AUTO_TEST_CASE(what_waits_when_it_is_destroyed_is_aborted)
{
    std::optional<error_code> told;
    event->async_wait(into(told));
    event.reset();
    BOOST_TEST(!told);
    run();
    BOOST_TEST((told == asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(an_event_that_was_set_and_destroyed_has_still_been_set)
{
    std::optional<error_code> told;
    event->async_wait(into(told));
    event->set();
    event.reset();
    run();
    BOOST_TEST((told == error_code()));
}

BOOST_AUTO_TEST_CASE(it_completes_on_the_executor_of_its_handler)
{
    stepped_context elsewhere;
    for (const bool is_set : {false, true}) {
        std::optional<error_code> told;
        is_set ? event->set() : event->reset();
        event->async_wait(asio::bind_executor(elsewhere.context.get_executor(), into(told)));
        event->set();
        run();
        BOOST_TEST(!told);
        elsewhere.run();
        BOOST_TEST((told == error_code()));
    }
}

BOOST_AUTO_TEST_CASE(what_waits_keeps_its_context_running)
{
    event->async_wait([](error_code) {});
    run();
    BOOST_TEST(!context.stopped());
    event->cancel();
    run();
    BOOST_TEST(context.stopped());
}

BOOST_AUTO_TEST_CASE(what_waits_when_the_context_is_destroyed_is_destroyed)
{
    struct owner {
        explicit owner(asio::io_context& on) : event(on.get_executor()) {}
        async_event event;
    };
    std::weak_ptr<owner> watched;
    {
        asio::io_context short_lived;
        const auto own = std::make_shared<owner>(short_lived);
        own->event.async_wait([own](error_code) { BOOST_ERROR("completed"); });
        watched = own;
    }
    BOOST_TEST(watched.expired());
}

BOOST_AUTO_TEST_CASE(a_wait_that_there_is_no_memory_for_leaves_it_usable)
{
    const auto without_memory = [&](auto handler) {
        event->async_wait(asio::bind_allocator(no_memory<>(), std::move(handler)));
    };
    std::optional<error_code> failed;
    std::optional<error_code> told;
    BOOST_CHECK_THROW(without_memory(into(failed)), std::bad_alloc);
    event->async_wait(into(told));
    event->set();
    run();
    BOOST_TEST((!failed && told == error_code()));
}

BOOST_AUTO_TEST_CASE(coroutines_of_both_kinds_wait_for_it)
{
    int woken = 0;
    const auto count = [&](std::exception_ptr thrown) { woken += thrown ? 100 : 1; };
    const auto as_task = [](async_event& of) -> partyline::task<> { co_await of.async_wait(); };
    const auto as_awaitable = [](async_event& of) -> asio::awaitable<void> {
        co_await of.async_wait(asio::use_awaitable);
    };
    co_spawn(context.get_executor(), as_task(*event), count);
    asio::co_spawn(context.get_executor(), as_awaitable(*event), count);
    run();
    BOOST_TEST(woken == 0);
    event->set();
    run();
    BOOST_TEST(woken == 2);
}

BOOST_AUTO_TEST_SUITE_END()
