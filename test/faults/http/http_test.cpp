// A server over HTTP whose memory or whose connections fail at every step.

#include "http_run.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>

using namespace partyline::test;

namespace partyline::test {

std::ostream& operator<<(std::ostream& out, const http_script& s)
{
    return out << s.name;
}

} // namespace partyline::test

namespace {

http_record perform_well(const http_script& played)
{
    const http_record clean = perform(played, {}, {});
    for (const std::string& problem : find_problems(played, clean, clean))
        BOOST_ERROR("without a fault: " << problem);
    return clean;
}

template <class PlanFor>
void for_each_allocation_failing(const http_script& played, PlanFor plan_for)
{
    const http_record clean = perform_well(played);
    std::size_t harmed = 0;
    for (std::size_t n = 1;; ++n) {
        const http_record faulty = perform(played, plan_for(n), {});
        if (faulty.failed_allocations == 0)
            break;
        ++harmed;
        for (const std::string& problem : find_problems(played, clean, faulty))
            BOOST_ERROR("with allocation " << n << " failing: " << problem);
    }
    BOOST_TEST_MESSAGE(played.name << ": " << harmed << " runs with a failed allocation");
    BOOST_TEST(harmed != 0u);
}

template <class Find>
void for_each_call_failing(const http_script& played, socket_plan::kind what, Find find)
{
    const http_record clean = perform_well(played);
    std::size_t struck = 0;
    for (std::size_t n = 1;; ++n) {
        const http_record faulty = perform(played, {}, {what, n});
        if (!faulty.has_struck)
            break;
        ++struck;
        for (const std::string& problem : find_problems(played, clean, faulty))
            BOOST_ERROR("with call " << n << " failing: " << problem);
        for (const std::string& problem : find(clean, faulty))
            BOOST_ERROR("with call " << n << " failing: " << problem);
    }
    BOOST_TEST(struck > 2u);
}

std::vector<std::string> find_nothing(const http_record&, const http_record&)
{
    return {};
}

} // namespace

BOOST_AUTO_TEST_SUITE(http_fault_suite, *boost::unit_test::timeout(120))

// rule: security.harm.exceptions
BOOST_DATA_TEST_CASE(whichever_allocation_fails_every_client_is_answered_or_let_go, http_scripts(), played)
{
    for_each_allocation_failing(played, [](std::size_t n) { return allocation_plan{.fails_at = n}; });
}

BOOST_DATA_TEST_CASE(so_it_is_when_all_large_ones_fail_from_one_on, http_scripts(), played)
{
    for_each_allocation_failing(played, [](std::size_t n) { return allocation_plan{.large_fail_at = n}; });
}

// rule: security.harm.own_fault
BOOST_DATA_TEST_CASE(at_whichever_call_a_connection_is_reset_only_its_client_is_harmed, http_scripts(), played)
{
    for_each_call_failing(played, socket_plan::kind::lose, find_nothing);
}

// rule: security.messages.whole
BOOST_DATA_TEST_CASE(what_moves_a_byte_changes_no_answer, http_scripts(), played)
{
    for_each_call_failing(played, socket_plan::kind::shorten, find_differences);
}

BOOST_DATA_TEST_CASE(what_would_block_changes_no_answer, http_scripts(), played)
{
    for_each_call_failing(played, socket_plan::kind::refuse, find_differences);
}

BOOST_AUTO_TEST_SUITE_END()
