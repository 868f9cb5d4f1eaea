#include "faulty_run.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>

using namespace partyline::test;

namespace partyline::test {

std::ostream& operator<<(std::ostream& out, const script& s);

} // namespace partyline::test

BOOST_AUTO_TEST_SUITE(transport_suite, *boost::unit_test::timeout(120))

// rule: security.harm.own_fault
BOOST_DATA_TEST_CASE(at_whichever_step_the_connection_breaks_its_session_ends_alone, scripts(), played)
{
    const run_record clean = perform(played, {});
    for (std::size_t n = 1;; ++n) {
        const run_record broken = perform(played, {}, {.breaks_at = n});
        if (!broken.is_cut_off)
            break;
        for (const std::string& problem : find_problems(played, clean, broken))
            BOOST_ERROR("with step " << n << " failing: " << problem);
        if (!broken.result)
            BOOST_ERROR("with step " << n << " failing it ended well");
    }
}

BOOST_AUTO_TEST_SUITE_END()
