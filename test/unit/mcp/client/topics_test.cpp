// Topics of extensions that a client has subscribed to.

#include "listening_server.hpp"

#include <partyline/mcp/client/client_extension.hpp>
#include <partyline/rpc/method_table.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/json/parse.hpp>

#include <stdexcept>

namespace json = boost::json;
using namespace partyline;
using namespace partyline::test;
using partyline::mcp::client_errc;

namespace {

constexpr const char* with_jobs = R"({"extensions":{"com.example/jobs":{}}})";

struct topics_server : listening_server {
    std::vector<std::string> gaps;

    mcp::client_extension declare()
    {
        method_table methods;
        methods.add_notification("notifications/jobs/state",
                                 [this](std::string job) { heard.push_back(std::move(job)); }, {"job"});
        mcp::client_extension_options how;
        how.on_gap = [this](const std::string& member, const std::string& key) { gaps.push_back(member + ' ' + key); };
        return client().add_extension("com.example/jobs", {}, std::move(methods), std::move(how));
    }
    // The server's part of it. The id of the request.
    std::string expect_listen_to_job(const std::string& key)
    {
        std::string id = expect_request("subscriptions/listen", R"({"notifications":{"jobIds":[")" + key + R"("]}})");
        acknowledge(id, R"({"jobIds":[")" + key + R"("]})");
        return id;
    }
    std::string subscribe_to_job(const mcp::client_extension& jobs, const std::string& key)
    {
        begun<void> subscribed;
        jobs.subscribe("jobIds", key)(subscribed.token());
        std::string id = expect_listen_to_job(key);
        BOOST_TEST(!wait(subscribed).failed());
        return id;
    }
    void unsubscribe_from_job(const mcp::client_extension& jobs, const std::string& key)
    {
        begun<void> left;
        jobs.unsubscribe("jobIds", key)(left.token());
        BOOST_TEST(!wait(left).failed());
    }
    void tell_job(const std::string& job, const std::string& id)
    {
        tell("notifications/jobs/state",
             R"({"job":")" + job + R"(","_meta":{"io.modelcontextprotocol/subscriptionId":)" + id + "}}");
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_client_topics, topics_server, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(who_subscribes_to_a_key_is_told_until_it_unsubscribes)
{
    const mcp::client_extension jobs = declare();
    start_modern(with_jobs);
    expect_silence();
    const std::string id = subscribe_to_job(jobs, "4");
    BOOST_TEST(last_meta().at("io.modelcontextprotocol/clientCapabilities") == json::parse(with_jobs));
    tell_job("4", id);
    expect_heard({"4"});
    unsubscribe_from_job(jobs, "4");
    expect_cancel(id);
    tell_job("4", id);
    expect_heard({});
    unsubscribe_from_job(jobs, "4"); // nothing is to be done
    expect_silence();
}

// rule: mcp.listen.correlate
BOOST_AUTO_TEST_CASE(news_of_no_subscription_are_told_and_those_of_another_one_are_not)
{
    const mcp::client_extension jobs = declare();
    start_modern(with_jobs);
    subscribe_to_job(jobs, "4");
    for (const char* const other : {"77", "0", "null", "\"1\""})
        tell_job("4", other);
    expect_heard({});
    tell("notifications/jobs/state", R"({"job":"4"})");
    tell("notifications/jobs/state", R"({"job":"5","_meta":[]})");
    expect_heard({"4", "5"});
    BOOST_TEST(logged.empty());
}

// The acknowledgment has come, and is taken when its handler starts.
BOOST_AUTO_TEST_CASE(news_behind_an_acknowledgment_that_waits_are_told)
{
    boost::asio::steady_timer held(context, boost::asio::steady_timer::time_point::max());
    method_table methods;
    methods.add_notification("notifications/jobs/state", [this](std::string job) { heard.push_back(std::move(job)); },
                             {"job"});
    method_options alone;
    alone.exclusive = true;
    const auto hold = [&held]() -> task<void> {
        co_await held.async_wait(boost::asio::as_tuple(boost::asio::deferred));
    };
    methods.add_notification("notifications/jobs/hold", hold, std::move(alone));
    const mcp::client_extension jobs = client().add_extension("com.example/jobs", {}, std::move(methods));
    start_modern(with_jobs);
    const std::string former = subscribe_to_job(jobs, "3");
    unsubscribe_from_job(jobs, "3");
    expect_cancel(former);

    tell("notifications/jobs/hold", "{}");
    settle();
    begun<void> subscribed;
    jobs.subscribe("jobIds", "4")(subscribed.token());
    const std::string id = expect_listen_to_job("4");
    tell_job("4", id);
    tell_job("3", former);
    expect_heard({});
    BOOST_TEST(!subscribed.has_ended());
    held.cancel();
    BOOST_TEST(!wait(subscribed).failed());
    expect_heard({"4"});
}

BOOST_AUTO_TEST_CASE(what_is_no_topic_of_an_extension_is_refused)
{
    const mcp::client_extension jobs = declare();
    start_modern(with_jobs);
    for (const char* const member :
         {"", "toolsListChanged", "promptsListChanged", "resourcesListChanged", "resourceSubscriptions"})
        BOOST_CHECK_THROW(static_cast<void>(jobs.subscribe(member)), std::invalid_argument);
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_flag_has_no_key)
{
    const mcp::client_extension jobs = declare();
    start_modern(with_jobs);
    begun<void> subscribed;
    jobs.subscribe("jobsChanged")(subscribed.token());
    const std::string id = expect_request("subscriptions/listen", R"({"notifications":{"jobsChanged":true}})");
    acknowledge(id, R"({"jobsChanged":true})");
    BOOST_TEST(!wait(subscribed).failed());
    begun<void> left;
    jobs.unsubscribe("jobsChanged")(left.token());
    expect_cancel(id);
    BOOST_TEST(!wait(left).failed());
}

BOOST_AUTO_TEST_CASE(each_key_has_a_request_of_its_own)
{
    hear();
    const mcp::client_extension jobs = declare();
    start_modern(with_jobs);
    const std::string first = subscribe_to_job(jobs, "4");
    const std::string second = subscribe_to_job(jobs, "5");
    const std::string resource = subscribe("4");
    begun<void> again;
    jobs.subscribe("jobIds", "4")(again.token());
    BOOST_TEST(!wait(again).failed());
    expect_silence();
    unsubscribe_from_job(jobs, "4");
    expect_cancel(first);
    tell_job("5", second);
    tell_updated("4", resource);
    expect_heard({"5", "4"});
}

// rule: mcp.listen.honoured
BOOST_AUTO_TEST_CASE(a_key_that_is_not_honoured_is_told)
{
    const mcp::client_extension jobs = declare();
    start_modern(with_jobs);
    begun<void> subscribed;
    jobs.subscribe("jobIds", "4")(subscribed.token());
    const std::string id = expect_request("subscriptions/listen", R"({"notifications":{"jobIds":["4"]}})");
    acknowledge(id, "{}");
    expect_failure(subscribed, client_errc::not_subscribed, "4");
    expect_cancel(id);
    begun<void> flagged;
    jobs.subscribe("jobsChanged")(flagged.token());
    const std::string other = expect_request("subscriptions/listen", R"({"notifications":{"jobsChanged":true}})");
    acknowledge(other, R"({"jobsChanged":false})");
    expect_failure(flagged, client_errc::not_subscribed, "jobsChanged");
    expect_cancel(other);
}

BOOST_AUTO_TEST_CASE(a_server_without_the_extension_is_asked_nothing)
{
    const mcp::client_extension jobs = declare();
    begun<void> early;
    jobs.subscribe("jobIds", "4")(early.token());
    expect_failure(early, client_errc::not_started);
    start_modern();
    begun<void> subscribed;
    jobs.subscribe("jobIds", "4")(subscribed.token());
    expect_failure(subscribed, client_errc::not_declared, "com.example/jobs");
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_server_of_the_legacy_era_is_asked_nothing)
{
    const mcp::client_extension jobs = declare();
    start_legacy(with_jobs);
    begun<void> subscribed;
    jobs.subscribe("jobIds", "4")(subscribed.token());
    expect_failure(subscribed, client_errc::not_subscribed, "4");
    expect_silence();
    tell("notifications/jobs/state", R"({"job":"4"})"); // as it likes
    expect_heard({"4"});
}

// rule: mcp.listen.again
BOOST_AUTO_TEST_CASE(what_the_server_ends_is_opened_again_and_the_gap_is_told)
{
    const mcp::client_extension jobs = declare();
    start_modern(with_jobs);
    const std::string first = subscribe_to_job(jobs, "4");
    reply(first, R"({"resultType":"complete"})");
    const std::string second = expect_listen_to_job("4");
    settle();
    BOOST_TEST(gaps == (std::vector<std::string>{"jobIds 4"}), boost::test_tools::per_element());
    tell_job("4", second);
    expect_heard({"4"});
}

BOOST_AUTO_TEST_CASE(what_the_server_honours_no_longer_has_ended_and_is_told_as_a_gap)
{
    const mcp::client_extension jobs = declare();
    start_modern(with_jobs);
    reply(subscribe_to_job(jobs, "4"), R"({"resultType":"complete"})");
    const std::string again = expect_request("subscriptions/listen", R"({"notifications":{"jobIds":["4"]}})");
    acknowledge(again, "{}");
    expect_cancel(again);
    run_until([this] { return !gaps.empty(); });
    BOOST_TEST(gaps == (std::vector<std::string>{"jobIds 4"}), boost::test_tools::per_element());
    BOOST_TEST(logged.size() == 1u);
    unsubscribe_from_job(jobs, "4"); // nothing is to be done
    subscribe_to_job(jobs, "4");
    expect_silence();
    BOOST_TEST(gaps.size() == 1u);
}

// As a server does that is about to stop.
BOOST_AUTO_TEST_CASE(what_ends_unacknowledged_is_opened_again_all_the_same)
{
    const mcp::client_extension jobs = declare();
    start_modern(with_jobs);
    reply(subscribe_to_job(jobs, "4"), R"({"resultType":"complete"})");
    for (int i = 0; i != 2; ++i)
        reply(expect_request("subscriptions/listen", R"({"notifications":{"jobIds":["4"]}})"),
              R"({"resultType":"complete"})");
    const std::string last = expect_listen_to_job("4");
    settle();
    BOOST_TEST(gaps == (std::vector<std::string>{"jobIds 4"}), boost::test_tools::per_element());
    BOOST_TEST(logged.size() == 1u);
    tell_job("4", last);
    expect_heard({"4"});
}

BOOST_AUTO_TEST_CASE(what_is_thrown_at_a_gap_is_logged)
{
    mcp::client_extension_options how;
    how.on_gap = [](const std::string&, const std::string&) { throw std::runtime_error("oops"); };
    const mcp::client_extension jobs = client().add_extension("com.example/jobs", {}, {}, std::move(how));
    start_modern(with_jobs);
    reply(subscribe_to_job(jobs, "4"), R"({"resultType":"complete"})");
    expect_listen_to_job("4");
    settle();
    BOOST_REQUIRE(logged.size() == 1u);
    BOOST_TEST(logged[0].find("oops") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_subscription_ends_with_its_client)
{
    const mcp::client_extension jobs = declare();
    start_modern(with_jobs);
    begun<void> subscribed;
    jobs.subscribe("jobIds", "4")(subscribed.token());
    expect_request("subscriptions/listen", R"({"notifications":{"jobIds":["4"]}})");
    destroy_client();
    expect_failure(subscribed, errc::session_closed);
    begun<void> later;
    jobs.subscribe("jobIds", "4")(later.token());
    expect_failure(later, errc::session_closed);
    begun<void> left;
    jobs.unsubscribe("jobIds", "4")(left.token());
    expect_failure(left, errc::session_closed);
}

BOOST_AUTO_TEST_SUITE_END()
