#include "listening_server.hpp"

using namespace partyline;
using namespace partyline::test;
using namespace std::chrono_literals;
using partyline::mcp::client_errc;

BOOST_FIXTURE_TEST_SUITE(mcp_client_listening_again, listening_server, *boost::unit_test::timeout(60))

// rule: mcp.listen.again
BOOST_AUTO_TEST_CASE(what_the_server_ends_is_listened_to_again)
{
    hear();
    start_modern(telling);
    const std::string first = expect_listen();
    acknowledge(first, lists);
    settle();
    reply(first, R"({"resultType":"complete"})");
    tell("notifications/cancelled", R"({"requestId":)" + first + "}");
    const std::string second = expect_listen();
    acknowledge(second, lists);
    settle();
    expect_heard({"tools", "prompts", "resources"});
}

BOOST_AUTO_TEST_CASE(a_subscription_that_the_server_ends_is_made_again)
{
    hear();
    start_modern(telling);
    acknowledge(expect_listen(), lists);
    subscribe("a:a");
    const std::string first = subscribe("a:b");
    reply(first, R"({"resultType":"complete"})");
    acknowledge_uri(expect_listen_to("a:b"), "a:b");
    expect_heard({"a:b"});
    expect_silence();
}

// However often that fails: it is logged once.
BOOST_AUTO_TEST_CASE(what_the_server_takes_back_is_tried_again_until_it_opens)
{
    hear();
    start_modern(telling);
    const std::string first = expect_listen();
    acknowledge(first, lists);
    settle();
    reply(first, R"({"resultType":"complete"})");
    for (int i = 0; i != 4; ++i)
        refuse(expect_listen(), R"({"code":-32602,"message":"Not now"})");
    const std::string last = expect_listen();
    expect_heard({});
    acknowledge(last, lists);
    expect_heard({"tools", "prompts", "resources"});
    BOOST_TEST_REQUIRE(logged.size() == 1u);
    BOOST_TEST(logged[0] == "the MCP server tells of changes no longer: Not now");
    reply(last, R"({"resultType":"complete"})");
    acknowledge(expect_listen(), lists);
    expect_heard({"tools", "prompts", "resources"});
}

// rule: mcp.listen.again
BOOST_AUTO_TEST_CASE(what_ends_as_soon_as_it_is_acknowledged_is_opened_again)
{
    hear();
    start_modern();
    begun<void> subscribed;
    client().subscribe("a:b")(subscribed.token());
    const std::string first = expect_listen_to("a:b");
    acknowledge_uri(first, "a:b");
    reply(first, R"({"resultType":"complete"})");
    BOOST_TEST(!wait(subscribed).failed());
    acknowledge_uri(expect_listen_to("a:b"), "a:b");
    expect_heard({"a:b"});
    expect_silence();
    BOOST_TEST(logged.empty());
}

BOOST_AUTO_TEST_CASE(what_ends_unacknowledged_is_not_opened_again)
{
    start_modern();
    begun<void> subscribed;
    client().subscribe("a:b")(subscribed.token());
    reply(expect_listen_to("a:b"), R"({"resultType":"complete"})");
    expect_failure(subscribed, client_errc::not_subscribed, "the server has ended it at once");
    expect_silence();
}

BOOST_AUTO_TEST_CASE(closing_ends_what_is_tried_again)
{
    options.listen_pause = 1h;
    start_modern();
    reply(subscribe("a:b"), R"({"resultType":"complete"})");
    settle();
    begun<void> closed;
    client().close()(closed.token());
    settle();
    end();
    BOOST_TEST(!wait(closed).failed());
    expect_silence();
    BOOST_TEST(logged.empty());
}

BOOST_AUTO_TEST_CASE(what_was_ended_is_not_waited_for_where_that_is_not_wanted)
{
    options.listen_pause = 1h;
    hear();
    start_modern();
    reply(subscribe("a:b"), R"({"resultType":"complete"})");
    settle();
    begun<void> left;
    client().unsubscribe("a:b")(left.token());
    BOOST_TEST(!wait(left).failed());
    reply(subscribe("a:c"), R"({"resultType":"complete"})");
    settle();
    subscribe("a:c"); // at once
    expect_heard({"a:c"});
    expect_silence();
}

BOOST_AUTO_TEST_SUITE_END()
