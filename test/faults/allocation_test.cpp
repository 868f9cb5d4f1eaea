#include "faulty_run.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>

using namespace partyline::test;

namespace partyline::test {

std::ostream& operator<<(std::ostream& out, const script& s)
{
    return out << s.name;
}

} // namespace partyline::test

namespace {

// Runs it with one allocation failing, and then the next, until a run is over before its time has come.
template <class PlanFor>
void for_each_allocation_failing(const script& played, PlanFor plan_for)
{
    const run_record clean = perform(played, {});
    BOOST_TEST(find_problems(played, clean, clean).empty());
    BOOST_TEST_REQUIRE(clean.ends == 1u);
    std::size_t harmed = 0;
    for (std::size_t n = 1;; ++n) {
        const run_record faulty = perform(played, plan_for(n));
        if (faulty.failed_allocations == 0)
            break;
        ++harmed;
        for (const std::string& problem : find_problems(played, clean, faulty))
            BOOST_ERROR("with allocation " << n << " failing: " << problem);
    }
    BOOST_TEST_MESSAGE(played.name << ": " << harmed << " runs with a failed allocation");
    BOOST_TEST(harmed != 0u); // the first read alone needs 64 KiB
}

} // namespace

BOOST_AUTO_TEST_SUITE(allocation_suite, *boost::unit_test::timeout(120))

// rule: security.harm.exceptions, security.messages.whole
BOOST_DATA_TEST_CASE(whichever_allocation_fails_nothing_is_half_lost_or_left_hanging, scripts(), played)
{
    for_each_allocation_failing(played, [](std::size_t n) { return allocation_plan{.fails_at = n}; });
}

// As it is when the process may not grow any more: small ones still succeed.
// rule: security.harm.own_fault
BOOST_DATA_TEST_CASE(from_whichever_large_allocation_on_all_of_them_fail, scripts(), played)
{
    for_each_allocation_failing(played, [](std::size_t n) { return allocation_plan{.large_fail_at = n}; });
}

BOOST_AUTO_TEST_SUITE_END()
