// Topics of extensions: what clients that listen to them are told.

#include "support/text_search.hpp"
#include "unit/mcp/server/mcp_dialogue.hpp"

#include <partyline/mcp/server/listen_topic.hpp>
#include <partyline/rpc/args.hpp>
#include <partyline/session/access_view.hpp>

#include <boost/json/object.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace json = boost::json;
namespace mcp = partyline::mcp;
using namespace partyline::test;
using partyline::json_text;

namespace {

constexpr const char* jobs_name = "com.example/jobs";
constexpr const char* declaring_jobs = R"({"extensions":{"com.example/jobs":{}}})";
constexpr const char* state_notification = "notifications/jobs/state";

bool is_own_job(const partyline::request_context&, const std::string& key)
{
    return !key.starts_with("other");
}

std::string meta_of(std::string_view id)
{
    return R"("_meta":{"io.modelcontextprotocol/subscriptionId":)" + std::string(id) + '}';
}

std::string acknowledged(std::string_view id, std::string_view filter)
{
    return notification("notifications/subscriptions/acknowledged",
                        R"({"notifications":)" + std::string(filter) + ',' + meta_of(id) + '}');
}

std::string job_state(std::string_view id, int number)
{
    return notification(state_notification, R"({"n":)" + std::to_string(number) + ',' + meta_of(id) + '}');
}

struct topics_fixture : mcp_dialogue {
    mcp::listen_topic states{"jobIds", state_notification, {.may_listen = is_own_job}};
    mcp::listen_topic any{"jobsChanged", "notifications/jobs/changed", {.kind = mcp::topic_kind::flag}};

    void add(partyline::method_table own = {})
    {
        server.add_extension(jobs_name, {}, std::move(own), {.topics = {states, any}});
    }
    void add_to(mcp::server_options about)
    {
        server = mcp::server("unit", "1.0", std::move(about));
        add();
    }
    std::string listen(std::string_view id, std::string_view filter, std::string_view capabilities = declaring_jobs)
    {
        say_modern(id, "subscriptions/listen", R"("notifications":)" + std::string(filter), capabilities);
        return receive();
    }
    void cancel_listening(std::string_view id)
    {
        send(notification("notifications/cancelled", R"({"requestId":)" + std::string(id) + '}'));
        settle();
    }
    void publish(std::string_view key, int number) { states.publish(key, partyline::named("n", number)); }
};

// Hides methods that begin so.
struct jobs_hidden final : partyline::access_view {
    partyline::access_verdict judge(std::string_view method, std::string_view) const noexcept override
    {
        return {method.starts_with("jobs/") ? partyline::access_answer::hidden : partyline::access_answer::allowed};
    }
};

partyline::method_table job_methods()
{
    partyline::method_table made;
    made.add("jobs/get", [] {});
    return made;
}

} // namespace

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

BOOST_AUTO_TEST_CASE(a_client_that_does_not_read_is_told_the_last)
{
    options.bounds.outbox_soft_bytes = 1;
    add();
    begin();
    listen("5", R"({"jobIds":["4"]})");
    stop_reading();
    const std::string padding(1000, 'p');
    constexpr int last = 2000;
    for (int i = 0; i <= last; ++i) {
        states.publish("4", partyline::named("n", i, "padding", padding));
        settle();
    }
    resume_reading();
    settle();
    const std::vector<std::string> told = take_lines();
    BOOST_REQUIRE(!told.empty());
    BOOST_TEST(told.size() < 1000u);
    BOOST_TEST(contains(told.back(), R"("n":2000,)"));
}

BOOST_AUTO_TEST_CASE(a_client_that_has_not_declared_the_extension_hears_nothing_of_it)
{
    add();
    begin();
    BOOST_TEST(listen("5", R"({"jobIds":["4"],"jobsChanged":true})", "{}") == acknowledged("5", "{}"));
    BOOST_TEST(listen("6", R"({"jobIds":7,"other":1})", R"({"extensions":{"com.example/job":{}}})") ==
               acknowledged("6", "{}"));
    publish("4", 1);
    any.publish("");
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

BOOST_AUTO_TEST_CASE(what_is_of_another_type_is_refused_with_what_was_expected)
{
    add();
    begin();
    const auto refusal = [](std::string_view member, std::string_view expected) {
        return R"({"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"Invalid params","data":{"parameter":)"
               R"("notifications.)" +
               std::string(member) + R"(","expected":")" + std::string(expected) + "\"}}}";
    };
    for (const char* const wrong : {R"({"jobIds":"4"})", R"({"jobIds":true})", R"({"jobIds":[4]})",
                                    R"({"jobIds":["4",null]})", R"({"jobIds":{}})"})
        BOOST_TEST(listen("5", wrong) == refusal("jobIds", "array of strings"));
    for (const char* const wrong : {R"({"jobsChanged":1})", R"({"jobsChanged":["4"]})"})
        BOOST_TEST(listen("5", wrong) == refusal("jobsChanged", "boolean"));
    BOOST_TEST(listen("5", R"({"toolsListChanged":"yes"})") == refusal("toolsListChanged", "boolean"));
    BOOST_TEST(contains(listen("5", "[]"), "-32602"));
    publish("4", 1);
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_key_that_the_client_may_not_listen_to_is_left_out)
{
    add();
    begin();
    BOOST_TEST(listen("5", R"({"jobIds":["other's","4"]})") == acknowledged("5", R"({"jobIds":["4"]})"));
    BOOST_TEST(listen("6", R"({"jobIds":["other's"]})") == acknowledged("6", "{}"));
    publish("other's", 1);
    expect_silence();
}

BOOST_AUTO_TEST_CASE(what_the_check_throws_the_request_is_answered_with)
{
    const mcp::listen_topic strict("strictIds", "notifications/strict", {.may_listen = [](const auto&, const auto&) {
                                       throw partyline::rpc_error(-7, "Not so");
                                       return true;
                                   }});
    server.add_extension(jobs_name, {}, {}, {.topics = {strict}});
    begin();
    BOOST_TEST(contains(listen("5", R"({"strictIds":["4"]})"), R"({"code":-7,"message":"Not so"})"));
    strict.publish("4");
    expect_silence();
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

BOOST_AUTO_TEST_CASE(keys_are_bounded_in_number_and_bytes)
{
    mcp::server_options small;
    small.max_subscriptions = 2;
    small.max_subscription_bytes = 350; // each key counts for 100 more
    add_to(std::move(small));
    begin();
    BOOST_TEST(contains(listen("5", R"({"jobIds":["1","2","3"]})"), "array of at most 2 elements"));
    BOOST_TEST(contains(listen("5", R"({"jobIds":["1","2"]})"), "acknowledged"));
    for (int i = 0; i != 3; ++i) {
        BOOST_TEST(contains(listen("6", R"({"jobIds":["1"]})"), "acknowledged"));
        BOOST_TEST(contains(listen("7", R"({"jobIds":["1"]})"), "-31001"));
        cancel_listening("6");
    }
    publish("1", 1);
    expect(job_state("5", 1));
    expect_silence();
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
    std::set<std::string> last;
    for (const std::string& line : take_lines())
        for (const int number : {199, 1199, 2199})
            if (line == job_state("5", number))
                last.insert(line);
    BOOST_TEST(last.size() == 3u);
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

// rule: security.access.hidden
BOOST_AUTO_TEST_CASE(what_is_hidden_is_not_listened_to)
{
    add(job_methods());
    options.access = std::make_shared<jobs_hidden>();
    begin();
    BOOST_TEST(listen("5", R"({"jobIds":["4"]})") == acknowledged("5", "{}"));
    topics_fixture other;
    other.add(job_methods());
    other.begin();
    BOOST_TEST(contains(other.listen("5", R"({"jobIds":["4"]})"), R"(["4"])"));
    other.dialogue::server().use_access(std::make_shared<jobs_hidden>()); // from now on
    other.publish("4", 1);
    other.expect_silence();
}

BOOST_AUTO_TEST_CASE(topics_that_make_no_sense_are_refused)
{
    for (const char* const member :
         {"", "toolsListChanged", "promptsListChanged", "resourcesListChanged", "resourceSubscriptions"})
        BOOST_CHECK_THROW(mcp::listen_topic(member, state_notification), std::invalid_argument);
    for (const char* const name : {"", "jobs/state", "notifications/message", "notifications/resources/updated",
                                   "notifications/subscriptions/acknowledged"})
        BOOST_CHECK_THROW(mcp::listen_topic("jobIds", name), std::invalid_argument);
    BOOST_CHECK_THROW(server.add_extension(jobs_name, {}, {}, {.topics = {states, states}}), std::invalid_argument);
    add();
    const mcp::listen_topic same("jobIds", "notifications/other");
    BOOST_CHECK_THROW(server.add_extension("com.example/other", {}, {}, {.topics = {same}}), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
