#include "support/call_storm.hpp"
#include "support/race.hpp"
#include "support/thread_crew.hpp"

#include <boost/asio/use_future.hpp>
#include <boost/mp11/list.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <future>
#include <random>
#include <thread>

namespace asio = boost::asio;
using namespace partyline::test;
using partyline::errc;
using partyline::error_code;
using partyline::memory_stream;
using partyline::session;

namespace {

using plan = call_storm::plan;

// Two sessions on the threads of a crew, with the same methods.
template <class Stream>
class talking_pair {
public:
    talking_pair(thread_crew& crew, const std::shared_ptr<const partyline::method_table>& methods)
        : ends_(make_ends<Stream>(crew.context.get_executor(), crew.context.get_executor())),
          first(std::move(ends_.first), methods, quiet()), second(std::move(ends_.second), methods, quiet())
    {
        first_ended_ = run(first);
        second_ended_ = run(second);
    }
    ~talking_pair()
    {
        first.stop();
        second.stop();
        wait_first();
        wait_second();
    }

    // Bounded by the suite's timeout.
    error_code wait_first() { return first_ended_.get(); }
    error_code wait_second() { return second_ended_.get(); }

private:
    // Handlers whose calls fail are logged.
    static partyline::session_options quiet()
    {
        partyline::session_options options;
        options.log = [](std::string_view) {};
        return options;
    }

    static std::shared_future<error_code> run(session& side)
    {
        const auto ended = std::make_shared<std::promise<error_code>>();
        side.async_run([ended](error_code failed) { ended->set_value(failed); });
        return ended->get_future().share();
    }

    std::pair<Stream, Stream> ends_;
    std::shared_future<error_code> first_ended_;
    std::shared_future<error_code> second_ended_;

public:
    session first;
    session second;
};

// A moment of no particular length.
void dawdle(unsigned seed)
{
    std::mt19937 random(seed);
    std::atomic<unsigned> turns = random() % 400'000;
    while (turns.load() != 0)
        --turns;
}

int times(const call_storm& storm, const error_code& code)
{
    return storm.times(code.message());
}

const error_code aborted = asio::error::operation_aborted;

// How a peer's session ends after ours was closed. Handlers of calls that we have cancelled may still be asking us
// then.
bool is_orderly(const error_code& end)
{
    return !end || end == errc::peer_closed;
}

// Storms that `cut` ends, with these outcomes besides results and cancelled calls.
template <class Stream, class Cut>
void cut_storms(Cut cut, const std::vector<std::string>& outcomes)
{
    asio::thread_pool pool(3), elsewhere(2);
    thread_crew crew;
    const auto methods = make_storm_methods(pool.get_executor());
    for (unsigned seed = 1; seed <= 20; ++seed) {
        BOOST_TEST_CONTEXT("seed " << seed)
        {
            talking_pair<Stream> pair(crew, methods);
            call_storm storm(pair.first, elsewhere, seed, plan::endless);
            call_storm back(pair.second, elsewhere, seed + 100, plan::endless);
            dawdle(seed);
            cut(pair);
            for (call_storm* one : {&storm, &back}) {
                BOOST_REQUIRE(one->wait());
                BOOST_TEST(one->repeated() == 0);
                int known = one->times("result") + times(*one, aborted);
                for (const std::string& what : outcomes)
                    known += one->times(what);
                BOOST_TEST(known == call_storm::count, one->summary());
                BOOST_TEST(times(*one, aborted) <= one->cancelled());
            }
        }
    }
}

const std::string closed = make_error_code(errc::session_closed).message();
const std::string peer_closed = make_error_code(errc::peer_closed).message();
const std::string peer_gone_text = make_error_code(errc::peer_gone).message();

using streams = boost::mp11::mp_list<memory_stream, asio::local::stream_protocol::socket>;

} // namespace

BOOST_AUTO_TEST_SUITE(call_races, *boost::unit_test::timeout(110))

BOOST_AUTO_TEST_CASE_TEMPLATE(calls_of_many_threads_complete_once_each, Stream, streams)
{
    asio::thread_pool pool(3), elsewhere(2);
    thread_crew crew;
    const auto methods = make_storm_methods(pool.get_executor());
    for (unsigned seed = 1; seed <= 10; ++seed) {
        BOOST_TEST_CONTEXT("seed " << seed)
        {
            talking_pair<Stream> pair(crew, methods);
            call_storm storm(pair.first, elsewhere, seed, plan::all_end);
            call_storm back(pair.second, elsewhere, seed + 100, plan::all_end);
            for (call_storm* one : {&storm, &back}) {
                BOOST_REQUIRE(one->wait());
                BOOST_TEST(one->repeated() == 0);
                BOOST_TEST(one->times("result") + times(*one, aborted) == call_storm::count, one->summary());
                BOOST_TEST(times(*one, aborted) <= one->cancelled());
            }
            pair.first.close();
            BOOST_TEST(pair.wait_first() == error_code());
            BOOST_TEST(is_orderly(pair.wait_second()));
            for (const session* one : {&pair.first, &pair.second}) {
                const partyline::session_counters counted = one->counters();
                BOOST_TEST(counted.open_calls == 0u);
                BOOST_TEST(counted.in_flight == 0u);
                BOOST_TEST(counted.stray_replies == 0u);
                BOOST_TEST(counted.bad_replies == 0u);
            }
        }
    }
}

// Handlers that ask the peer pass on what it answered, or fail with what their call failed with.
BOOST_AUTO_TEST_CASE_TEMPLATE(stop_comes_at_any_moment, Stream, streams)
{
    cut_storms<Stream>([](talking_pair<Stream>& pair) { pair.first.stop(); },
                       {closed, peer_closed, peer_gone_text, "error -32800", "error -32603"});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(both_are_stopped_at_once, Stream, streams)
{
    cut_storms<Stream>(
        [](talking_pair<Stream>& pair) {
            std::thread other([&] { pair.second.stop(); });
            pair.first.stop();
            other.join();
        },
        {closed, peer_closed, peer_gone_text, "error -32800", "error -32603"});
}

// Those that came before have their results; the rest is refused.
BOOST_AUTO_TEST_CASE_TEMPLATE(close_comes_at_any_moment, Stream, streams)
{
    asio::thread_pool pool(3), elsewhere(2);
    thread_crew crew;
    const auto methods = make_storm_methods(pool.get_executor());
    for (unsigned seed = 1; seed <= 20; ++seed) {
        BOOST_TEST_CONTEXT("seed " << seed)
        {
            talking_pair<Stream> pair(crew, methods);
            call_storm storm(pair.first, elsewhere, seed, plan::all_end);
            dawdle(seed);
            std::thread other([&] { pair.first.close(); });
            pair.first.close();
            other.join();
            BOOST_REQUIRE(storm.wait());
            BOOST_TEST(storm.repeated() == 0);
            BOOST_TEST(storm.times("result") + times(storm, aborted) + storm.times(closed) == call_storm::count,
                       storm.summary());
            BOOST_TEST(pair.wait_first() == error_code());
            BOOST_TEST(is_orderly(pair.wait_second()));
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
