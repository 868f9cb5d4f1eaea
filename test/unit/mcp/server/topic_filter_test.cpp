// Topics of extensions: who may listen to what.

#include "unit/mcp/server/topics_fixture.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/session/access_view.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace mcp = partyline::mcp;
using namespace partyline::test;

namespace {

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

BOOST_FIXTURE_TEST_SUITE(mcp_topic_filter, topics_fixture, *boost::unit_test::timeout(30))

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

BOOST_AUTO_TEST_CASE(who_may_listen_no_longer_is_told_no_more)
{
    bool may = true;
    const auto may_now = [&may](const auto&, const auto&) { return may; };
    const mcp::listen_topic own("ownIds", "notifications/own", {.may_listen = may_now});
    server.add_extension(jobs_name, {}, {}, {.topics = {own}});
    begin();
    BOOST_TEST(listen("5", R"({"ownIds":["4"]})") == acknowledged("5", R"({"ownIds":["4"]})"));
    for (const bool is_allowed : {true, false, true}) {
        may = is_allowed;
        own.publish("4");
        if (may)
            expect(notification("notifications/own", '{' + meta_of("5") + '}'));
        expect_silence();
    }
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
