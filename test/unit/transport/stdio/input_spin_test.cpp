#include "transport/stdio/input_spin.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <optional>

using namespace std::chrono_literals;
using partyline::input_spin;

namespace {

struct spin_fixture {
    boost::asio::io_context context{1};
    std::optional<input_spin> spin{context.get_executor()};

    // How many handlers have run.
    std::size_t poll()
    {
        context.restart();
        return context.poll();
    }
    // A wait that is over so soon that it is worth staying awake for the next one.
    void wait_shortly()
    {
        spin->on_wait();
        const auto end = std::chrono::steady_clock::now() + 5us;
        while (std::chrono::steady_clock::now() < end) {
        }
        spin->on_input();
    }
    // Until something is posted when a wait begins: where the system keeps us waiting, that takes longer.
    void begin_to_stay_awake()
    {
        const auto deadline = std::chrono::steady_clock::now() + 20s;
        for (bool is_posted = false; !is_posted && std::chrono::steady_clock::now() < deadline;) {
            wait_shortly();
            is_posted = poll() != 0;
        }
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(input_spins, spin_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(at_first_it_sleeps)
{
    spin->on_wait();
    BOOST_TEST(poll() == 0u);
}

BOOST_AUTO_TEST_CASE(after_short_waits_it_stays_awake_for_a_moment)
{
    begin_to_stay_awake();
    spin->on_wait();
    BOOST_TEST(poll() != 0u); // it goes on until the moment is over
    BOOST_TEST(poll() == 0u);
}

BOOST_AUTO_TEST_CASE(it_may_be_destroyed_meanwhile)
{
    begin_to_stay_awake();
    spin->on_wait();
    spin.reset();
    BOOST_TEST(poll() != 0u);
    BOOST_TEST(poll() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
