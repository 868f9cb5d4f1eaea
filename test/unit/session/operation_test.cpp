#include <partyline/protocol/error.hpp>
#include <partyline/session/operation.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/append.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <concepts>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace asio = boost::asio;
using namespace partyline;

namespace {

/// Completes by a post with what the test says; with nothing said it waits to be cancelled.
template <class T>
class played final : public partyline::detail::operation_source<T> {
public:
    played(asio::io_context& on, int& starts, std::optional<call_result<T>> outcome)
        : on_(on), starts_(starts), outcome_(std::move(outcome))
    {
    }

private:
    void start(partyline::detail::code_handler<T> done) override
    {
        ++starts_;
        if (outcome_)
            tell(std::move(done), std::move(*outcome_));
        else
            wait(std::move(done));
    }
    void start_throwing(partyline::detail::exception_handler<T> done) override
    {
        using conversion = partyline::detail::result_or_exception<T>;
        start(partyline::detail::converting_handler<conversion, partyline::detail::exception_handler<T>>{
            std::move(done)});
    }

    void tell(partyline::detail::code_handler<T> done, call_result<T> outcome)
    {
        const error_code failed = outcome.code();
        asio::post(on_, asio::append(std::move(done), failed, std::move(outcome)));
    }
    void wait(partyline::detail::code_handler<T> done)
    {
        auto waiting = std::make_shared<partyline::detail::code_handler<T>>(std::move(done));
        auto slot = asio::get_associated_cancellation_slot(*waiting);
        BOOST_REQUIRE(slot.is_connected());
        slot.assign([waiting, &on = on_](asio::cancellation_type) {
            const error_code aborted = asio::error::operation_aborted;
            asio::post(on, [waiting, aborted] {
                std::move (*waiting)(aborted, typename call_result<T>::failure{aborted, {}});
            });
        });
    }

    asio::io_context& on_;
    int& starts_;
    std::optional<call_result<T>> outcome_;
};

using values = std::vector<std::string>;

struct fixture {
    asio::io_context context{1};
    int starts = 0;

    template <class T>
    operation<T> play(std::optional<call_result<T>> outcome)
    {
        return partyline::detail::operation_access::make<T>(
            std::make_unique<played<T>>(context, starts, std::move(outcome)));
    }
    /// Gives its arguments: temporaries with destructors, as calls have.
    operation<values> list(std::string first, values more)
    {
        more.insert(more.begin(), std::move(first));
        return play<values>(call_result<values>(std::move(more)));
    }
    operation<std::string> give(std::string text)
    {
        return play<std::string>(call_result<std::string>(std::move(text)));
    }
    operation<void> do_nothing() { return play<void>(call_result<void>(std::monostate())); }
    operation<std::string> refuse()
    {
        return play<std::string>(call_result<std::string>(error_object{-32001, "no", {}}));
    }
    operation<void> refuse_nothing() { return play<void>(call_result<void>(error_object{-32001, "no", {}})); }
    operation<std::string> fail()
    {
        return play<std::string>(call_result<std::string>::failure{errc::timeout, "after 5 s"});
    }
    operation<std::string> hang() { return play<std::string>(std::nullopt); }

    /// Whatever can be done, with operations under way that keep the context at work.
    void run()
    {
        context.restart();
        context.poll();
    }
    /// Awaits it in both kinds of coroutines, and returns what both have given.
    void in_both(std::function<task<void>()> first, std::function<asio::awaitable<void>()> second)
    {
        int ended = 0;
        const auto told = [&ended](std::exception_ptr thrown) {
            ++ended;
            BOOST_TEST(!thrown);
        };
        partyline::co_spawn(context.get_executor(), first(), told);
        run();
        BOOST_TEST(ended == 1);
        asio::co_spawn(context, second(), told);
        run();
        BOOST_TEST(ended == 2);
    }
};

constexpr auto is_refusal = [](const rpc_error& thrown) { return thrown.error().code == -32001; };

// The same text for coroutines of both kinds, and of one whose executor is another.
template <class Coroutine>
Coroutine await_values(fixture& of)
{
    const values all = co_await of.list("a string that is too long for a small buffer", values(2, "more"));
    BOOST_TEST(all.size() == 3u);
    BOOST_TEST(all.front() == "a string that is too long for a small buffer");
    static_assert(std::same_as<decltype(of.list({}, {})), operation<values>>);
    operation<std::string> named = of.give("named");
    const std::string given = co_await std::move(named);
    BOOST_TEST(given == "named");
    co_await of.do_nothing();
    BOOST_TEST(of.starts == 3);
}

template <class Coroutine>
Coroutine await_errors(fixture& of)
{
    try {
        co_await of.refuse();
        BOOST_TEST(false);
    } catch (const rpc_error& thrown) {
        BOOST_TEST(is_refusal(thrown));
    }
    try {
        co_await of.refuse_nothing();
        BOOST_TEST(false);
    } catch (const rpc_error& thrown) {
        BOOST_TEST(is_refusal(thrown));
    }
    try {
        co_await of.fail();
        BOOST_TEST(false);
    } catch (const boost::system::system_error& thrown) {
        BOOST_TEST((thrown.code() == errc::timeout));
        BOOST_TEST(std::string(thrown.what()).starts_with("after 5 s"));
    }
}

template <class Coroutine>
Coroutine await_twice(fixture& of)
{
    operation<std::string> once = of.give("x");
    co_await std::move(once);
    operation<void> nothing = of.do_nothing();
    const operation<void> other = std::move(nothing);
    int refusals = 0;
    try {
        co_await std::move(once);
    } catch (const std::logic_error&) {
        ++refusals;
    }
    try {
        co_await std::move(nothing);
    } catch (const std::logic_error&) {
        ++refusals;
    }
    BOOST_TEST(refusals == 2);
}

// With tokens nothing is thrown but the code.
template <class Coroutine>
Coroutine await_deferred(fixture& of)
{
    const call_result<std::string> given = co_await of.give("x")(asio::deferred);
    BOOST_TEST(*given == "x");
    const call_result<std::string> refused = co_await of.refuse()(asio::deferred);
    BOOST_TEST(refused.error()->message == "no");
    const auto [failed, outcome] = co_await of.fail()(asio::as_tuple(asio::deferred));
    BOOST_TEST((failed == errc::timeout));
    BOOST_TEST(outcome.details() == "after 5 s");
    auto all = asio::experimental::make_parallel_group(of.give("1")(asio::deferred), of.refuse()(asio::deferred));
    const auto [order, failed1, one, failed2, two] =
        co_await all.async_wait(asio::experimental::wait_for_all(), asio::deferred);
    BOOST_TEST(*one == "1");
    BOOST_TEST(two.message() == "no");
}

asio::awaitable<void> await_use_awaitable(fixture& of)
{
    const call_result<std::string> given = co_await of.give("x")(asio::use_awaitable);
    BOOST_TEST(*given == "x");
    co_await of.do_nothing()(asio::use_awaitable);
    const auto [failed, outcome] = co_await of.fail()(asio::as_tuple(asio::use_awaitable));
    BOOST_TEST((failed == errc::timeout));
    const auto [none, nothing] = co_await of.do_nothing()(asio::as_tuple(asio::use_awaitable));
    BOOST_TEST(!none);
    BOOST_TEST(nothing.has_value());
}

template <class Coroutine>
Coroutine await_for_ever(fixture& of, error_code& ended)
{
    try {
        co_await of.hang();
    } catch (const boost::system::system_error& thrown) {
        ended = thrown.code();
        throw;
    }
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(operation_of_a_client, fixture, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(coroutines_get_the_result)
{
    in_both([&] { return await_values<task<void>>(*this); },
            [&] {
                starts = 0;
                return await_values<asio::awaitable<void>>(*this);
            });
}

BOOST_AUTO_TEST_CASE(coroutines_of_any_executor_get_the_result)
{
    using on_context = asio::awaitable<void, asio::io_context::executor_type>;
    std::optional<std::exception_ptr> ended;
    asio::co_spawn(context.get_executor(), await_values<on_context>(*this), [&](std::exception_ptr e) { ended = e; });
    run();
    BOOST_TEST((ended && !*ended));
}

BOOST_AUTO_TEST_CASE(what_fails_is_thrown_where_it_is_awaited)
{
    in_both([&] { return await_errors<task<void>>(*this); },
            [&] { return await_errors<asio::awaitable<void>>(*this); });
}

BOOST_AUTO_TEST_CASE(a_second_start_is_an_error)
{
    in_both([&] { return await_twice<task<void>>(*this); }, [&] { return await_twice<asio::awaitable<void>>(*this); });
    operation<std::string> once = give("x");
    std::move(once)(asio::detached);
    BOOST_CHECK_THROW(std::move(once)(asio::detached), std::logic_error);
}

BOOST_AUTO_TEST_CASE(deferred_gives_values_in_coroutines)
{
    in_both([&] { return await_deferred<task<void>>(*this); },
            [&] { return await_deferred<asio::awaitable<void>>(*this); });
}

BOOST_AUTO_TEST_CASE(use_awaitable_gives_values)
{
    in_both([&] { return await_deferred<task<void>>(*this); }, [&] { return await_use_awaitable(*this); });
}

BOOST_AUTO_TEST_CASE(callbacks_are_told_a_code_and_an_outcome)
{
    std::vector<std::string> told;
    const auto tell = [&](error_code failed, const call_result<std::string>& outcome) {
        told.push_back(failed ? failed.message() : outcome ? *outcome : outcome.message());
    };
    give("x")(tell);
    refuse()(tell);
    fail()([&](auto failed, auto) { told.push_back(failed.message()); });
    do_nothing()([&](error_code failed, call_result<void> outcome) {
        told.push_back(!failed && outcome.has_value() ? "done" : "failed");
    });
    give("counted")([&](error_code, call_result<std::string> outcome) -> std::size_t {
        told.push_back(*outcome);
        return told.size();
    });
    BOOST_TEST(told.empty()); // never from within
    run();
    BOOST_TEST(told == (values{"x", "no", error_code(errc::timeout).message(), "done", "counted"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(futures_get_outcomes)
{
    std::future<call_result<std::string>> given = give("x")(asio::use_future);
    std::future<call_result<void>> nothing = do_nothing()(asio::use_future);
    std::future<call_result<std::string>> failed = fail()(asio::use_future);
    run();
    BOOST_TEST(*given.get() == "x");
    BOOST_TEST(nothing.get().has_value());
    BOOST_CHECK_THROW(failed.get(), boost::system::system_error);
}

BOOST_AUTO_TEST_CASE(handlers_run_on_their_executor)
{
    auto strand = asio::make_strand(context);
    int told = 0;
    give("x")(asio::bind_executor(
        strand, [&](error_code, call_result<std::string>) { told += strand.running_in_this_thread() ? 1 : 0; }));
    do_nothing()(asio::bind_executor(strand, asio::detached));
    asio::any_completion_handler<void(error_code, call_result<void>)> kept = [&](error_code, call_result<void>) {
        ++told;
    };
    do_nothing()(std::move(kept));
    auto later = do_nothing()(asio::deferred);
    BOOST_TEST(starts == 3);
    std::move(later)([&](error_code, call_result<void>) { ++told; });
    run();
    BOOST_TEST(told == 3);
    BOOST_TEST(starts == 4);
}

BOOST_AUTO_TEST_CASE(a_cancel_reaches_it)
{
    asio::cancellation_signal cancel;
    error_code told;
    hang()(asio::bind_cancellation_slot(cancel.slot(), [&](error_code failed, auto) { told = failed; }));
    run();
    BOOST_TEST(!told);
    cancel.emit(asio::cancellation_type::all);
    run();
    BOOST_TEST((told == asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(a_cancel_of_a_coroutine_reaches_what_it_awaits)
{
    const auto check = [&](auto spawn) {
        asio::cancellation_signal cancel;
        error_code ended;
        int thrown = 0;
        spawn(ended,
              asio::bind_cancellation_slot(cancel.slot(), [&](std::exception_ptr why) { thrown += why ? 1 : 0; }));
        run();
        BOOST_TEST(!ended);
        cancel.emit(asio::cancellation_type::all);
        run();
        BOOST_TEST((ended == asio::error::operation_aborted));
        BOOST_TEST(thrown == 1);
    };
    check([&](error_code& ended, auto token) {
        partyline::co_spawn(context.get_executor(), await_for_ever<task<void>>(*this, ended), std::move(token));
    });
    check([&](error_code& ended, auto token) {
        asio::co_spawn(context, await_for_ever<asio::awaitable<void>>(*this, ended), std::move(token));
    });
}

BOOST_AUTO_TEST_CASE(what_is_not_started_does_nothing)
{
    {
        const operation<values> dropped = list("first", values(3, "more"));
        auto packed = do_nothing()(asio::deferred);
        static_cast<void>(packed);
    }
    operation<std::string> replaced = give("x");
    replaced = give("y");
    run();
    BOOST_TEST(starts == 0);
}

// What Asio's templates ask.
static_assert(asio::is_async_operation<operation<int>>::value);
static_assert(!asio::is_async_operation<operation<int>&>::value); // it is awaited once: co_await std::move(it)
static_assert(!std::copy_constructible<operation<int>>);

BOOST_AUTO_TEST_SUITE_END()
