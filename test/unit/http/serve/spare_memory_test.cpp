// What is kept for clients that may come back: it goes first, and is never in the way.

#include "http/serve/spare_memory.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <deque>
#include <vector>

using namespace std::chrono_literals;
using partyline::memory_budget;
using partyline::http::spare_memory;

namespace {

constexpr spare_memory::clock::time_point start{};
constexpr bool complete = true;

struct kept final : spare_memory::entry {
    kept(spare_memory& in, int its_number, std::vector<int>& noted) : entry(in), number(its_number), forgotten(noted) {}
    using entry::keep;
    void forget() noexcept override { forgotten.push_back(number); }

    int number;
    std::vector<int>& forgotten;
};

struct spare_fixture {
    kept& keep(std::size_t bytes, bool is_complete, spare_memory::clock::time_point now = start)
    {
        kept& one = all.emplace_back(memory, static_cast<int>(all.size()), forgotten);
        one.keep(bytes, is_complete, now);
        return one;
    }

    memory_budget budget{8000};
    spare_memory memory{&budget};
    std::vector<int> forgotten;
    std::deque<kept> all;
};

using numbers = std::vector<int>;

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_spare_memory, spare_fixture)

BOOST_AUTO_TEST_CASE(it_takes_an_eighth_of_the_budget_at_most)
{
    for (int i = 0; i != 5; ++i)
        keep(250, complete);
    BOOST_TEST(forgotten == numbers{0});
    BOOST_TEST(memory.bytes() == 1000u);
    BOOST_TEST(budget.used() == 0u); // nobody else has less for it
}

BOOST_AUTO_TEST_CASE(it_goes_when_others_take_memory)
{
    for (int i = 0; i != 4; ++i)
        keep(250, complete);
    budget.add(7400);
    memory.trim();
    BOOST_TEST((forgotten == numbers{0, 1}));
    BOOST_TEST(budget.used() + memory.bytes() <= budget.limit());
    budget.add(1000); // more than there is
    memory.trim();
    BOOST_TEST(memory.bytes() == 0u);
}

BOOST_AUTO_TEST_CASE(what_there_is_no_room_for_is_not_kept)
{
    keep(200, complete);
    keep(1001, complete);
    BOOST_TEST((forgotten == numbers{0, 1}));
    BOOST_TEST(memory.bytes() == 0u);
    budget.add(8000);
    keep(1, complete);
    BOOST_TEST((forgotten == numbers{0, 1, 2}));
}

BOOST_AUTO_TEST_CASE(what_is_complete_goes_first)
{
    keep(500, !complete);
    keep(300, complete);
    keep(300, !complete);
    BOOST_TEST(forgotten == numbers{1});
    keep(300, !complete);
    BOOST_TEST((forgotten == numbers{1, 0}));
    BOOST_TEST(memory.bytes() == 600u);
}

BOOST_AUTO_TEST_CASE(one_that_changes_is_counted_as_it_is)
{
    kept& one = keep(500, !complete);
    keep(100, complete);
    one.keep(700, !complete, start);
    BOOST_TEST(memory.bytes() == 800u);
    one.keep(600, complete, start); // it is younger now than the other
    keep(400, !complete);
    BOOST_TEST(forgotten == numbers{1});
    one.keep(0, complete, start);
    BOOST_TEST(memory.bytes() == 400u);
}

BOOST_AUTO_TEST_CASE(complete_ones_are_forgotten_after_their_time)
{
    keep(100, complete, start);
    keep(100, complete, start + 1s);
    keep(100, !complete, start);
    memory.forget_older(60s, start + 60s - 1ns);
    BOOST_TEST(forgotten.empty());
    memory.forget_older(60s, start + 60s);
    BOOST_TEST(forgotten == numbers{0});
    memory.forget_older(60s, start + 61s);
    BOOST_TEST((forgotten == numbers{0, 1}));
    memory.forget_older(60s, start + 600s);
    BOOST_TEST(memory.bytes() == 100u);
}

BOOST_AUTO_TEST_CASE(one_that_ends_leaves_nothing_behind)
{
    keep(100, complete);
    keep(100, !complete);
    all.clear();
    BOOST_TEST(memory.bytes() == 0u);
}

BOOST_AUTO_TEST_CASE(without_a_budget_there_is_no_bound)
{
    spare_memory unbounded(nullptr);
    kept one(unbounded, 0, forgotten);
    one.keep(std::size_t(1) << 40, complete, start);
    unbounded.trim();
    BOOST_TEST(forgotten.empty());
}

BOOST_AUTO_TEST_SUITE_END()
