// Sessions over a network in which much goes wrong at random, from seeds that a failure names.

#include "unit/fleet/channel/simulated_channel.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <random>
#include <string>
#include <vector>

using namespace partyline::fleet;
using namespace std::chrono_literals;
using partyline::test::simulated_channel;

namespace {

/// Both sides write and read as it comes; what is read has to be what was written.
class random_session {
public:
    explicit random_session(unsigned seed) : random_(seed)
    {
        lost_ = below(40);
        doubled_ = below(30);
        late_ = below(30);
        most_ = below(3) == 0 ? 200'000 : 300;
        one.decide = [this](std::size_t, const channel_message&) { return fate(); };
        for (int i = 0; i < 300; ++i) {
            use(below(2));
            one.pass(std::chrono::milliseconds(below(30)));
        }
    }
    /// Both say all that is left, and end.
    void end()
    {
        for (int i = 0; i < 2'000 && !is_over(); ++i) {
            for (std::size_t side = 0; side < 2; ++side) {
                read(side, 1 << 20);
                one.sides[side].finish(one.now);
            }
            one.pass(500ms);
        }
        for (std::size_t side = 0; side < 2; ++side)
            read(side, 1 << 20);
    }
    bool is_over() { return one.front().is_settled() && one.worker().is_settled(); }
    bool is_broken() { return one.front().is_broken() || one.worker().is_broken(); }

    simulated_channel one;
    std::string written[2];
    std::string got[2]; // of what the other side has written

private:
    std::size_t below(std::size_t end) { return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_); }
    std::vector<simulated_channel::duration> fate()
    {
        std::vector<simulated_channel::duration> made;
        for (std::size_t copies = below(100) < doubled_ ? 2 : 1; copies != 0; --copies) {
            if (below(100) >= lost_)
                made.emplace_back(below(100) < late_ ? below(900) : below(3));
        }
        return made;
    }
    void use(std::size_t side)
    {
        if (below(3) != 0) {
            std::string bytes(1 + below(most_), '\0');
            std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<char>('a' + next_++ % 26); });
            bytes.resize(one.sides[side].write(bytes, one.now));
            written[side] += bytes;
        }
        if (below(4) != 0)
            read(side, 1 + below(most_));
    }
    void read(std::size_t side, std::size_t most) { got[1 - side] += one.read(side, most); }

    std::mt19937 random_;
    std::size_t lost_ = 0;
    std::size_t doubled_ = 0;
    std::size_t late_ = 0;
    std::size_t most_ = 0;
    std::size_t next_ = 0;
};

} // namespace

BOOST_AUTO_TEST_SUITE(fleet_channel_schedules_suite, *boost::unit_test::timeout(300))

BOOST_AUTO_TEST_CASE(each_byte_comes_once_and_in_order_whatever_is_lost)
{
    std::size_t whole = 0;
    for (unsigned seed = 1; seed <= 100; ++seed) {
        random_session session(seed);
        BOOST_TEST_CONTEXT("seed " << seed)
        {
            for (std::size_t side = 0; side < 2; ++side)
                BOOST_TEST(session.written[side].starts_with(session.got[side]));
            session.end();
            BOOST_TEST(session.is_over());
            for (std::size_t side = 0; side < 2; ++side) {
                BOOST_TEST(session.written[side].starts_with(session.got[side]));
                BOOST_TEST((session.is_broken() || session.written[side] == session.got[side]));
            }
            BOOST_TEST(session.one.front().dropped() + session.one.worker().dropped() == 0u);
        }
        whole += session.is_broken() ? 0 : 1;
    }
    BOOST_TEST(whole > 95u);
}

BOOST_AUTO_TEST_SUITE_END()
