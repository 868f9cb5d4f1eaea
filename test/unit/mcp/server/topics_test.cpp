// Topics of extensions: what clients that listen to them are told.

#include "unit/mcp/server/topics_fixture.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>

#include <map>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace json = boost::json;
namespace mcp = partyline::mcp;
using namespace partyline::test;
using partyline::json_text;

BOOST_FIXTURE_TEST_SUITE(mcp_topics, topics_fixture, *boost::unit_test::timeout(30))

// rule: mcp.listen.wanted, mcp.listen.first, mcp.listen.id
BOOST_AUTO_TEST_CASE(who_listens_to_a_key_is_told_of_that_one)
{
    add();
    begin();
    publish("4", 0);
    BOOST_TEST(listen("\"l\"", R"({"jobIds":["7","4","4"]})") == acknowledged("\"l\"", R"({"jobIds":["4","7"]})"));
    publish("4", 1);
    expect(job_state("\"l\"", 1));
    publish("9", 2);
    publish("", 2);
    any.publish("");
    expect_silence();
    publish("7", 3);
    expect(job_state("\"l\"", 3));
}

BOOST_AUTO_TEST_CASE(what_is_published_in_one_moment_is_told_once_as_it_is_in_the_end)
{
    add();
    begin();
    listen("5", R"({"jobIds":["4","7"]})");
    for (int i = 0; i != 50; ++i)
        publish("4", i);
    publish("7", 1);
    expect(job_state("5", 49));
    expect(job_state("5", 1));
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_flag_is_listened_to_without_a_key)
{
    add();
    begin();
    BOOST_TEST(listen("5", R"({"jobsChanged":true,"jobIds":[]})") == acknowledged("5", R"({"jobsChanged":true})"));
    BOOST_TEST(listen("6", R"({"jobsChanged":false,"jobIds":null})") == acknowledged("6", "{}"));
    any.publish("");
    expect(notification("notifications/jobs/changed", '{' + meta_of("5") + '}'));
    expect_silence();
    BOOST_CHECK_THROW(any.publish("4"), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(each_subscription_is_told_and_each_session)
{
    add();
    begin();
    listen("5", R"({"jobIds":["4"]})");
    listen("6", R"({"jobIds":["4","7"]})");
    topics_fixture other;
    other.server.add_extension(jobs_name, {}, {}, {.topics = {states}});
    other.begin();
    other.listen("5", R"({"jobIds":["4"]})");
    publish("4", 1);
    expect_in_any_order({job_state("5", 1), job_state("6", 1)});
    other.expect(job_state("5", 1));
    publish("7", 2);
    expect(job_state("6", 2));
    expect_silence();
    other.expect_silence();
}

BOOST_AUTO_TEST_CASE(who_has_cancelled_hears_no_more)
{
    add();
    begin();
    listen("5", R"({"jobIds":["4"]})");
    publish("4", 1);
    cancel_listening("5"); // what was published before may still come
    take_lines();
    publish("4", 2);
    expect_silence();
    listen("6", R"({"jobIds":["4"]})");
    publish("4", 3);
    expect(job_state("6", 3));
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_session_that_has_ended_is_told_nothing)
{
    add();
    {
        topics_fixture other;
        other.server.add_extension(jobs_name, {}, {}, {.topics = {states}});
        other.begin();
        other.listen("5", R"({"jobIds":["4"]})");
        publish("4", 1); // is still on its way
    }
    begin();
    listen("5", R"({"jobIds":["4"]})");
    publish("4", 2);
    end_input();
    settle();
    publish("4", 3);
    wait_end();
    publish("4", 4);
    for (const std::string& line : take_lines())
        BOOST_TEST(!contains(line, R"("n":4)"), line);
}

BOOST_AUTO_TEST_CASE(a_topic_outlives_its_server)
{
    add();
    begin();
    listen("5", R"({"jobIds":["4"]})");
    server = mcp::server("another", "2.0");
    publish("4", 1);
    expect(job_state("5", 1));
    destroy_session();
    publish("4", 2);
}

BOOST_AUTO_TEST_CASE(what_is_published_on_other_threads_arrives_in_its_order)
{
    add();
    begin();
    listen("5", R"({"jobIds":["0","1","2"]})");
    std::vector<std::thread> threads;
    for (int t = 0; t != 3; ++t)
        threads.emplace_back([this, t] {
            for (int i = 0; i != 200; ++i)
                publish(std::to_string(t), 1000 * t + i);
        });
    for (int round = 0; round != 20; ++round) {
        say_modern("6", "subscriptions/listen", R"("notifications":{"jobIds":["0","1"]})", declaring_jobs);
        settle();
        cancel_listening("6");
    }
    for (std::thread& one : threads)
        one.join();
    settle();
    std::map<int, int> last; // by the number of the key
    for (const std::string& line : take_lines()) {
        if (!contains(line, meta_of("5")) || !contains(line, state_notification))
            continue;
        const int number = static_cast<int>(json::parse(line).at("params").at("n").as_int64());
        const auto [known, is_first] = last.try_emplace(number / 1000, number);
        BOOST_TEST((is_first || known->second < number), line);
        known->second = number;
    }
    BOOST_TEST((last == std::map<int, int>{{0, 199}, {1, 1199}, {2, 2199}}));
}

BOOST_AUTO_TEST_CASE(sessions_may_end_while_another_thread_publishes)
{
    const std::jthread publishing([this](const std::stop_token& over) {
        for (int i = 0; !over.stop_requested(); ++i) {
            publish("4", i);
            std::this_thread::yield();
        }
    });
    for (int round = 0; round != 50; ++round) {
        topics_fixture one;
        const auto work = boost::asio::make_work_guard(one.context); // what is published comes from outside
        one.server.add_extension(jobs_name, {}, {}, {.topics = {states}});
        one.begin();
        BOOST_TEST(contains(one.listen("5", R"({"jobIds":["4"]})"), "acknowledged"));
        BOOST_TEST(states.has_listener("4"));
        BOOST_TEST(contains(one.receive(), state_notification));
        if (round % 2 == 0) {
            one.end_input();
            one.wait_end();
        } else {
            one.destroy_session();
        }
    }
    BOOST_TEST(!states.has_listener("4"));
}

BOOST_AUTO_TEST_CASE(params_are_an_object_and_meta_of_its_own_stays)
{
    add();
    begin();
    listen("5", R"({"jobIds":["4"]})");
    states.publish("4");
    expect(notification(state_notification, '{' + meta_of("5") + '}'));
    states.publish("4", json_text(R"( {"n": 1e2,"_meta":{"a":[1],"io.modelcontextprotocol/subscriptionId":9}} )"));
    const std::string told = receive();
    BOOST_TEST(contains(told, R"("_meta":{"a":[1],"io.modelcontextprotocol/subscriptionId":5})"), told);
    BOOST_TEST(contains(told, "1e2"), told);
    BOOST_TEST(!contains(told, ":9"), told);
    const std::string deep = std::string(110, '[') + std::string(110, ']');
    states.publish("4", json_text("{\"deep\":" + deep + '}'));
    BOOST_TEST(contains(receive(), deep));
    BOOST_CHECK_THROW(states.publish("4", json::array{1}), std::invalid_argument);
    BOOST_CHECK_THROW(states.publish("4", json_text("{")), std::invalid_argument);
    BOOST_CHECK_THROW(states.publish("4", {{"text", "\xff"}}), std::invalid_argument);
    expect_silence();
}

BOOST_AUTO_TEST_CASE(what_is_too_long_is_logged_and_the_next_one_is_told)
{
    options.bounds.message_bytes = 2000;
    add();
    begin();
    listen("5", R"({"jobIds":["4"]})");
    states.publish("4", {{"long", std::string(3000, 'l')}});
    expect_silence();
    BOOST_REQUIRE(logged.size() == 1u);
    BOOST_TEST(logged[0].starts_with("notifications/jobs/state: "), logged[0]);
    publish("4", 1);
    expect(job_state("5", 1));
}

BOOST_AUTO_TEST_SUITE_END()
