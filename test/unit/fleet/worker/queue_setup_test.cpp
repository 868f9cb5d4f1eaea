#include "fleet/wire/names.hpp"
#include "fleet/worker/queue_setup.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>

using namespace partyline::fleet;
using namespace std::chrono_literals;

namespace {

constexpr std::chrono::system_clock::time_point now(1'795'989'342s); // 2026-11-29T21:55:42Z

std::string made_at(const std::string& when)
{
    return R"({"type":"io.nats.jetstream.api.v1.stream_create_response","created":")" + when + R"("})";
}

struct fixture {
    queue_setup setup{"w", "tools", 0};

    queue_setup::outcome answer(const std::string& payload) { return answer_to(setup.next(), payload); }

    queue_setup::outcome answer_to(const publication& request, const std::string& payload)
    {
        const auto at = read_worker_subject(request.reply_to, "w");
        BOOST_TEST_REQUIRE(at.has_value());
        BOOST_TEST((at->use == worker_use::setup));
        bus_message message{request.reply_to};
        message.payload = payload;
        return setup.on_answer(at->number, message, now);
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(fleet_queue_setup, fixture)

BOOST_AUTO_TEST_CASE(makes_the_stream_then_the_consumer_then_the_bucket)
{
    BOOST_TEST(setup.next().subject == "$JS.API.STREAM.CREATE.PL_tools");
    BOOST_TEST(answer(made_at("2026-01-01T00:00:00Z")).goes_on);
    BOOST_TEST(setup.next().subject.find("CONSUMER") != std::string::npos);
    BOOST_TEST(answer(made_at("2026-01-01T00:00:00Z")).goes_on);
    BOOST_TEST(setup.next().subject.find("KV_pl_claims") != std::string::npos);
    BOOST_TEST(!setup.is_ready());
    BOOST_TEST(answer(made_at("2026-01-01T00:00:00Z")).goes_on);
    BOOST_TEST(setup.is_ready());
}

BOOST_AUTO_TEST_CASE(asks_for_one_replica_where_there_is_no_cluster)
{
    const std::string three = std::string(setup.next().text());
    const queue_setup::outcome told = answer(R"({"error":{"code":500,"err_code":10074,"description":"no cluster"}})");
    BOOST_TEST(told.goes_on);
    BOOST_TEST(!told.is_to_wait);
    BOOST_TEST(told.problem == "");
    BOOST_TEST(setup.next().subject == "$JS.API.STREAM.CREATE.PL_tools");
    BOOST_TEST(setup.next().text() != three);
}

BOOST_AUTO_TEST_CASE(waits_before_the_consumer_of_a_stream_that_has_just_been_made)
{
    const struct {
        const char* created;
        bool waits;
    } rows[] = {{"2026-11-29T21:55:42.431644434Z", true},
                {"2026-11-29T21:55:41Z", true},
                {"2026-11-29T21:55:50Z", true},
                {"2026-11-29T21:55:39.9Z", false},
                {"2026-11-28T23:59:59.999999999Z", false},
                {"", false}};
    for (const auto& row : rows) {
        setup.begin();
        const queue_setup::outcome told = answer(made_at(row.created));
        BOOST_TEST(told.goes_on);
        BOOST_TEST(told.is_to_wait == row.waits, row.created);
        BOOST_TEST(!answer(made_at("2026-11-29T21:55:42Z")).is_to_wait); // of the consumer
    }
}

BOOST_AUTO_TEST_CASE(what_is_refused_is_a_problem_that_names_it)
{
    const queue_setup::outcome told = answer(R"({"error":{"code":503,"err_code":10008,"description":"no room"}})");
    BOOST_TEST(!told.goes_on);
    BOOST_TEST(told.problem == "the stream of the service \"tools\": no room");
    BOOST_TEST(setup.next().subject == "$JS.API.STREAM.CREATE.PL_tools");
}

// A request that was answered late, and was sent again.
BOOST_AUTO_TEST_CASE(a_second_answer_is_not_taken_for_that_of_the_next_request)
{
    const std::string made = made_at("2026-11-29T21:55:42Z");
    const publication stream = setup.next();
    BOOST_TEST(setup.next().reply_to == stream.reply_to);
    BOOST_TEST(answer_to(stream, made).is_to_wait);
    const queue_setup::outcome again = answer_to(stream, made);
    BOOST_TEST(!again.goes_on);
    BOOST_TEST(again.problem == "");
    const publication consumer = setup.next();
    BOOST_TEST(consumer.subject.find("CONSUMER") != std::string::npos);
    BOOST_TEST(answer_to(consumer, made).goes_on);
    BOOST_TEST(!answer_to(consumer, made).goes_on);
    const publication bucket = setup.next();
    BOOST_TEST(answer_to(bucket, made).goes_on);
    BOOST_TEST(setup.is_ready());
    BOOST_TEST(!answer_to(bucket, made).goes_on);
}

BOOST_AUTO_TEST_CASE(a_second_answer_that_there_is_no_cluster_is_no_problem)
{
    const std::string alone = R"({"error":{"code":500,"err_code":10074,"description":"no cluster"}})";
    const publication three = setup.next();
    BOOST_TEST(answer_to(three, alone).goes_on);
    const queue_setup::outcome again = answer_to(three, alone);
    BOOST_TEST(!again.goes_on);
    BOOST_TEST(again.problem == "");
}

BOOST_AUTO_TEST_CASE(an_answer_of_the_last_connection_is_not_taken)
{
    const publication before = setup.next();
    setup.begin();
    BOOST_TEST(!answer_to(before, made_at("2026-01-01T00:00:00Z")).goes_on);
    BOOST_TEST(answer(made_at("2026-01-01T00:00:00Z")).goes_on);
}

BOOST_AUTO_TEST_SUITE_END()
