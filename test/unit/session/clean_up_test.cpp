#include <partyline/session/clean_up.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace asio = boost::asio;
using partyline::task;
using partyline::with_clean_up;

namespace {

// What is awaited until it is opened, or a cancel comes.
struct door {
    explicit door(asio::io_context& on) : timer(on, asio::steady_timer::time_point::max()) {}

    task<> wait()
    {
        const auto [woken] = co_await timer.async_wait(asio::as_tuple(asio::deferred));
        if (!is_open)
            throw boost::system::system_error(woken);
    }
    void open()
    {
        is_open = true;
        timer.expires_at(asio::steady_timer::time_point::min());
    }

    asio::steady_timer timer;
    bool is_open = false;
};

// Clean-ups of tasks outside a session; see conversation_tasks_test.cpp for those of handlers.
struct clean_up_fixture {
    asio::io_context context;
    door working{context};
    door cleaning{context};
    asio::cancellation_signal signal;
    std::string log;
    std::string ended; // "result", or what it threw

    // Says when its frame has gone.
    struct mark {
        ~mark() { log += "gone "; }
        std::string& log;
    };
    task<int> work(bool fails = false)
    {
        const mark here{log};
        log += "work ";
        co_await working.wait();
        if (fails)
            throw std::runtime_error("no work");
        co_return 3;
    }
    task<> clean(bool fails = false)
    {
        log += "clean ";
        co_await cleaning.wait();
        log += "cleaned ";
        if (fails)
            throw std::runtime_error("not clean");
    }
    task<> say(std::string word)
    {
        log += word + ' ';
        co_return;
    }

    template <class T>
    static task<> ignore_result(task<T> of)
    {
        co_await std::move(of);
    }
    template <class T>
    void spawn(task<T> what)
    {
        co_spawn(context.get_executor(), ignore_result(std::move(what)),
                 asio::bind_cancellation_slot(signal.slot(), [this](std::exception_ptr thrown) {
                     BOOST_TEST(ended == "");
                     ended = word_for(thrown);
                 }));
    }
    static std::string word_for(const std::exception_ptr& thrown)
    {
        try {
            if (thrown)
                std::rethrow_exception(thrown);
        } catch (const boost::system::system_error& e) {
            return e.code() == asio::error::operation_aborted ? "cancel" : e.what();
        } catch (const std::exception& e) {
            return e.what();
        }
        return "result";
    }
    void run()
    {
        context.restart();
        context.poll();
    }
    void open(door& which)
    {
        which.open();
        run();
    }
    void cancel()
    {
        signal.emit(asio::cancellation_type::all);
        run();
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(clean_up)

BOOST_AUTO_TEST_CASE(it_is_awaited_however_the_work_ends)
{
    struct row {
        bool is_cancelled, work_fails, clean_up_fails;
        const char* end;
    };
    const row rows[] = {
        {false, false, false, "result"},   {false, true, false, "no work"},  {true, false, false, "cancel"},
        {false, false, true, "not clean"}, {false, true, true, "not clean"}, {true, false, true, "not clean"},
    };
    for (const row& r : rows) {
        BOOST_TEST_CONTEXT(r.end << (r.is_cancelled ? ", cancelled" : "") << (r.work_fails ? ", work fails" : ""))
        {
            clean_up_fixture f;
            f.spawn(with_clean_up(f.work(r.work_fails), f.clean(r.clean_up_fails)));
            f.run();
            BOOST_TEST(f.log == "work ");
            if (r.is_cancelled)
                f.cancel();
            else
                f.open(f.working);
            f.cancel(); // one that comes meanwhile does not reach it
            BOOST_TEST(f.log == "work gone clean ");
            BOOST_TEST(f.ended == "");
            f.open(f.cleaning);
            BOOST_TEST(f.log == "work gone clean cleaned ");
            // ignore_result() awaits nothing else, so that it does not hear the later cancel
            BOOST_TEST(f.ended == r.end);
        }
    }
}

BOOST_FIXTURE_TEST_CASE(nothing_and_what_can_only_be_moved_come_back, clean_up_fixture)
{
    const auto make = []() -> task<std::unique_ptr<int>> { co_return std::make_unique<int>(7); };
    const auto both = [&]() -> task<> {
        co_await with_clean_up(say("work"), say("clean"));
        const std::unique_ptr<int> made = co_await with_clean_up(make(), say("clean"));
        log += std::to_string(*made);
    };
    spawn(both());
    run();
    BOOST_TEST(ended == "result");
    BOOST_TEST(log == "work clean clean 7");
}

BOOST_FIXTURE_TEST_CASE(work_that_is_no_task_any_more_throws_and_is_cleaned_up, clean_up_fixture)
{
    task<int> moved = work();
    const task<int> elsewhere = std::move(moved);
    spawn(with_clean_up(std::move(moved), say("clean"))); // throws logic_error
    run();
    BOOST_TEST(log == "clean ");
    BOOST_TEST(ended.find("moved from") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(one_in_work_ends_before_the_outer_one, clean_up_fixture)
{
    spawn(with_clean_up(with_clean_up(work(), say("inner")), say("outer")));
    run();
    cancel();
    BOOST_TEST(log == "work gone inner outer ");
    BOOST_TEST(ended == "cancel");
}

BOOST_FIXTURE_TEST_CASE(a_cancel_during_one_is_heard_after_it, clean_up_fixture)
{
    door never(context);
    const auto go_on = [&]() -> task<> {
        co_await with_clean_up(work(), clean());
        log += "next ";
        co_await never.wait();
    };
    working.open();
    spawn(go_on());
    run();
    cancel();
    BOOST_TEST(log == "work gone clean ");
    open(cleaning);
    BOOST_TEST(log == "work gone clean cleaned next ");
    BOOST_TEST(ended == "cancel");
}

BOOST_FIXTURE_TEST_CASE(a_cancel_during_one_in_another_clean_up_is_heard_after_both, clean_up_fixture)
{
    door never(context), last(context);
    const auto outer_clean = [&]() -> task<> {
        co_await with_clean_up(say("inner_work"), clean());
        co_await last.wait(); // nor does it reach what comes after the inner one
        log += "last ";
    };
    const auto go_on = [&]() -> task<> {
        co_await with_clean_up(say("work"), outer_clean());
        log += "next ";
        co_await never.wait();
    };
    spawn(go_on());
    run();
    cancel();
    open(cleaning);
    BOOST_TEST(log == "work inner_work clean cleaned ");
    open(last);
    BOOST_TEST(log == "work inner_work clean cleaned last next ");
    BOOST_TEST(ended == "cancel");
}

BOOST_FIXTURE_TEST_CASE(a_cancel_before_one_is_forgotten_after_it, clean_up_fixture)
{
    const auto go_on = [&]() -> task<> {
        try {
            co_await with_clean_up(work(), say("clean"));
        } catch (const boost::system::system_error&) {
            log += "caught ";
        }
        co_await say("again");
    };
    spawn(go_on());
    run();
    cancel();
    BOOST_TEST(log == "work gone clean caught again ");
    BOOST_TEST(ended == "result");
}

BOOST_FIXTURE_TEST_CASE(neither_begins_where_a_cancel_has_come_before, clean_up_fixture)
{
    spawn(with_clean_up(work(), say("clean")));
    signal.emit(asio::cancellation_type::all);
    run();
    BOOST_TEST(log == "");
    BOOST_TEST(ended == "cancel");
    ended.clear();
    co_spawn(context.get_executor(), with_clean_up(say("work"), say("clean")), // itself what is started
             asio::bind_cancellation_slot(signal.slot(), [this](std::exception_ptr t) { ended = word_for(t); }));
    signal.emit(asio::cancellation_type::all);
    run();
    BOOST_TEST(log == "");
    BOOST_TEST(ended == "cancel");
}

BOOST_FIXTURE_TEST_CASE(a_coroutine_of_asios_in_one_is_not_cancelled, clean_up_fixture)
{
    bool is_open = false;
    asio::steady_timer timer(context, asio::steady_timer::time_point::max());
    const auto wait = [&]() -> asio::awaitable<void> {
        boost::system::error_code woken;
        co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, woken));
        log += is_open ? "opened " : "cancelled ";
    };
    const auto clean_by_awaitable = [&]() -> task<> { co_await wait(); };
    spawn(with_clean_up(work(), clean_by_awaitable()));
    run();
    cancel();
    cancel();
    BOOST_TEST(log == "work gone ");
    is_open = true;
    timer.cancel();
    run();
    BOOST_TEST(log == "work gone opened ");
    BOOST_TEST(ended == "cancel");
}

BOOST_AUTO_TEST_CASE(nothing_runs_when_the_io_context_goes_away)
{
    for (const bool is_cleaning : {false, true}) {
        const auto counted = std::make_shared<int>();
        std::string log;
        auto own = std::make_unique<asio::io_context>();
        const auto wait_then = [&](std::shared_ptr<int>, bool waits, const char* word) -> task<> {
            log += word;
            asio::steady_timer timer(*own, asio::steady_timer::time_point::max());
            if (waits)
                co_await timer.async_wait(asio::deferred);
            log += "- ";
        };
        co_spawn(own->get_executor(),
                 with_clean_up(wait_then(counted, !is_cleaning, "work"), wait_then(counted, true, "clean")),
                 [&](std::exception_ptr) { log += "ended"; });
        own->poll();
        const std::string before = log;
        BOOST_TEST(before == (is_cleaning ? "work- clean" : "work"));
        BOOST_TEST(counted.use_count() == (is_cleaning ? 2 : 3));
        own.reset();
        BOOST_TEST(log == before);
        BOOST_TEST(counted.use_count() == 1);
    }
}

BOOST_AUTO_TEST_SUITE_END()
