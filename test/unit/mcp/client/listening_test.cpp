#include "listening_server.hpp"
#include "mcp/answers/failed_call.hpp"

#include <stdexcept>

using namespace partyline;
using namespace partyline::test;
using partyline::mcp::client_errc;

BOOST_FIXTURE_TEST_SUITE(mcp_client_listening, listening_server, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(who_wants_to_hear_of_changes_listens)
{
    hear();
    start_modern(telling);
    acknowledge(expect_listen(), lists);
    tell("notifications/tools/list_changed", "{}");
    tell("notifications/prompts/list_changed", "{}");
    tell("notifications/resources/list_changed", "{}");
    expect_heard({"tools", "prompts", "resources"});
    expect_silence();
}

BOOST_AUTO_TEST_CASE(who_does_not_want_to_hear_does_not)
{
    start_modern();
    expect_silence();
}

// rule: mcp.operation.capabilities
BOOST_AUTO_TEST_CASE(what_the_server_does_not_offer_is_not_asked_for)
{
    hear();
    start_modern(R"({"tools":{"listChanged":true},"prompts":{"listChanged":false},"resources":[]})");
    expect_request("subscriptions/listen", R"({"notifications":{"toolsListChanged":true}})");
}

BOOST_AUTO_TEST_CASE(older_servers_tell_unasked)
{
    hear();
    start_legacy();
    expect_silence();
    tell("notifications/tools/list_changed", "{}");
    expect_heard({"tools"});
    tell("notifications/tools/list_changed", R"({"_meta":[]})"); // as some write an empty one
    expect_heard({"tools"});
    begun<void> subscribed;
    client().subscribe("a:b")(subscribed.token());
    reply(expect_request("resources/subscribe", R"({"uri":"a:b"})"), "{}");
    wait(subscribed);
    tell("notifications/resources/updated", R"({"uri":"a:b"})");
    expect_heard({"a:b"});
    begun<void> left;
    client().unsubscribe("a:b")(left.token());
    reply(expect_request("resources/unsubscribe", R"({"uri":"a:b"})"), "{}");
    wait(left);
    BOOST_TEST(!left.failed());
}

BOOST_AUTO_TEST_CASE(a_server_that_ends_fails_what_it_has_not_acknowledged)
{
    start_modern();
    begun<void> subscribed;
    client().subscribe("a:b")(subscribed.token());
    expect_listen_to("a:b");
    end();
    expect_failure(subscribed, errc::peer_closed);
}

BOOST_AUTO_TEST_CASE(a_subscription_is_a_request_of_its_own)
{
    hear();
    start_modern(telling);
    acknowledge(expect_listen(), lists);
    begun<void> subscribed;
    client().subscribe("a:b")(subscribed.token());
    const std::string id = expect_listen_to("a:b");
    settle();
    BOOST_TEST(!subscribed.has_ended());
    acknowledge_uri(id, "a:b");
    BOOST_TEST(!wait(subscribed).failed());
    tell("notifications/resources/updated", R"({"uri":"a:b"})");
    expect_heard({"a:b"});
    begun<void> left;
    client().unsubscribe("a:b")(left.token());
    expect_cancel(id);
    BOOST_TEST(!wait(left).failed());
    expect_silence();
}

// rule: mcp.listen.correlate
BOOST_AUTO_TEST_CASE(news_of_other_subscriptions_are_not_told)
{
    hear();
    start_modern(telling);
    const std::string first = expect_listen();
    acknowledge(first, lists);
    const auto tell_of = [this](const std::string& id) {
        const std::string meta = R"("_meta":{"io.modelcontextprotocol/subscriptionId":)" + id + "}";
        tell("notifications/tools/list_changed", '{' + meta + '}');
        tell("notifications/resources/updated", R"({"uri":"a:b",)" + meta + '}');
    };
    tell_of(first);
    expect_heard({"tools", "a:b"});
    for (const char* const other : {"77", "0", "-1", "null", "\"1\"", "{}"})
        tell_of(other);
    expect_heard({});

    begun<void> subscribed;
    client().subscribe("a:b")(subscribed.token());
    const std::string second = expect_listen_to("a:b");
    acknowledge(first, R"({"resourceSubscriptions":["a:b"]})"); // once more: it is none of the new one
    settle();
    BOOST_TEST(!subscribed.has_ended());
    acknowledge_uri(second, "a:b");
    BOOST_TEST(!wait(subscribed).failed());
    for (const std::string& one : {first, second}) {
        tell_of(one);
        expect_heard({"tools", "a:b"});
    }
    begun<void> left;
    client().unsubscribe("a:b")(left.token());
    expect_cancel(second);
    wait(left);
    tell_of(second);
    expect_heard({});
}

// As the ids of replies: JSON has no other way to write whole numbers in some languages.
BOOST_AUTO_TEST_CASE(an_id_may_be_written_as_another_number_of_the_same_value)
{
    for (const char* const as : {".0", "e0", "0E-1"}) {
        BOOST_TEST_CONTEXT(as)
        {
            listening_server one;
            one.hear();
            one.start_modern(telling);
            const std::string id = one.expect_listen() + as;
            one.acknowledge(id, lists);
            one.tell("notifications/tools/list_changed",
                     R"({"_meta":{"io.modelcontextprotocol/subscriptionId":)" + id + "}}");
            one.expect_heard({"tools"});
            one.tell("notifications/tools/list_changed",
                     R"({"_meta":{"io.modelcontextprotocol/subscriptionId":)" + id + "1}}");
            one.expect_heard({});
        }
    }
}

BOOST_AUTO_TEST_CASE(several_subscriptions_at_a_time_are_one_after_the_other)
{
    start_modern();
    begun<void> all[3];
    const char* const uris[] = {"a:a", "a:b", "a:c"};
    for (std::size_t i = 0; i != 3; ++i)
        client().subscribe(uris[i])(all[i].token());
    for (std::size_t i = 0; i != 3; ++i) {
        const std::string id = expect_listen_to(uris[i]);
        expect_silence();
        acknowledge_uri(id, uris[i]);
        BOOST_TEST(!wait(all[i]).failed());
    }
    expect_silence();
}

// rule: mcp.listen.honoured
BOOST_AUTO_TEST_CASE(what_is_not_honoured_is_told)
{
    start_modern();
    begun<void> subscribed;
    client().subscribe("a:b")(subscribed.token());
    const std::string id = expect_listen_to("a:b");
    acknowledge(id, R"({"resourceSubscriptions":[]})");
    expect_failure(subscribed, client_errc::not_subscribed, "a:b");
    expect_cancel(id);
}

BOOST_AUTO_TEST_CASE(who_subscribes_to_the_same_waits_for_what_comes_of_it)
{
    start_modern();
    begun<void> all[3];
    for (begun<void>& each : all)
        client().subscribe("a:b")(each.token());
    const std::string refused = expect_listen_to("a:b");
    settle();
    BOOST_TEST(!all[1].has_ended());
    acknowledge(refused, "{}");
    expect_failure(all[0], client_errc::not_subscribed);
    expect_cancel(refused);
    acknowledge_uri(expect_listen_to("a:b"), "a:b");
    BOOST_TEST(!wait(all[1]).failed());
    BOOST_TEST(!wait(all[2]).failed());
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_server_that_refuses_is_told_of)
{
    start_modern();
    begun<void> subscribed;
    client().subscribe("a:b")(subscribed.token());
    refuse(expect_listen_to("a:b"), R"({"code":-32601,"message":"Method not found"})");
    wait(subscribed);
    BOOST_REQUIRE(subscribed.outcome().error());
    BOOST_TEST(subscribed.outcome().error()->code == -32601);
}

BOOST_AUTO_TEST_CASE(a_cancelled_subscription_is_ended)
{
    start_modern();
    begun<void> subscribed;
    client().subscribe("a:b")(subscribed.token());
    const std::string id = expect_listen_to("a:b");
    subscribed.cancel();
    expect_failure(subscribed, boost::asio::error::operation_aborted);
    expect_cancel(id);
}

// One that was given up before it was acknowledged may be acknowledged all the same.
BOOST_AUTO_TEST_CASE(a_late_acknowledgment_does_not_count_for_the_next_subscription)
{
    hear();
    start_modern();
    const std::string late = give_up("a:b");
    begun<void> subscribed;
    client().subscribe("a:b")(subscribed.token());
    const std::string id = expect_listen_to("a:b");
    acknowledge_uri(late, "a:b");
    acknowledge_uri(id, "a:b");
    BOOST_TEST(!wait(subscribed).failed());
    tell_updated("a:b", id);
    expect_heard({"a:b"});
    acknowledge_uri(late, "a:b"); // an older one is none
    tell_updated("a:b", id);
    tell_updated("a:b", late);
    expect_heard({"a:b"});
}

// It may be too late for the next one's completion, too.
BOOST_AUTO_TEST_CASE(an_acknowledgment_that_comes_after_a_late_one_counts)
{
    hear();
    start_modern();
    const std::string late = give_up("a:b");
    begun<void> subscribed;
    client().subscribe("a:b")(subscribed.token());
    const std::string id = expect_listen_to("a:b");
    acknowledge_uri(late, "a:b");
    BOOST_TEST(!wait(subscribed).failed());
    const std::string other = subscribe("a:c");
    acknowledge_uri(id, "a:b");
    tell_updated("a:b", id);
    tell_updated("a:c", other);
    expect_heard({"a:b", "a:c"});
}

BOOST_AUTO_TEST_CASE(an_acknowledgment_of_something_else_is_not_waited_for)
{
    start_modern();
    const std::string late = give_up("a:a");
    begun<void> subscribed;
    client().subscribe("a:b")(subscribed.token());
    const std::string id = expect_listen_to("a:b");
    acknowledge_uri(late, "a:a");
    acknowledge("9", lists);
    settle();
    BOOST_TEST(!subscribed.has_ended());
    acknowledge_uri(id, "a:b");
    BOOST_TEST(!wait(subscribed).failed());
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_foreign_id_does_not_keep_later_subscriptions_from_opening)
{
    hear();
    start_modern();
    begun<void> subscribed;
    client().subscribe("a:b")(subscribed.token());
    expect_listen_to("a:b");
    acknowledge_uri("4611686018427387904", "a:b");
    BOOST_TEST(!wait(subscribed).failed());
    const std::string id = subscribe("a:c");
    tell_updated("a:c", id);
    expect_heard({"a:c"});
}

BOOST_AUTO_TEST_CASE(lists_that_cannot_be_listened_to_are_logged)
{
    hear();
    start_modern(telling);
    refuse(expect_listen(), R"({"code":-32601,"message":"Method not found"})");
    settle();
    BOOST_REQUIRE(logged.size() == 1u);
    BOOST_TEST(logged[0] == "the MCP server does not tell of changes: Method not found");
}

BOOST_AUTO_TEST_CASE(a_failure_without_details_is_told_by_its_code)
{
    const error_code code = client_errc::not_subscribed;
    BOOST_TEST(std::string(mcp::failed_call(code, "").what()) == boost::system::system_error(code).what());
    BOOST_TEST(std::string(mcp::failed_call(code, "a:b").what()).starts_with("a:b: "));
}

BOOST_AUTO_TEST_CASE(closing_while_the_lists_open_is_not_logged)
{
    hear();
    start_modern(telling);
    const std::string id = expect_listen();
    begun<void> closed;
    client().close()(closed.token());
    expect_cancel(id);
    settle();
    end();
    BOOST_TEST(!wait(closed).failed());
    BOOST_TEST(logged.empty());
}

BOOST_AUTO_TEST_CASE(closing_ends_it)
{
    hear();
    start_modern(telling);
    const std::string id = expect_listen();
    acknowledge(id, lists);
    settle();
    const std::string other = subscribe("a:b");
    begun<void> closed;
    client().close()(closed.token());
    expect_cancel(id);
    expect_cancel(other);
    settle();
    end();
    wait(closed);
    BOOST_TEST(!closed.failed());
}

BOOST_AUTO_TEST_CASE(what_a_handler_throws_is_logged)
{
    client().on_tools_changed([] { throw std::runtime_error("oops"); });
    start_legacy();
    tell("notifications/tools/list_changed", "{}");
    settle();
    BOOST_REQUIRE(logged.size() == 1u);
    BOOST_TEST(logged[0].find("oops") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
