#include "support/dialogue.hpp"
#include "support/race.hpp"

#include <boost/asio/thread_pool.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <deque>
#include <iostream>
#include <thread>

namespace asio = boost::asio;
using namespace partyline::test;
using partyline::error_code;
using partyline::memory_stream;
using partyline::session;
using partyline::session_counters;

namespace {

// Another thread that looks at a session's counters all the time.
class onlooker {
public:
    explicit onlooker(const session& seen) : thread_([this, &seen] { look(seen); }) {}
    ~onlooker()
    {
        is_done_ = true;
        thread_.join();
    }
    bool has_seen_decrease() const { return has_seen_decrease_; }

private:
    void look(const session& seen)
    {
        session_counters last;
        while (!is_done_) {
            const session_counters now = seen.counters();
            if (now.requests < last.requests || now.messages_out < last.messages_out || now.bytes_in < last.bytes_in ||
                now.peak_in_flight < last.peak_in_flight)
                has_seen_decrease_ = true;
            last = now;
            std::this_thread::yield();
        }
    }

    std::atomic<bool> is_done_ = false;
    std::atomic<bool> has_seen_decrease_ = false;
    std::thread thread_; // last: it uses the others
};

// A moment of no particular length.
void dawdle(std::mt19937& random)
{
    std::atomic<unsigned> turns = random() % 3 == 0 ? 0 : random() % 200'000;
    while (turns.load() != 0)
        --turns;
}

void announce(const char* name, unsigned first, unsigned last)
{
    std::cout << name << ": seeds " << first << " to " << last << std::endl;
}

// Conversations that are cut short at random points, by `cut(talk)` on a thread of its own; then nothing holds the
// methods.
// Half of them would never end by themselves; with the others, the cut may race with the end.
template <class Stream, class Cut>
void cut_short(unsigned rounds, Cut cut)
{
    asio::thread_pool pool(3);
    auto methods = make_race_methods(pool.get_executor());
    const std::weak_ptr used = methods;
    constexpr int count = 60;
    {
        thread_crew crew;
        for (unsigned seed = 1; seed <= rounds; ++seed) {
            BOOST_TEST_CONTEXT("seed " << seed)
            {
                std::mt19937 random(seed);
                const bool is_endless = seed % 2 == 0;
                std::string lines = make_race_requests(count, random);
                if (is_endless)
                    lines += request(std::to_string(count), "wait") + '\n';
                running_talk<Stream> one(crew, methods, std::move(lines));
                std::thread([&] {
                    dawdle(random);
                    cut(one);
                }).join();
                const error_code result = one.wait_end();
                BOOST_TEST((result == asio::error::operation_aborted || (!result && !is_endless)));
                const told what = one.wait_told();
                check_answers(what, count + is_endless, result ? extent::some : extent::all);
                BOOST_TEST(what.tail.empty());
            }
        }
    }
    pool.join();
    methods.reset();
    BOOST_TEST(used.expired());
}

using streams = boost::mp11::mp_list<memory_stream, asio::local::stream_protocol::socket>;

} // namespace

BOOST_AUTO_TEST_SUITE(session_races, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE_TEMPLATE(every_request_is_answered_once_whatever_its_cancel_races_with, Stream, streams)
{
    announce("requests", 1, 4);
    asio::thread_pool pool(3);
    constexpr int count = 400;
    thread_crew crew;
    const auto methods = make_race_methods(pool.get_executor());
    std::deque<running_talk<Stream>> talks;
    for (unsigned seed = 1; seed <= 4; ++seed) {
        std::mt19937 random(seed);
        talks.emplace_back(crew, methods, make_race_requests(count, random));
    }
    const onlooker seen(*talks.front().server);
    for (running_talk<Stream>& one : talks) {
        BOOST_TEST(one.wait_end() == error_code());
        check_answers(one.wait_told(), count, extent::all);
        const session_counters counted = one.server->counters();
        BOOST_TEST(counted.requests == std::uint64_t(count));
        BOOST_TEST(counted.in_flight == 0u);
        BOOST_TEST(counted.waiting == 0u);
        BOOST_TEST(counted.outbox_bytes == 0u);
    }
    BOOST_TEST(!seen.has_seen_decrease());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(stop_comes_at_any_moment, Stream, streams)
{
    announce("stop", 1, 60);
    cut_short<Stream>(60, [](running_talk<Stream>& one) { one.server->stop(); });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(destruction_comes_at_any_moment, Stream, streams)
{
    announce("destroy", 1, 60);
    cut_short<Stream>(60, [](running_talk<Stream>& one) { one.server.reset(); });
}

BOOST_AUTO_TEST_CASE(several_threads_stop_and_destroy_at_once)
{
    announce("stop and destroy", 1, 40);
    cut_short<memory_stream>(40, [](running_talk<memory_stream>& one) {
        session moved(std::move(*one.server));
        std::thread first([&] { moved.stop(); });
        std::thread second([&] { moved.stop(); });
        first.join();
        second.join();
        one.server.reset();
    });
}

BOOST_AUTO_TEST_CASE(methods_are_exchanged_from_another_thread_at_any_moment)
{
    announce("use_methods", 1, 10);
    asio::thread_pool pool(3);
    constexpr int count = 200;
    std::vector<std::weak_ptr<const partyline::method_table>> used;
    {
        thread_crew crew;
        for (unsigned seed = 1; seed <= 10; ++seed) {
            std::mt19937 random(seed);
            auto methods = make_race_methods(pool.get_executor());
            running_talk<memory_stream> one(crew, std::move(methods), make_race_requests(count, random));
            std::thread([&] {
                for (int i = 0; i < 10; ++i) {
                    dawdle(random);
                    auto next = make_race_methods(pool.get_executor());
                    used.push_back(next);
                    one.server->use_methods(std::move(next));
                }
            }).join();
            BOOST_TEST(one.wait_end() == error_code());
            check_answers(one.wait_told(), count, extent::all);
        }
    }
    pool.join();
    BOOST_TEST(used.size() == 100u);
    for (const auto& table : used)
        BOOST_TEST(table.expired());
}

BOOST_AUTO_TEST_SUITE_END()
