#include "support/child_fixture.hpp"
#include "support/descriptor_limit.hpp"
#include "transport/raised_descriptor_limit.hpp"

#include <boost/test/unit_test.hpp>

#include <sys/resource.h>

using partyline::child_process;
using partyline::raised_descriptor_limit;
using partyline::test::checked;

namespace {

constexpr rlim_t usual_limit = 200;

rlimit descriptor_limit_of(pid_t process)
{
    rlimit limit{};
    checked(::prlimit(process, RLIMIT_NOFILE, nullptr, &limit), "prlimit");
    return limit;
}

// With a soft limit that is below the hard one.
struct low_limit_fixture : partyline::test::child_fixture {
    low_limit_fixture() { ours.set(usual_limit); }

    rlimit limit_of_new_child()
    {
        const child_process child(context.get_executor(), {"cat"});
        return descriptor_limit_of(child.report()->pid());
    }

    partyline::test::descriptor_limit ours;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(raised_descriptor_limit_suite, low_limit_fixture,
                         *boost::unit_test::timeout(60) *
                             boost::unit_test::precondition(partyline::test::can_set_descriptor_limit))

BOOST_AUTO_TEST_CASE(the_limit_is_raised_and_children_get_the_one_from_before)
{
    {
        const raised_descriptor_limit raised;
        BOOST_TEST(descriptor_limit_of(0).rlim_cur == ours.hard() - 1);
        const rlimit of_child = limit_of_new_child();
        BOOST_TEST(of_child.rlim_cur == usual_limit);
        BOOST_TEST(of_child.rlim_max == ours.hard());
    }
    BOOST_TEST(descriptor_limit_of(0).rlim_cur == usual_limit);
}

BOOST_AUTO_TEST_CASE(a_limit_that_is_not_raised_is_inherited_as_it_is)
{
    BOOST_TEST(limit_of_new_child().rlim_cur == usual_limit);
    ours.set(ours.hard());
    const raised_descriptor_limit nothing_to_do;
    BOOST_TEST(limit_of_new_child().rlim_cur == ours.hard());
}

BOOST_AUTO_TEST_CASE(a_second_object_does_nothing)
{
    const raised_descriptor_limit raised;
    {
        const raised_descriptor_limit again;
    }
    BOOST_TEST(descriptor_limit_of(0).rlim_cur == ours.hard() - 1);
    BOOST_TEST(limit_of_new_child().rlim_cur == usual_limit);
}

BOOST_AUTO_TEST_CASE(a_limit_that_a_process_has_chosen_stays)
{
    const raised_descriptor_limit raised;
    const child_process child(context.get_executor(), {"cat"});
    const pid_t pid = child.report()->pid();
    for (const rlim_t count : {usual_limit - 1, ours.hard()}) {
        const rlimit chosen{count, ours.hard()};
        checked(::prlimit(pid, RLIMIT_NOFILE, &chosen, nullptr), "prlimit");
        raised_descriptor_limit::restore_in(pid);
        BOOST_TEST(descriptor_limit_of(pid).rlim_cur == count);
    }
}

BOOST_AUTO_TEST_SUITE_END()
