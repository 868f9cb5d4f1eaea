#include "fleet/wire/names.hpp"
#include "fleet/worker/queue_setup.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace partyline::fleet;

namespace {

constexpr const char* api_success = R"({"type":"io.nats.jetstream.api.v1.stream_create_response"})";
constexpr const char* api_no_cluster = R"({"error":{"code":500,"err_code":10074,"description":"no cluster"}})";

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
        return setup.on_answer(at->number, message);
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(fleet_queue_setup, fixture)

BOOST_AUTO_TEST_CASE(makes_the_stream_then_the_consumer_then_the_bucket)
{
    BOOST_TEST(setup.next().subject == "$JS.API.STREAM.CREATE.PL_tools");
    BOOST_TEST(answer(api_success).goes_on);
    BOOST_TEST(setup.next().subject.find("CONSUMER") != std::string::npos);
    BOOST_TEST(answer(api_success).goes_on);
    BOOST_TEST(setup.next().subject.find("KV_pl_claims") != std::string::npos);
    BOOST_TEST(!setup.is_ready());
    BOOST_TEST(answer(api_success).goes_on);
    BOOST_TEST(setup.is_ready());
}

BOOST_AUTO_TEST_CASE(asks_for_one_replica_where_there_is_no_cluster)
{
    const std::string three = std::string(setup.next().text());
    const queue_setup::outcome told = answer(api_no_cluster);
    BOOST_TEST(told.goes_on);
    BOOST_TEST(!told.is_to_wait);
    BOOST_TEST(told.problem == "");
    BOOST_TEST(setup.next().subject == "$JS.API.STREAM.CREATE.PL_tools");
    BOOST_TEST(setup.next().text() != three);
}

// When a stream was made is said by the server's clock, which may be another one than the worker's.
BOOST_AUTO_TEST_CASE(waits_before_the_consumer_whenever_the_stream_was_made)
{
    const std::string differs = R"({"error":{"code":400,"err_code":10058,"description":"stream name in use"}})";
    for (const std::string& said : {std::string(api_success), differs}) {
        setup.begin();
        const queue_setup::outcome told = answer(said);
        BOOST_TEST(told.goes_on);
        BOOST_TEST(told.is_to_wait, said);
        BOOST_TEST(!answer(api_success).is_to_wait); // of the consumer
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
    const publication stream = setup.next();
    BOOST_TEST(setup.next().reply_to == stream.reply_to);
    BOOST_TEST(answer_to(stream, api_success).is_to_wait);
    const queue_setup::outcome again = answer_to(stream, api_success);
    BOOST_TEST(!again.goes_on);
    BOOST_TEST(again.problem == "");
    const publication consumer = setup.next();
    BOOST_TEST(consumer.subject.find("CONSUMER") != std::string::npos);
    BOOST_TEST(answer_to(consumer, api_success).goes_on);
    BOOST_TEST(!answer_to(consumer, api_success).goes_on);
    const publication bucket = setup.next();
    BOOST_TEST(answer_to(bucket, api_success).goes_on);
    BOOST_TEST(setup.is_ready());
    BOOST_TEST(!answer_to(bucket, api_success).goes_on);
}

BOOST_AUTO_TEST_CASE(a_second_answer_that_there_is_no_cluster_is_no_problem)
{
    const publication three = setup.next();
    BOOST_TEST(answer_to(three, api_no_cluster).goes_on);
    const queue_setup::outcome again = answer_to(three, api_no_cluster);
    BOOST_TEST(!again.goes_on);
    BOOST_TEST(again.problem == "");
}

BOOST_AUTO_TEST_CASE(the_server_of_the_next_connection_may_be_in_a_cluster)
{
    const std::string three = std::string(setup.next().text());
    answer(api_no_cluster);
    BOOST_TEST(setup.next().text() != three);
    setup.begin();
    BOOST_TEST(setup.next().text() == three);
}

BOOST_AUTO_TEST_CASE(an_answer_of_the_last_connection_is_not_taken)
{
    const publication before = setup.next();
    setup.begin();
    BOOST_TEST(!answer_to(before, api_success).goes_on);
    BOOST_TEST(answer(api_success).goes_on);
}

BOOST_AUTO_TEST_SUITE_END()
