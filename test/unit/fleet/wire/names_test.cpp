#include "fleet/wire/names.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

using namespace partyline::fleet;

BOOST_AUTO_TEST_SUITE(fleet_names_suite, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(names_are_one_token_of_a_subject)
{
    for (const std::string_view good : {"tools", "A-z_09", "x"})
        BOOST_TEST(is_name(good), good);
    for (const std::string_view bad : {"", "a.b", "a b", "*", ">", "a*", "\xc3\xa9", "a\n", "a/b", "$JS"})
        BOOST_TEST(!is_name(bad), bad);
    BOOST_TEST(is_name(std::string(64, 'a')));
    BOOST_TEST(!is_name(std::string(65, 'a')));
    BOOST_TEST(!is_name(std::string_view("a\0b", 3)));
}

BOOST_AUTO_TEST_CASE(an_id_has_one_form)
{
    const auto id = call_id::read("F1.18446744073709551615");
    BOOST_TEST_REQUIRE(id.has_value());
    BOOST_TEST(id->front == "F1");
    BOOST_TEST(id->text() == "F1.18446744073709551615");
    for (const std::string_view bad : {"", "F1", "F1.", ".1", "F1.0", "F1.01", "F1.+1", "F1.-1", "F1.1.1", "F1.1 ",
                                       "F1.18446744073709551616", "F 1.1", "F1.0x1", "F1.1e1"})
        BOOST_TEST(!call_id::read(bad).has_value(), bad);
}

BOOST_AUTO_TEST_CASE(a_front_reads_its_own_subjects_alone)
{
    const call_id id{"F1", 7};
    const auto reply = read_front_subject(reply_subject(id.text()), "F1");
    BOOST_TEST_REQUIRE(reply.has_value());
    BOOST_TEST(reply->number == 7u);
    BOOST_TEST(reply->attempt == 0u);
    const auto stored = read_front_subject(attempt_subject(id, 3), "F1");
    BOOST_TEST_REQUIRE(stored.has_value());
    BOOST_TEST(stored->number == 7u);
    BOOST_TEST(stored->attempt == 3u);
    BOOST_TEST(!stored->is_session);
    const auto said = read_front_subject(session_subject(id), "F1");
    BOOST_TEST_REQUIRE(said.has_value());
    BOOST_TEST(said->number == 7u);
    BOOST_TEST(said->is_session);
    for (const std::string_view bad :
         {"pl.r.F2.7", "pl.r.F1", "pl.r.F1.", "pl.r.F1.x", "pl.r.F1.7.", "pl.r.F1.7.0", "pl.r.F1.7.1.1", "pl.r.F1.7.x",
          "pl.r.F1.m", "pl.r.F1.m.", "pl.r.F1.m.0", "pl.r.F1.m.7.1", "pl.r.F1.mm.7", "pl.q.F1.7", ""})
        BOOST_TEST(!read_front_subject(bad, "F1").has_value(), bad);
}

BOOST_AUTO_TEST_CASE(a_worker_reads_its_own_subjects_alone)
{
    for (const worker_use use :
         {worker_use::pull, worker_use::claim, worker_use::confirmation, worker_use::session, worker_use::setup}) {
        const auto at = read_worker_subject(worker_subject("W1", use, 9), "W1");
        BOOST_TEST_REQUIRE(at.has_value());
        BOOST_TEST((at->use == use));
        BOOST_TEST(at->number == 9u);
    }
    BOOST_TEST(run_session_subject("W1.9") == worker_subject("W1", worker_use::session, 9));
    for (const std::string_view bad :
         {"pl.w.W2.p.9", "pl.w.W1.p", "pl.w.W1.p.0", "pl.w.W1.x.9", "pl.w.W1.pp.9", "pl.w.W1.p.9.9", "pl.w.W1",
          "pl.c.tools", "pl.w.W1.s", "pl.w.W1.s.0", "pl.w.W1.s.01", "pl.w.W1.s.18446744073709551616"})
        BOOST_TEST(!read_worker_subject(bad, "W1").has_value(), bad);
}

BOOST_AUTO_TEST_CASE(confirmations_go_to_workers_alone)
{
    BOOST_TEST(is_confirmation_subject("pl.w.W1.c.9"));
    for (const std::string_view bad : {"", "pl.w.W1.p.9", "pl.q.tools", "$JS.API.STREAM.DELETE.PL_tools", "pl.w.*.c.9",
                                       "pl.w..c.9", "pl.w.W1.c", "pl.w.W1.c.9.9", "pl.r.F1.1"})
        BOOST_TEST(!is_confirmation_subject(bad), bad);
    BOOST_TEST(is_ack_subject("$JS.ACK.PL_tools.workers.1.2.3.4.0"));
    BOOST_TEST(!is_ack_subject("pl.q.tools"));
    BOOST_TEST(!is_ack_subject("$JS.ACK.PL_tools.\r\nPUB x"));
}

BOOST_AUTO_TEST_CASE(a_consumer_says_how_often_it_has_delivered)
{
    BOOST_TEST(deliveries_of("$JS.ACK.PL_tools.workers.3.20.40.1700000000.0") == 3u);
    BOOST_TEST(deliveries_of("$JS.ACK.domain.hash.PL_tools.workers.12.20.40.1700000000.0") == 12u);
    BOOST_TEST(deliveries_of("$JS.ACK.domain.hash.PL_tools.workers.12.20.40.1700000000.0.random") == 12u);
    for (const std::string_view bad :
         {"", "$JS.ACK.1", "pl.q.tools.workers.3.20.40.1700000000.0.x", "$JS.ACK.PL_tools.workers.-3.20.40.17.0",
          "$JS.ACK.PL_tools.workers.99999999999999999999.20.40.17.0"})
        BOOST_TEST(deliveries_of(bad) == 0u, bad);
}

BOOST_AUTO_TEST_CASE(streams_and_buckets_have_the_names_that_the_design_gives_them)
{
    BOOST_TEST(queue_subject("tools") == "pl.q.tools");
    BOOST_TEST(cancel_subject("tools") == "pl.c.tools");
    BOOST_TEST(stream_name("tools") == "PL_tools");
    BOOST_TEST(pull_subject("tools") == "$JS.API.CONSUMER.MSG.NEXT.PL_tools.workers");
    BOOST_TEST(claim_subject("F1.7") == "$KV.pl_claims.F1.7");
}

BOOST_AUTO_TEST_SUITE_END()
