#include <partyline/session/on.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace asio = boost::asio;
using namespace std::chrono_literals;
using partyline::task;

namespace {

struct task_fixture {
    asio::io_context context;

    // What it returned or threw; nothing when it has not ended.
    template <class T>
    struct outcome {
        bool is_done = false;
        std::exception_ptr thrown;
        std::optional<T> result;

        T get() const
        {
            BOOST_REQUIRE(is_done);
            if (thrown)
                std::rethrow_exception(thrown);
            return *result;
        }
    };

    template <class T>
    std::shared_ptr<outcome<T>> spawn(task<T> what)
    {
        return spawn(std::move(what), asio::cancellation_slot());
    }
    template <class T>
    std::shared_ptr<outcome<T>> spawn(task<T> what, asio::cancellation_slot slot)
    {
        auto told = std::make_shared<outcome<T>>();
        co_spawn(context.get_executor(), std::move(what),
                 asio::bind_cancellation_slot(slot, [told](std::exception_ptr thrown, T result) {
                     BOOST_TEST(!told->is_done);
                     told->is_done = true;
                     told->thrown = std::move(thrown);
                     told->result = std::move(result);
                 }));
        return told;
    }
    template <class T>
    T run(task<T> what)
    {
        const auto told = spawn(std::move(what));
        BOOST_TEST(!told->is_done);
        context.restart();
        context.run();
        return told->get();
    }
};

task<int> answer()
{
    co_return 42;
}

task<int> answer_later()
{
    co_await asio::post(co_await asio::this_coro::executor, asio::deferred);
    co_return 42;
}

task<int> fail_later()
{
    co_await asio::post(co_await asio::this_coro::executor, asio::deferred);
    throw std::runtime_error("no");
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wreturn-type" // which only some compilers know of coroutines
task<int> off_its_end(bool returns)
{
    co_await asio::post(co_await asio::this_coro::executor, asio::deferred);
    if (returns)
        co_return 1;
}
#pragma GCC diagnostic pop

struct watched {
    explicit watched(int& c) : count(&c) { ++*count; }
    watched(watched&& other) noexcept : count(std::exchange(other.count, nullptr)) {}
    ~watched()
    {
        if (count)
            --*count;
    }
    int* count;
};

task<int> wait_for_ever(asio::io_context& context, watched)
{
    asio::steady_timer timer(context, asio::steady_timer::time_point::max());
    co_await timer.async_wait(asio::deferred);
    co_return 1;
}

asio::awaitable<int> awaitable_answer()
{
    co_await asio::post(asio::use_awaitable);
    co_return 42;
}

/// Completes at once by a post, and leaves behind how it was to be cancelled, as many operations do.
struct counted_operation {
    asio::io_context& on;
    int& cancels;

    template <class Handler>
    void operator()(Handler handler) const
    {
        asio::get_associated_cancellation_slot(handler).assign([&c = cancels](asio::cancellation_type) { ++c; });
        asio::post(on, std::move(handler));
    }
};

auto count_cancels(asio::io_context& on, int& cancels)
{
    return asio::async_initiate<const asio::deferred_t&, void()>(counted_operation{on, cancels}, asio::deferred);
}

bool is_aborted(const boost::system::system_error& e)
{
    return e.code() == asio::error::operation_aborted;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(task_suite, task_fixture)

BOOST_AUTO_TEST_CASE(returns_what_it_returns)
{
    BOOST_TEST(run(answer()) == 42);
    BOOST_TEST(run(answer_later()) == 42);
}

BOOST_AUTO_TEST_CASE(throws_what_it_throws)
{
    BOOST_CHECK_THROW(run(fail_later()), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(one_awaits_another)
{
    const auto sum = []() -> task<int> { co_return co_await answer() + co_await answer_later(); };
    BOOST_TEST(run(sum()) == 84);
    const auto failing = []() -> task<int> { co_return co_await fail_later(); };
    BOOST_CHECK_THROW(run(failing()), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(what_ends_at_once_takes_no_stack)
{
    const auto many = [](asio::io_context& on) -> task<int> {
        int sum = 0;
        for (int i = 0; i < 200'000; ++i) {
            sum += int(co_await answer() > 0);
            co_await asio::dispatch(on.get_executor(), asio::deferred);
        }
        co_return sum;
    };
    BOOST_TEST(run(many(context)) == 200'000);
}

BOOST_AUTO_TEST_CASE(operations_give_values_codes_and_tuples)
{
    const auto codes = [](asio::io_context& on) -> task<int> {
        asio::steady_timer timer(on, 0s);
        co_await timer.async_wait(asio::deferred); // void
        timer.expires_at(asio::steady_timer::time_point::max());
        timer.cancel();
        asio::post(on, [&timer] { timer.cancel(); });
        const auto [failed] = co_await timer.async_wait(asio::as_tuple(asio::deferred));
        BOOST_TEST((failed == asio::error::operation_aborted));
        asio::post(on, [&timer] { timer.cancel(); });
        co_await timer.async_wait(asio::deferred);
        co_return 0;
    };
    BOOST_CHECK_EXCEPTION(run(codes(context)), boost::system::system_error, is_aborted);
    const auto value = [](asio::io_context&) -> task<int> {
        co_return co_await asio::async_initiate<const asio::deferred_t&, void(int)>(
            [](auto handler) { std::move(handler)(7); }, asio::deferred);
    };
    BOOST_TEST(run(value(context)) == 7);
    const auto two = [](asio::io_context&) -> task<int> {
        const auto [a, b] =
            co_await asio::async_initiate<const asio::deferred_t&, void(boost::system::error_code, int, int)>(
                [](auto handler) { std::move(handler)(boost::system::error_code(), 3, 4); }, asio::deferred);
        co_return a* b;
    };
    BOOST_TEST(run(two(context)) == 12);
}

BOOST_AUTO_TEST_CASE(what_beginning_throws_is_thrown_where_it_is_awaited)
{
    const auto caught = []() -> task<int> {
        bool is_caught = false;
        try {
            co_await asio::async_initiate<const asio::deferred_t&, void()>(
                [](auto) { throw std::runtime_error("not begun"); }, asio::deferred);
        } catch (const std::runtime_error&) {
            is_caught = true;
        }
        if (!is_caught)
            co_return 0;
        co_return co_await answer_later();
    };
    BOOST_TEST(run(caught()) == 42);
}

// As Asio's own coroutines do it: those that could not be started are destroyed by a function that was posted.
BOOST_AUTO_TEST_CASE(what_beginning_throws_is_thrown_when_the_completion_is_gone)
{
    std::string order;
    const auto begin = [&](auto completion) {
        struct at_end {
            std::string& order;
            decltype(completion) kept;
            bool is_last = true;
            at_end(std::string& to, decltype(completion) handler) : order(to), kept(std::move(handler)) {}
            at_end(at_end&& other) noexcept
                : order(other.order), kept(std::move(other.kept)), is_last(std::exchange(other.is_last, false))
            {
            }
            ~at_end() { order += is_last ? "gone " : ""; }
        };
        asio::post(context, [kept = at_end(order, std::move(completion))] {});
        throw std::runtime_error("not begun");
    };
    const auto work = [&]() -> task<int> {
        const auto operation = [&] {
            return asio::async_initiate<const asio::deferred_t&, void()>(begin, asio::deferred);
        };
        try {
            co_await operation();
        } catch (const std::runtime_error&) {
            order += "thrown";
        }
        co_return 1;
    };
    BOOST_TEST(run(work()) == 1);
    BOOST_TEST(order == "gone thrown");
}

BOOST_AUTO_TEST_CASE(a_cancel_ends_what_it_awaits_and_all_that_it_awaits_later)
{
    int throws = 0;
    const auto stubborn = [&](asio::io_context& on) -> task<int> {
        asio::steady_timer timer(on, asio::steady_timer::time_point::max());
        for (int i = 0; i < 3; ++i) {
            try {
                co_await timer.async_wait(asio::deferred);
            } catch (const boost::system::system_error& e) {
                throws += is_aborted(e) ? 1 : 0;
            }
        }
        co_return co_await answer();
    };
    asio::cancellation_signal cancel;
    const auto told = spawn(stubborn(context), cancel.slot());
    context.poll();
    BOOST_TEST(!told->is_done);
    cancel.emit(asio::cancellation_type::terminal);
    context.run();
    BOOST_TEST(throws == 3);
    BOOST_CHECK_EXCEPTION(told->get(), boost::system::system_error, is_aborted);
}

// It may refer to what has gone with the frame that awaited it. What is awaited next need not have a cancel of its own.
BOOST_AUTO_TEST_CASE(a_cancel_does_not_reach_what_has_ended)
{
    int cancels = 0;
    const auto work = [&]() -> task<int> {
        co_await count_cancels(context, cancels);
        co_await asio::post(context, asio::deferred);
        co_return co_await answer();
    };
    asio::cancellation_signal cancel;
    const auto told = spawn(work(), cancel.slot());
    context.poll_one(); // begins
    context.poll_one(); // the operation has ended, the post has begun
    cancel.emit(asio::cancellation_type::terminal);
    BOOST_TEST(cancels == 0);
    context.run();
    BOOST_CHECK_EXCEPTION(told->get(), boost::system::system_error, is_aborted);
}

BOOST_AUTO_TEST_CASE(a_cancel_reaches_an_awaitable_in_a_task_in_an_awaitable)
{
    const auto inner = [](asio::io_context& on) -> asio::awaitable<int> {
        asio::steady_timer timer(on, asio::steady_timer::time_point::max());
        co_await timer.async_wait(asio::use_awaitable);
        co_return 1;
    };
    const auto middle = [&](asio::io_context& on) -> task<int> { co_return co_await inner(on); };
    const auto outer = [&](asio::io_context& on) -> asio::awaitable<int> {
        co_return co_await middle(on)(asio::use_awaitable);
    };
    asio::cancellation_signal cancel;
    bool is_cancelled = false;
    asio::co_spawn(context, outer(context),
                   asio::bind_cancellation_slot(cancel.slot(), [&](std::exception_ptr thrown, int) {
                       BOOST_REQUIRE(thrown);
                       BOOST_CHECK_EXCEPTION(std::rethrow_exception(thrown), boost::system::system_error, is_aborted);
                       is_cancelled = true;
                   }));
    context.poll();
    BOOST_TEST(!is_cancelled);
    cancel.emit(asio::cancellation_type::terminal);
    context.restart();
    context.run();
    BOOST_TEST(is_cancelled);
}

BOOST_AUTO_TEST_CASE(awaits_awaitables_and_is_awaited_by_them)
{
    const auto within = []() -> task<int> { co_return co_await awaitable_answer() + co_await awaitable_answer(); };
    BOOST_TEST(run(within()) == 84);
    const auto around = []() -> asio::awaitable<int> {
        co_return co_await answer()(asio::use_awaitable) + co_await answer_later()(asio::use_awaitable);
    };
    std::future<int> result = asio::co_spawn(context, around(), asio::use_future);
    context.restart();
    context.run();
    BOOST_TEST(result.get() == 84);
}

BOOST_AUTO_TEST_CASE(an_awaitable_of_what_has_no_default_constructor)
{
    struct no_default {
        explicit no_default(int v) : value(v) {}
        int value;
    };
    const auto make = []() -> asio::awaitable<std::shared_ptr<no_default>> {
        co_return std::make_shared<no_default>(5);
    };
    const auto plain = [&]() -> asio::awaitable<no_default> { co_return *co_await make(); };
    const auto within = [&]() -> task<int> { co_return (co_await plain()).value; };
    BOOST_TEST(run(within()) == 5);
}

BOOST_AUTO_TEST_CASE(one_that_is_never_awaited_does_nothing)
{
    int alive = 0;
    {
        const task<int> unused = wait_for_ever(context, watched(alive));
        BOOST_TEST(alive == 1);
    }
    BOOST_TEST(alive == 0);
}

BOOST_AUTO_TEST_CASE(one_is_awaited_once)
{
    const auto twice = []() -> task<int> {
        task<int> one = answer_later();
        const int first = co_await std::move(one);
        co_return first + co_await std::move(one);
    };
    BOOST_CHECK_THROW(run(twice()), std::logic_error);
    task<int> moved_from = answer();
    task<int> taken = std::move(moved_from);
    BOOST_TEST(!moved_from);
    BOOST_CHECK_THROW(co_spawn(context.get_executor(), std::move(moved_from), asio::detached), std::logic_error);
    BOOST_TEST(run(std::move(taken)) == 42);
}

BOOST_AUTO_TEST_CASE(one_goes_away_with_its_io_context)
{
    int alive = 0;
    auto own = std::make_unique<asio::io_context>();
    const auto around = [](asio::io_context& on, watched w) -> task<int> {
        co_return co_await wait_for_ever(on, std::move(w));
    };
    co_spawn(own->get_executor(), around(*own, watched(alive)), asio::detached);
    own->poll();
    BOOST_TEST(alive == 1);
    own.reset();
    BOOST_TEST(alive == 0);
}

BOOST_AUTO_TEST_CASE(one_goes_away_when_what_it_awaits_is_dropped)
{
    int alive = 0;
    std::unique_ptr<asio::any_completion_handler<void()>> kept;
    const auto waiting = [&](watched) -> task<int> {
        co_await asio::async_initiate<const asio::deferred_t&, void()>(
            [&](auto handler) { kept = std::make_unique<asio::any_completion_handler<void()>>(std::move(handler)); },
            asio::deferred);
        co_return 1;
    };
    const auto told = spawn(waiting(watched(alive)));
    context.poll();
    BOOST_TEST(alive == 1);
    kept.reset();
    context.restart();
    context.run();
    BOOST_TEST(alive == 0);
    BOOST_TEST(!told->is_done);
    const auto at_once = [&](watched) -> task<int> {
        co_await asio::async_initiate<const asio::deferred_t&, void()>([](auto) {}, asio::deferred);
        co_return 1;
    };
    const auto nothing = spawn(at_once(watched(alive)));
    context.restart();
    context.run();
    BOOST_TEST(alive == 0);
    BOOST_TEST(!nothing->is_done);
}

BOOST_AUTO_TEST_CASE(one_without_a_result_has_failed)
{
    const auto parent = [&]() -> task<int> { co_return co_await off_its_end(false); };
    BOOST_TEST(run(off_its_end(true)) == 1);
    BOOST_CHECK_THROW(run(off_its_end(false)), std::logic_error);
    BOOST_CHECK_THROW(run(parent()), std::logic_error);
}

BOOST_AUTO_TEST_CASE(a_function_that_is_spawned_is_kept_until_its_task_has_ended)
{
    const auto kept = std::make_shared<int>(42);
    int result = 0;
    partyline::co_spawn(
        context.get_executor(),
        [kept]() -> task<int> {
            co_await asio::post(co_await asio::this_coro::executor, asio::deferred);
            co_return *kept;
        },
        [&](std::exception_ptr, int got) {
            result = got;
            BOOST_TEST(kept.use_count() == 1);
        });
    BOOST_TEST(kept.use_count() > 1);
    context.run();
    BOOST_TEST(result == 42);
}

BOOST_AUTO_TEST_CASE(a_function_runs_on_another_executor_and_the_task_goes_on_where_it_was)
{
    asio::thread_pool pool(2);
    const auto here = std::this_thread::get_id();
    const auto hopping = [&]() -> task<bool> {
        std::thread::id there;
        const auto work = [&] { there = std::this_thread::get_id(); };
        co_await partyline::on(pool.get_executor(), work);
        const auto text = [] { return std::make_unique<std::string>("42"); };
        const std::unique_ptr<std::string> got = co_await partyline::on(pool.get_executor(), text);
        co_return there != here && *got == "42" && std::this_thread::get_id() == here;
    };
    BOOST_TEST(run(hopping()));
    const auto failing = [&]() -> task<int> {
        const auto work = []() -> int { throw std::runtime_error("no"); };
        co_return co_await partyline::on(pool.get_executor(), work);
    };
    BOOST_CHECK_THROW(run(failing()), std::runtime_error);
    pool.join();
}

BOOST_AUTO_TEST_CASE(goes_on_where_it_runs_wherever_an_operation_completes)
{
    asio::thread_pool pool(2);
    const auto strand = asio::make_strand(pool.get_executor());
    const auto hopping = [](auto on, asio::thread_pool& elsewhere) -> task<int> {
        int hops = 0;
        for (int i = 0; i < 1000; ++i) {
            co_await asio::post(elsewhere, asio::deferred);
            hops += on.running_in_this_thread() ? 1 : 0;
        }
        co_return hops;
    };
    std::future<int> hops = co_spawn(strand, hopping(strand, pool), asio::use_future);
    BOOST_TEST(hops.get() == 1000);
    pool.join();
}

BOOST_AUTO_TEST_SUITE_END()
