#include "faulty_run.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <functional>
#include <ostream>
#include <string_view>

using namespace partyline::test;
using partyline::session_options;

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

// How often each request has been told, by id and method. It takes no memory that could fail.
struct told_requests {
    static constexpr std::size_t most = 4096;

    void note(const partyline::served_event& event) noexcept
    {
        const std::size_t hash =
            std::hash<std::string_view>()(event.method) * 31 + std::hash<std::string_view>()(event.id);
        ++counts[hash % most];
    }

    std::array<std::size_t, most> counts{};
};

told_requests* noting = nullptr;

void plant_notes(session_options& options)
{
    options.on_served = [](const partyline::served_event& event) { noting->note(event); };
}

} // namespace

BOOST_AUTO_TEST_SUITE(allocation_suite, *boost::unit_test::timeout(300))

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

// rule: security.messages.whole
BOOST_DATA_TEST_CASE(whichever_allocation_fails_no_request_is_told_twice, scripts(), played)
{
    told_requests as_it_is;
    noting = &as_it_is;
    const run_record clean = perform(played, {}, {.prepare = plant_notes});
    for (std::size_t n = 1;; ++n) {
        told_requests told;
        noting = &told;
        const run_record faulty = perform(played, {.fails_at = n}, {.prepare = plant_notes});
        if (faulty.failed_allocations == 0)
            break;
        for (const std::string& problem : find_problems(played, clean, faulty))
            BOOST_ERROR("with allocation " << n << " failing: " << problem);
        for (std::size_t i = 0; i != told_requests::most; ++i)
            if (told.counts[i] > as_it_is.counts[i])
                BOOST_ERROR("with allocation " << n << " failing a request is told once more than without");
    }
}

BOOST_AUTO_TEST_SUITE_END()
