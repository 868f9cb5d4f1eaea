#include "fleet/wire/jetstream.hpp"
#include "fleet/wire/names.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <string_view>

using namespace partyline::fleet;
using namespace std::chrono_literals;
using kind = stream_answer::kind;

namespace {

kind answer(std::string_view payload, int status = 0)
{
    return read_stream_answer({"s", {}, status, payload}).is;
}

std::string error(int code, int err_code, std::string_view description)
{
    return "{\"error\":{\"code\":" + std::to_string(code) + ",\"err_code\":" + std::to_string(err_code) +
           ",\"description\":\"" + std::string(description) + "\"},\"stream\":\"PL_tools\",\"seq\":0}";
}

} // namespace

BOOST_AUTO_TEST_SUITE(fleet_jetstream_suite, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(a_stream_says_what_it_has_kept)
{
    BOOST_TEST((answer(R"({"stream":"PL_tools","seq":1})") == kind::stored));
    BOOST_TEST((answer(R"({"stream":"PL_tools","domain":"x","seq":9000000000})") == kind::stored));
    BOOST_TEST((answer(R"({"stream":"PL_tools","seq":1,"duplicate":true})") == kind::duplicate));
    BOOST_TEST((answer(R"({"stream":"PL_tools","seq":1,"duplicate":false})") == kind::stored));
}

BOOST_AUTO_TEST_CASE(a_stream_says_why_it_has_kept_nothing)
{
    BOOST_TEST((answer(error(503, 10077, "maximum messages exceeded")) == kind::full));
    BOOST_TEST((answer(error(503, 10077, "maximum bytes exceeded")) == kind::full));
    BOOST_TEST((answer(error(503, 10077, "no space left on device")) == kind::not_ready));
    BOOST_TEST((answer(error(400, 10054, "message size exceeds maximum allowed")) == kind::too_large));
    BOOST_TEST((answer(error(400, 10071, "wrong last sequence: 4")) == kind::exists));
    BOOST_TEST((answer(error(503, 10008, "JetStream system temporarily unavailable")) == kind::not_ready));
    BOOST_TEST((answer("", no_responders) == kind::no_stream));
    BOOST_TEST((answer("", 408) == kind::not_ready));
    BOOST_TEST(read_stream_answer({"s", {}, 0, error(503, 10077, "maximum messages exceeded")}).description ==
               "maximum messages exceeded");
}

BOOST_AUTO_TEST_CASE(what_no_stream_says_means_nothing)
{
    for (const std::string_view payload :
         {"", "{}", "[]", "null", "x", R"({"stream":"PL_tools"})", R"({"seq":1})", R"({"stream":"PL_tools","seq":0})",
          R"({"stream":"PL_tools","seq":-1})", R"({"stream":1,"seq":1})", R"({"stream":"PL_tools","seq":"1"})"})
        BOOST_TEST((answer(payload) == kind::not_understood), payload);
    BOOST_TEST((answer(R"({"error":null})") == kind::not_ready));
    BOOST_TEST((answer(R"({"error":{"code":"x","err_code":1e9}})") == kind::not_ready));
    BOOST_TEST((answer("{\"stream\":\"" + std::string(70'000, 'x') + "\",\"seq\":1}") == kind::not_understood));
    BOOST_TEST((answer(std::string(30'000, '[')) == kind::not_understood));
}

BOOST_AUTO_TEST_CASE(requests_have_the_documented_form)
{
    BOOST_TEST(pull_request(3, 5s) == R"({"batch":3,"expires":5000000000})");
    BOOST_TEST(ack_back({}) == "-NAK");
    BOOST_TEST(ack_back(1s) == R"(-NAK {"delay":1000000000})");
}

BOOST_AUTO_TEST_CASE(queues_have_the_settings_of_the_design)
{
    queue_settings settings;
    settings.replicas = 3;
    const api_request queue = create_queue("tools", settings);
    BOOST_TEST(queue.subject == "$JS.API.STREAM.CREATE.PL_tools");
    const boost::json::value config = boost::json::parse(queue.payload);
    const boost::json::value expected = boost::json::parse(
        R"({"name":"PL_tools","subjects":["pl.q.tools"],"retention":"workqueue","storage":"file","discard":"new",)"
        R"("max_msgs":10000,"max_bytes":268435456,"max_age":600000000000,"duplicate_window":120000000000,)"
        R"("num_replicas":3})");
    BOOST_TEST((config == expected));
    const api_request consumer = create_consumer("tools", settings);
    BOOST_TEST(consumer.subject == "$JS.API.CONSUMER.DURABLE.CREATE.PL_tools.workers");
    const boost::json::value of_consumer = boost::json::parse(consumer.payload).at("config");
    BOOST_TEST(of_consumer.at("ack_wait").as_int64() == 10'000'000'000);
    BOOST_TEST(of_consumer.at("max_deliver").as_int64() == -1);
    BOOST_TEST(of_consumer.at("max_ack_pending").as_int64() == 5'000);
    const boost::json::value bucket = boost::json::parse(create_bucket(claims_bucket, 600s, settings).payload);
    BOOST_TEST(bucket.at("name").as_string() == "KV_pl_claims");
    BOOST_TEST(bucket.at("max_age").as_int64() == 600'000'000'000);
    BOOST_TEST(bucket.at("max_msgs_per_subject").as_int64() == 1);
}

BOOST_AUTO_TEST_CASE(the_api_says_whether_it_has_done_it)
{
    const auto read = [](std::string_view payload, int status = 0) {
        return read_api_answer({"s", {}, status, payload});
    };
    BOOST_TEST(read(R"({"type":"io.nats.jetstream.api.v1.stream_create_response","config":{}})").is_ok);
    const api_answer refused = read(R"({"type":"io.nats.jetstream.api.v1.stream_create_response",)"
                                    R"("error":{"code":400,"err_code":10058,"description":"stream name in use"}})");
    BOOST_TEST(!refused.is_ok);
    BOOST_TEST(refused.error_code == 10058);
    BOOST_TEST(refused.description == "stream name in use");
    BOOST_TEST(read("", no_responders).description == "JetStream is not there");
    BOOST_TEST(read("{}").description == "not JetStream's answer");
}

BOOST_AUTO_TEST_SUITE_END()
