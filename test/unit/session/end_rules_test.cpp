#include "session/end_rules.hpp"

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

using partyline::end_rules;
using partyline::errc;
using partyline::error_code;
using partyline::detail::end_reason;
using phase = end_rules::phase;
using step = end_rules::step;

namespace {

const end_reason peer_closed{errc::peer_closed};
const end_reason peer_gone{errc::peer_gone, {}, false, true};
const end_reason peer_failed{errc::bad_header, "no colon", true};
const error_code stopped = boost::asio::error::operation_aborted;

struct fixture {
    end_rules rules;

    step end_input(const end_reason& why, bool were_calls_open = false, bool has_work = false)
    {
        rules.on_input_over(why);
        return rules.on_input_taken(were_calls_open, has_work);
    }
    bool refuses(bool is_call, bool from_handler) const { return rules.refusal(is_call, from_handler) != nullptr; }
};

} // namespace

BOOST_TEST_DONT_PRINT_LOG_VALUE(end_rules::phase)
BOOST_TEST_DONT_PRINT_LOG_VALUE(end_rules::step)

BOOST_FIXTURE_TEST_SUITE(end_rules_suite, fixture)

BOOST_AUTO_TEST_CASE(at_first_it_is_open)
{
    BOOST_TEST(rules.current() == phase::open);
    BOOST_TEST(!rules.is_stopping());
    BOOST_TEST(!rules.ignores_input());
    BOOST_TEST(!refuses(true, false));
    BOOST_TEST(!rules.result());
}

BOOST_AUTO_TEST_CASE(the_end_of_input_drains_when_all_that_came_has_been_handled)
{
    rules.on_input_over(peer_closed);
    BOOST_TEST(rules.has_input_left());
    BOOST_TEST(!rules.is_stopping());
    BOOST_TEST(rules.on_input_taken(false, true) == step::drain);
    BOOST_TEST(!rules.has_input_left());
    BOOST_TEST(rules.is_stopping());
    BOOST_TEST(!rules.ignores_input());
    BOOST_TEST(!rules.result());
    BOOST_TEST(rules.on_input_taken(false, true) == step::none);
}

BOOST_AUTO_TEST_CASE(the_first_end_of_input_says_why)
{
    rules.on_input_over(peer_failed);
    rules.on_input_over(peer_closed);
    BOOST_TEST(rules.unanswered().code == error_code(errc::bad_header));
    BOOST_TEST(rules.unanswered().details == "no colon");
}

BOOST_AUTO_TEST_CASE(calls_that_the_peer_leaves_unanswered_are_a_failure)
{
    end_input(peer_closed, true);
    BOOST_TEST(rules.result() == error_code(errc::peer_closed));
}

BOOST_AUTO_TEST_CASE(an_end_that_is_a_failure_is_one_unless_we_wanted_it)
{
    end_rules wanted;
    wanted.on_close();
    wanted.on_input_over(peer_failed);
    BOOST_TEST(wanted.on_input_taken(false, false) == step::none); // drains already
    BOOST_TEST(!wanted.result());
    end_input(peer_failed);
    BOOST_TEST(rules.result() == error_code(errc::bad_header));
}

BOOST_AUTO_TEST_CASE(a_peer_that_has_gone_has_its_requests_cancelled)
{
    end_rules idle;
    idle.on_input_over(peer_gone);
    BOOST_TEST(idle.on_input_taken(false, false) == step::drain); // nobody is left unserved
    BOOST_TEST(!idle.result());
    BOOST_TEST(end_input(peer_gone, false, true) == step::cancel);
    BOOST_TEST(rules.result() == error_code(errc::peer_gone));
}

BOOST_AUTO_TEST_CASE(closing_drains_and_goes_on_reading)
{
    BOOST_TEST(rules.on_close() == step::drain);
    BOOST_TEST(rules.is_stopping());
    BOOST_TEST(!rules.ignores_input());
    BOOST_TEST(rules.on_close() == step::none);
    BOOST_TEST(refuses(true, false));
    BOOST_TEST(refuses(false, false));
    BOOST_TEST(!refuses(true, true)); // a handler that is under way may ask
}

BOOST_AUTO_TEST_CASE(closing_while_input_has_ended_drains_once)
{
    BOOST_TEST(end_input(peer_closed) == step::drain);
    BOOST_TEST(!refuses(false, false));
    BOOST_TEST(rules.on_close() == step::none);
    BOOST_TEST(rules.current() == phase::closing);
    BOOST_TEST(refuses(false, false));
}

BOOST_AUTO_TEST_CASE(after_a_close_a_peer_that_does_not_read_puts_nothing_off)
{
    rules.on_close();
    BOOST_TEST(rules.was_closed());
    BOOST_TEST(rules.on_drain_timeout(true) == step::cancel);
}

BOOST_AUTO_TEST_CASE(a_close_does_not_wait_until_a_peer_has_caught_up)
{
    end_input(peer_closed);
    rules.on_drain_timeout(true);
    BOOST_TEST(rules.on_close() == step::drain);
    BOOST_TEST(!rules.is_peer_behind());
    BOOST_TEST(rules.on_drain_timeout(true) == step::cancel);
}

BOOST_AUTO_TEST_CASE(nobody_answers_calls_behind_the_end_of_input)
{
    end_input(peer_closed);
    BOOST_TEST_REQUIRE(refuses(true, true));
    BOOST_TEST(rules.refusal(true, true)->code == error_code(errc::peer_closed));
    BOOST_TEST(!refuses(false, true)); // it may still read
}

BOOST_AUTO_TEST_CASE(of_two_stops_the_first_one_says_why)
{
    BOOST_TEST(rules.on_stop(stopped, {errc::session_closed}) == step::cancel);
    BOOST_TEST(rules.on_stop(errc::write_stalled, {errc::write_stalled}) == step::none);
    BOOST_TEST(rules.result() == stopped);
    BOOST_TEST(rules.unanswered().code == error_code(errc::session_closed));
    BOOST_TEST(rules.ignores_input());
    BOOST_TEST(refuses(false, true));
}

BOOST_AUTO_TEST_CASE(behind_a_stop_the_end_of_input_changes_nothing)
{
    rules.on_stop(stopped, {errc::session_closed});
    BOOST_TEST(end_input(peer_failed, true, true) == step::none);
    BOOST_TEST(rules.result() == stopped);
    BOOST_TEST(rules.unanswered().code == error_code(errc::session_closed));
    BOOST_TEST(rules.on_close() == step::none);
    BOOST_TEST(rules.current() == phase::cancelling);
}

BOOST_AUTO_TEST_CASE(a_stop_keeps_what_calls_that_were_left_unanswered_have_said)
{
    end_input(peer_closed, true);
    rules.on_stop(stopped, {errc::session_closed});
    BOOST_TEST(rules.result() == error_code(errc::peer_closed));
}

BOOST_AUTO_TEST_CASE(the_drain_timeout_cancels)
{
    end_input(peer_closed, true);
    BOOST_TEST(rules.on_drain_timeout(false) == step::cancel);
    BOOST_TEST(rules.result() == error_code(errc::drain_timeout));
    BOOST_TEST(rules.on_drain_timeout(false) == step::none);
}

BOOST_AUTO_TEST_CASE(who_waits_for_a_peer_that_does_not_read_gets_the_time_afresh)
{
    end_input(peer_closed);
    BOOST_TEST(!rules.on_peer_caught_up());
    BOOST_TEST(rules.on_drain_timeout(true) == step::none);
    BOOST_TEST(rules.is_peer_behind());
    BOOST_TEST(!rules.ignores_input());
    BOOST_TEST(rules.on_peer_caught_up());
    BOOST_TEST(!rules.on_peer_caught_up());
    BOOST_TEST(rules.on_drain_timeout(false) == step::cancel);
}

BOOST_AUTO_TEST_CASE(a_stop_is_not_put_off_by_a_peer_that_does_not_read)
{
    end_input(peer_closed);
    rules.on_drain_timeout(true);
    rules.on_stop(stopped, {errc::session_closed});
    BOOST_TEST(!rules.on_peer_caught_up());
    BOOST_TEST(rules.on_drain_timeout(true) == step::none);
    BOOST_TEST(!rules.is_peer_behind());
}

BOOST_AUTO_TEST_CASE(when_the_grace_is_over_handlers_are_given_up)
{
    rules.on_stop(stopped, {errc::session_closed});
    BOOST_TEST(!rules.has_abandoned());
    BOOST_TEST(rules.on_grace_over() == step::end);
    BOOST_TEST(rules.has_abandoned());
    rules.on_end();
    BOOST_TEST(rules.has_ended());
    BOOST_TEST(rules.was_cancelled());
    BOOST_TEST(rules.on_grace_over() == step::none);
}

BOOST_AUTO_TEST_CASE(a_failure_cancels_once)
{
    BOOST_TEST(rules.on_failure() == step::cancel);
    BOOST_TEST(rules.on_failure() == step::none); // the end is on its way
    BOOST_TEST(rules.has_failed());
    BOOST_TEST(rules.result() == error_code(errc::session_failed));
    BOOST_TEST(rules.refusal(true, true)->code == error_code(errc::session_failed));
}

BOOST_AUTO_TEST_CASE(a_failure_of_the_cancelling_itself_breaks_the_session)
{
    rules.on_failure();
    rules.on_broken(true);
    BOOST_TEST(rules.is_broken());
    BOOST_TEST(rules.has_abandoned());
    BOOST_TEST(rules.ignores_input());
    rules.on_end();
    BOOST_TEST(!rules.is_broken());
    BOOST_TEST(rules.has_ended());
}

BOOST_AUTO_TEST_CASE(one_that_was_never_stopped_is_not_cancelled_by_its_end)
{
    end_input(peer_closed);
    rules.on_end();
    BOOST_TEST(!rules.was_cancelled());
    BOOST_TEST(rules.ignores_input());
    BOOST_TEST(refuses(false, true));
    BOOST_TEST(rules.on_stop(stopped, {errc::session_closed}) == step::none);
    BOOST_TEST(!rules.result());
}

BOOST_AUTO_TEST_CASE(a_close_may_have_a_reason_which_its_timeout_does_not_hide)
{
    BOOST_TEST((rules.on_close(errc::access_ended) == step::drain));
    BOOST_TEST((rules.on_close() == step::none));
    BOOST_TEST((rules.on_drain_timeout(false) == step::cancel));
    BOOST_TEST(rules.result() == make_error_code(errc::access_ended));
}

BOOST_AUTO_TEST_CASE(a_reason_that_comes_behind_the_end_changes_nothing)
{
    BOOST_TEST((rules.on_stop(stopped, peer_gone) == step::cancel));
    BOOST_TEST((rules.on_close(errc::access_ended) == step::none));
    BOOST_TEST(rules.result() == stopped);
}

BOOST_AUTO_TEST_SUITE_END()
