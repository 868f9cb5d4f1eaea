#include "protocol/json/scratch_buffer.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <thread>
#include <utility>

using partyline::scratch_buffer;

BOOST_AUTO_TEST_SUITE(scratch_buffer_suite)

BOOST_AUTO_TEST_CASE(those_in_use_at_once_are_apart_and_begin_empty)
{
    for (int round = 0; round != 2; ++round) {
        scratch_buffer all[6]; // more than are kept
        for (scratch_buffer& one : all) {
            BOOST_TEST(one.get().empty());
            one.get().append(std::to_string(&one - all));
        }
        for (scratch_buffer& one : all)
            BOOST_TEST(one.get().view() == std::to_string(&one - all));
    }
}

// In a thread of its own, which has kept nothing yet.
std::size_t capacity_after(std::size_t wanted)
{
    std::size_t found = 0;
    std::thread([&] {
        std::optional<scratch_buffer> first(std::in_place);
        first->get().reserve(wanted);
        first.reset();
        found = scratch_buffer().get().capacity();
    }).join();
    return found;
}

BOOST_AUTO_TEST_CASE(memory_serves_again_unless_it_is_much)
{
    BOOST_TEST(capacity_after(65536) == 65536U);
    BOOST_TEST(capacity_after(65537) == 0U);
}

BOOST_AUTO_TEST_CASE(one_may_end_in_another_thread)
{
    std::optional<scratch_buffer> wandering(std::in_place);
    wandering->get().append("text");
    std::thread([&] {
        wandering.reset();
        BOOST_TEST(scratch_buffer().get().empty());
    }).join();
}

BOOST_AUTO_TEST_SUITE_END()
