#include "faulty_run.hpp"

#include <partyline/session/lifecycle.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <ostream>
#include <stdexcept>

using namespace partyline::test;
using partyline::errc;
using partyline::session_options;

namespace partyline::test {

std::ostream& operator<<(std::ostream& out, const script& s);

} // namespace partyline::test

namespace {

// What is called often, and throws at one of its calls.
struct bomb {
    std::size_t calls = 0;
    std::size_t explodes_at = 0;

    void tick()
    {
        if (++calls == explodes_at)
            throw std::runtime_error("this hook throws");
    }
};

bomb* lit = nullptr;

class throwing_lifecycle final : public partyline::lifecycle {
public:
    partyline::ruling on_request(const partyline::message&, partyline::message_reader&) override
    {
        return lit->tick(), partyline::ruling{};
    }
    partyline::ruling on_notification(const partyline::message&, partyline::message_reader&) override
    {
        return lit->tick(), partyline::ruling{};
    }
    void on_answered(const partyline::answer_given&) override { lit->tick(); }
};

struct throwing_protocol final : partyline::profile {
    std::shared_ptr<partyline::lifecycle> make_lifecycle() const override
    {
        return std::make_shared<throwing_lifecycle>();
    }
};

const throwing_protocol throwing_profile;

// Runs it with one call throwing, and then the next, until a run is over before its time has come. A session in which
// something threw ends with a failure: that one, unless another came first, as without it.
void for_each_call_throwing(const script& played, void (*plant)(session_options&), bool ends_the_session)
{
    const run_record clean = perform(played, {});
    std::size_t thrown = 0;
    for (std::size_t n = 1;; ++n) {
        bomb own{0, n};
        lit = &own;
        const run_record faulty = perform(played, {}, {.prepare = plant});
        if (own.calls < n)
            break;
        ++thrown;
        for (const std::string& problem : find_problems(played, clean, faulty))
            BOOST_ERROR("with call " << n << " throwing: " << problem);
        const bool failed_before = clean.result && faulty.result == clean.result;
        if (ends_the_session && faulty.result != errc::session_failed && !failed_before)
            BOOST_ERROR("with call " << n << " throwing it ended with: " << faulty.result.message());
    }
    BOOST_TEST_MESSAGE(played.name << ": " << thrown << " runs in which something threw");
    BOOST_TEST(thrown != 0u);
}

void plant_hook(session_options& options)
{
    options.on_message = [](const partyline::message_event&) {
        lit->tick();
        return std::optional<partyline::error_object>();
    };
}

void plant_served_hook(session_options& options)
{
    options.on_served = [](const partyline::served_event&) { lit->tick(); };
}

void plant_log(session_options& options)
{
    options.log = [](std::string_view) { lit->tick(); };
}

void plant_start(session_options& options)
{
    options.on_start = [](const std::shared_ptr<partyline::session_link>&) { lit->tick(); };
}

void plant_end(session_options& options)
{
    options.on_end = [](const std::shared_ptr<partyline::session_link>&, partyline::error_code) { lit->tick(); };
}

void plant_profile(session_options& options)
{
    options.profile = &throwing_profile;
}

bool speaks_plainly(const script& s)
{
    session_options options;
    if (s.prepare)
        s.prepare(options);
    return !s.serve && options.profile == &partyline::plain_profile;
}

} // namespace

BOOST_AUTO_TEST_SUITE(hook_suite, *boost::unit_test::timeout(120))

// rule: security.harm.exceptions, security.harm.own_fault
BOOST_DATA_TEST_CASE(a_message_hook_that_throws_ends_its_session_alone, scripts(), played)
{
    for_each_call_throwing(played, plant_hook, true);
}

// rule: security.harm.exceptions
BOOST_DATA_TEST_CASE(a_served_hook_that_throws_changes_nothing, scripts(), played)
{
    for_each_call_throwing(played, plant_served_hook, false);
}

// rule: security.harm.exceptions, security.harm.own_fault
BOOST_AUTO_TEST_CASE(a_start_hook_that_throws_ends_its_session_alone)
{
    for_each_call_throwing(scripts().front(), plant_start, true);
}

// rule: security.harm.exceptions
BOOST_AUTO_TEST_CASE(an_end_hook_that_throws_changes_nothing)
{
    for_each_call_throwing(scripts().front(), plant_end, false);
}

// rule: security.harm.exceptions
BOOST_AUTO_TEST_CASE(a_log_that_throws_changes_nothing)
{
    for_each_call_throwing(scripts().front(), plant_log, false);
}

// rule: security.harm.own_fault
BOOST_DATA_TEST_CASE(a_profile_that_throws_ends_its_session_alone, scripts(), played)
{
    if (speaks_plainly(played))
        for_each_call_throwing(played, plant_profile, true);
}

BOOST_AUTO_TEST_SUITE_END()
