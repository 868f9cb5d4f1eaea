#include "waits.hpp"

#include <partyline/async/async_mutex.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace asio = boost::asio;
using partyline::async_mutex;
using partyline::error_code;
using partyline::test::no_memory;
using lock = async_mutex::lock;

namespace {

/// A mutex, and who has asked for it by name.
struct mutex_fixture : partyline::test::stepped_context {
    std::optional<async_mutex> mutex{std::in_place, context.get_executor()};
    std::map<char, lock> locks; // of those who have it
    std::string told;           // in the order of completion; who was refused has a `!`

    auto by(char name)
    {
        return [this, name](error_code failed, lock given) {
            told += failed ? std::string{'!', name} : std::string{name};
            BOOST_TEST(bool(given) == !failed);
            BOOST_TEST((!failed || failed == asio::error::operation_aborted));
            if (given)
                locks[name] = std::move(given);
        };
    }
    void ask(const std::string& names)
    {
        for (const char name : names)
            mutex->async_lock(by(name));
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(async_mutex_suite, mutex_fixture)

BOOST_AUTO_TEST_CASE(who_asks_first_has_it_at_once_and_not_from_within)
{
    ask("a");
    BOOST_TEST((told.empty() && mutex->is_locked()));
    run();
    BOOST_TEST(told == "a");
    locks.clear();
    BOOST_TEST(!mutex->is_locked());
}

BOOST_AUTO_TEST_CASE(one_at_a_time_has_it_in_the_order_of_asking)
{
    ask("abc");
    for (const char* const so_far : {"a", "ab", "abc"}) {
        run();
        BOOST_TEST(told == so_far);
        BOOST_TEST(locks.size() == 1u);
        locks.clear();
    }
    BOOST_TEST(!mutex->is_locked());
}

BOOST_AUTO_TEST_CASE(who_asks_between_an_unlock_and_the_next_turn_comes_later)
{
    ask("ab");
    run();
    locks.clear();
    ask("c");
    run();
    BOOST_TEST(told == "ab");
    locks.clear();
    run();
    BOOST_TEST(told == "abc");
}

BOOST_AUTO_TEST_CASE(a_lock_is_moved_and_unlocks_once)
{
    ask("abc");
    run();
    lock moved = std::move(locks['a']);
    locks.clear();
    run();
    BOOST_TEST(told == "a");
    moved.unlock();
    moved.unlock();
    BOOST_TEST(!moved);
    run();
    BOOST_TEST(told == "ab");
    locks['b'] = lock(); // what it held is unlocked
    run();
    BOOST_TEST(told == "abc");
}

BOOST_AUTO_TEST_CASE(who_is_cancelled_leaves_the_queue_and_the_others_keep_their_order)
{
    for (const auto type :
         {asio::cancellation_type::terminal, asio::cancellation_type::partial, asio::cancellation_type::total}) {
        asio::cancellation_signal signal;
        ask("a");
        mutex->async_lock(asio::bind_cancellation_slot(signal.slot(), by('b')));
        ask("c");
        run();
        signal.emit(type);
        BOOST_TEST(told == "a");
        run();
        BOOST_TEST(told == "a!b");
        locks.clear();
        run();
        BOOST_TEST(told == "a!bc");
        locks.clear();
        told.clear();
    }
}

BOOST_AUTO_TEST_CASE(a_turn_that_comes_before_a_cancel_is_told_is_not_lost)
{
    asio::cancellation_signal signal;
    ask("a");
    run();
    mutex->async_lock(asio::bind_cancellation_slot(signal.slot(), by('b')));
    signal.emit(asio::cancellation_type::terminal);
    locks.clear();
    run();
    BOOST_TEST(told == "ab");
}

BOOST_AUTO_TEST_CASE(a_turn_that_nobody_takes_is_the_next_ones)
{
    mutex->async_lock([](error_code, const lock&) {});
    ask("b");
    run();
    BOOST_TEST(told == "b");
}

BOOST_AUTO_TEST_CASE(a_cancel_of_all_reaches_who_waits_and_not_who_has_it)
{
    ask("abc");
    run();
    mutex->cancel();
    ask("d");
    locks.clear(); // neither b nor c gets it, though they have not been told yet
    run();
    BOOST_TEST(told == "a!b!cd");
}

BOOST_AUTO_TEST_CASE(who_waits_when_it_is_destroyed_is_aborted)
{
    ask("abc");
    run();
    mutex.reset();
    locks.clear();
    run();
    BOOST_TEST(told == "a!b!c");
}

BOOST_AUTO_TEST_CASE(a_lock_may_outlive_its_mutex)
{
    ask("a");
    mutex.reset();
    run();
    BOOST_TEST(told == "a");
}

BOOST_AUTO_TEST_CASE(who_waits_when_the_context_is_destroyed_is_destroyed)
{
    const auto mark = std::make_shared<int>();
    {
        asio::io_context short_lived;
        const auto own = std::make_shared<async_mutex>(short_lived.get_executor());
        for (int i = 0; i < 3; ++i)
            own->async_lock([own, mark](error_code, const lock&) { BOOST_ERROR("completed"); });
        BOOST_TEST(mark.use_count() == 4);
    }
    BOOST_TEST(mark.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(it_completes_on_the_executor_of_its_handler)
{
    stepped_context elsewhere;
    mutex->async_lock(asio::bind_executor(elsewhere.context.get_executor(), by('a')));
    run();
    BOOST_TEST(told.empty());
    elsewhere.run();
    BOOST_TEST(told == "a");
}

BOOST_AUTO_TEST_CASE(who_asks_when_there_is_no_memory_leaves_it_usable)
{
    ask("a");
    run();
    const auto without_memory = [this] { mutex->async_lock(asio::bind_allocator(no_memory<>(), by('x'))); };
    BOOST_CHECK_THROW(without_memory(), std::bad_alloc);
    ask("b");
    locks.clear();
    run();
    BOOST_TEST(told == "ab");
}

BOOST_AUTO_TEST_CASE(coroutines_of_both_kinds_take_turns)
{
    int at_work = 0;
    int done = 0;
    const auto as_task = [&](async_mutex& of) -> partyline::task<> {
        const lock own = co_await of.async_lock();
        BOOST_TEST(++at_work == 1);
        co_await asio::post(asio::deferred);
        --at_work;
        ++done;
    };
    const auto as_awaitable = [&](async_mutex& of) -> asio::awaitable<void> {
        const lock own = co_await of.async_lock(asio::use_awaitable);
        BOOST_TEST(++at_work == 1);
        co_await asio::post(asio::use_awaitable);
        --at_work;
        ++done;
    };
    const auto rethrow = [](std::exception_ptr thrown) {
        if (thrown)
            std::rethrow_exception(thrown);
    };
    for (int i = 0; i < 3; ++i) {
        co_spawn(context.get_executor(), as_task(*mutex), rethrow);
        asio::co_spawn(context.get_executor(), as_awaitable(*mutex), rethrow);
    }
    run();
    BOOST_TEST(done == 6);
    BOOST_TEST(!mutex->is_locked());
}

BOOST_AUTO_TEST_SUITE_END()
