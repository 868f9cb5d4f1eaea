// Lists, pages, and what clients are told of changes.

#include "unit/mcp/server/mcp_dialogue.hpp"

#include <boost/describe.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <thread>
#include <vector>

namespace mcp = partyline::mcp;
using namespace partyline::test;

namespace {

struct day {
    std::string date;
};
BOOST_DESCRIBE_STRUCT(day, (), (date))

enum class tone { formal, casual };
BOOST_DESCRIBE_ENUM(tone, formal, casual)

struct letter {
    std::string to;
    std::optional<tone> in;
};
BOOST_DESCRIBE_STRUCT(letter, (), (to, in))

struct changes_fixture : mcp_dialogue {
    mcp::feature_handle first = server.add_tool("first", "First", [] { return "1"; });

    changes_fixture()
    {
        server.add_resource("notes://readme", "readme", "How to", [] { return "text"; });
        server.add_resource_template("notes://{date}/day", "day", "A day", [](day d) {
            if (d.date == "never")
                throw mcp::resource_not_found();
            return "of " + d.date;
        });
        server.add_prompt("letter", "Writes a letter", [](letter l) { return "Dear " + l.to; });
        server.complete("letter", "to", [](std::string_view begun) {
            return std::vector<std::string>{std::string(begun) + "nn", std::string(begun) + "lice"};
        });
    }
};

const std::string tools_changed = notification("notifications/tools/list_changed");

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_changes, changes_fixture, *boost::unit_test::timeout(30))

// rule: mcp.notification.no_id, mcp.tools.changed
BOOST_AUTO_TEST_CASE(many_changes_in_one_moment_are_told_once_and_before_the_next_reply)
{
    greet();
    for (int i = 0; i != 50; ++i)
        server.add_tool("more" + std::to_string(i), "More", [] {});
    first.enable(false);
    send(request("1", "tools/list"));
    expect(tools_changed);
    const std::string listed = receive();
    BOOST_TEST(listed.find("\"first\"") == listed.npos);
    BOOST_TEST(listed.find("\"more49\"") != listed.npos);
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_handle_disables_enables_and_removes)
{
    greet();
    first.enable(false);
    call("1", "first");
    expect(tools_changed);
    BOOST_TEST(receive().find("Unknown tool: first") != std::string::npos);
    first.enable(true);
    first.enable(true); // nothing new
    call("2", "first");
    expect(tools_changed);
    expect(text_result("2", "1"));
    first.remove();
    first.remove();
    server.add_tool("first", "Another", [] { return "2"; });
    call("3", "first");
    expect(tools_changed);
    expect(text_result("3", "2"));
}

BOOST_AUTO_TEST_CASE(who_is_served_goes_on_when_its_tool_is_taken_away)
{
    gate forever(context);
    mcp::feature_handle waits =
        server.add_tool("waits", "Waits", [&](mcp::context&) -> boost::asio::awaitable<std::string> {
            co_await forever.wait();
            co_return "done";
        });
    greet();
    call("1", "waits");
    settle();
    waits.remove();
    expect(tools_changed);
    forever.open();
    expect(text_result("1", "done"));
}

BOOST_AUTO_TEST_CASE(changes_come_from_any_thread)
{
    greet();
    std::vector<std::thread> threads;
    for (int t = 0; t != 4; ++t)
        threads.emplace_back([this, t] {
            for (int i = 0; i != 25; ++i)
                server.add_tool("t" + std::to_string(t) + '.' + std::to_string(i), "From a thread", [] {})
                    .enable(i % 2);
        });
    for (std::thread& one : threads)
        one.join();
    settle();
    send(request("1", "tools/list"));
    std::string listed = receive();
    while (listed == tools_changed)
        listed = receive();
    BOOST_TEST(listed.find("\"t3.23\"") != listed.npos);
    BOOST_TEST(listed.find("\"t3.24\"") == listed.npos);
}

// rule: mcp.initialize.server_waits
BOOST_AUTO_TEST_CASE(nothing_is_told_before_the_client_has_said_that_it_is_ready)
{
    begin();
    send(request("0", "initialize",
                 R"({"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}})"));
    receive();
    server.add_tool("second", "Second", [] {});
    expect_silence();
}

// rule: mcp.resources.updated
BOOST_AUTO_TEST_CASE(subscribers_are_told_of_their_resources_alone)
{
    greet();
    send(request("1", "resources/subscribe", R"({"uri":"notes://readme"})"));
    expect(result("1", "{}"));
    server.resource_updated("notes://readme");
    server.resource_updated("notes://readme");
    server.resource_updated("notes://other");
    expect(notification("notifications/resources/updated", R"({"uri":"notes://readme"})"));
    expect_silence();
    send(request("2", "resources/unsubscribe", R"({"uri":"notes://readme"})"));
    expect(result("2", "{}"));
    server.resource_updated("notes://readme");
    expect_silence();
}

// rule: mcp.listen.wanted, mcp.listen.first, mcp.listen.id
BOOST_AUTO_TEST_CASE(a_listener_is_told_what_it_wants_under_its_id)
{
    begin();
    say_modern("\"l\"", "subscriptions/listen",
               R"("notifications":{"toolsListChanged":true,"resourceSubscriptions":["notes://readme"]})");
    const std::string meta = R"("_meta":{"io.modelcontextprotocol/subscriptionId":"l"})";
    expect(notification("notifications/subscriptions/acknowledged",
                        R"({"notifications":{"toolsListChanged":true,"resourceSubscriptions":["notes://readme"]},)" +
                            meta + "}"));
    first.enable(false);
    expect(notification("notifications/tools/list_changed", "{" + meta + "}"));
    server.add_prompt("more", "More", [] { return "x"; });
    server.resource_updated("notes://readme");
    expect(notification("notifications/resources/updated", R"({"uri":"notes://readme",)" + meta + "}"));
    send(notification("notifications/cancelled", R"({"requestId":"l"})"));
    first.enable(true);
    expect_silence();
}

// rule: mcp.listen.graceful
BOOST_AUTO_TEST_CASE(a_listener_ends_in_order_with_input)
{
    begin();
    say_modern("5", "subscriptions/listen", R"("notifications":{"promptsListChanged":true})");
    receive();
    end_input();
    expect(result("5", R"({"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":5,)"
                       R"("io.modelcontextprotocol/serverInfo":{"name":"unit","version":"1.0"}}})"));
}

// rule: mcp.error.own
BOOST_AUTO_TEST_CASE(listeners_are_bounded_and_checked)
{
    begin();
    say_modern("1", "subscriptions/listen");
    BOOST_TEST(receive().find("-32602") != std::string::npos);
    say_modern("1", "subscriptions/listen", R"("notifications":{"resourceSubscriptions":[1]})");
    BOOST_TEST(receive().find("-32602") != std::string::npos);
    for (int i = 0; i != 1024; ++i) {
        say_modern(std::to_string(i), "subscriptions/listen", R"("notifications":{"toolsListChanged":true})");
        BOOST_TEST(receive().find("acknowledged") != std::string::npos);
    }
    say_modern("1024", "subscriptions/listen", R"("notifications":{"toolsListChanged":true})");
    BOOST_TEST(receive().find("-31001") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(listeners_come_and_go_while_threads_tell_of_changes)
{
    std::atomic<bool> is_over = false;
    std::vector<std::thread> threads;
    for (int t = 0; t != 2; ++t)
        threads.emplace_back([&] {
            while (!is_over)
                server.resource_updated("notes://other");
        });
    begin();
    for (int round = 0; round != 4; ++round) {
        for (int i = 0; i != 64; ++i) {
            say_modern(std::to_string(i), "subscriptions/listen", R"("notifications":{"toolsListChanged":true})");
            BOOST_TEST(receive().find("acknowledged") != std::string::npos);
        }
        for (int i = 0; i != 64; ++i)
            send(notification("notifications/cancelled", "{\"requestId\":" + std::to_string(i) + '}'));
        settle();
    }
    is_over = true;
    for (std::thread& one : threads)
        one.join();
}

BOOST_AUTO_TEST_CASE(what_a_client_says_and_subscribes_to_counts_in_the_budget)
{
    const auto budget = std::make_shared<partyline::memory_budget>(std::size_t(1) << 20);
    options.budget = budget;
    const std::string uri = '"' + std::string(40'000, 'u') + '"';
    greet("2025-11-25", R"({"experimental":{"x":{"y":")" + std::string(30'000, 'y') + R"("}}})");
    const std::size_t greeted = budget->used();
    BOOST_TEST(greeted > 30'000u);
    send(request("1", "resources/subscribe", "{\"uri\":" + uri + "}"));
    expect(result("1", "{}"));
    BOOST_TEST(budget->used() > greeted + 40'000);
    send(request("2", "resources/unsubscribe", "{\"uri\":" + uri + "}"));
    expect(result("2", "{}"));
    BOOST_TEST(budget->used() == greeted);

    budget->add(budget->limit()); // by others
    send(request("3", "resources/subscribe", R"({"uri":"notes://short"})"));
    expect(result("3", "{}"));
    send(request("4", "resources/subscribe", "{\"uri\":" + uri + "}"));
    BOOST_TEST(receive().find("-31001") != std::string::npos);
    budget->sub(budget->limit());
}

BOOST_AUTO_TEST_CASE(the_uris_of_all_subscriptions_are_bounded_together)
{
    greet();
    const auto uri = [](char what) { return "\"notes://" + std::string(600'000, what) + '"'; };
    const auto listen = [&](const char* id) {
        say_modern(id, "subscriptions/listen", R"("notifications":{"resourceSubscriptions":[)" + uri('c') + "]}");
        return receive();
    };
    send(request("1", "resources/subscribe", "{\"uri\":" + uri('a') + "}"));
    expect(result("1", "{}"));
    send(request("2", "resources/subscribe", "{\"uri\":" + uri('a') + "}"));
    expect(result("2", "{}")); // it has that
    send(request("3", "resources/subscribe", "{\"uri\":" + uri('b') + "}"));
    BOOST_TEST(receive().find("-31001") != std::string::npos);
    BOOST_TEST(listen("4").find("-31001") != std::string::npos);
    send(request("5", "resources/unsubscribe", "{\"uri\":" + uri('a') + "}"));
    expect(result("5", "{}"));
    for (int i = 0; i != 3; ++i) {
        BOOST_TEST(listen("6").find("acknowledged") != std::string::npos);
        BOOST_TEST(listen("7").find("-31001") != std::string::npos);
        send(notification("notifications/cancelled", R"({"requestId":6})"));
        settle();
    }
}

// rule: mcp.list.varies
BOOST_AUTO_TEST_CASE(a_session_that_is_made_later_serves_what_is_offered_then)
{
    server.prepare(options);
    other_methods = server.methods();
    server.add_tool("later", "Later", [] { return "2"; });
    first.remove();
    start();
    call_modern("1", "later");
    expect(modern_text("1", "2"));
    call_modern("2", "first");
    BOOST_TEST(receive().find("Unknown tool: first") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_session_can_be_made_when_the_server_is_gone)
{
    server.prepare(options);
    other_methods = server.methods();
    server = mcp::server("another", "2.0");
    start();
    call_modern("1", "first");
    expect(modern_text("1", "1"));
}

// rule: mcp.pages.stable
BOOST_AUTO_TEST_CASE(pages_follow_each_other_whatever_comes_and_goes_between)
{
    mcp::server_options small;
    small.page_size = 2;
    server = mcp::server("unit", "1.0", small);
    std::vector<mcp::feature_handle> all;
    for (const char* name : {"a", "b", "c", "d", "e"})
        all.push_back(server.add_tool(name, "One", [] {}));
    greet();
    send(request("1", "tools/list"));
    const std::string page = receive();
    BOOST_TEST(page.find("\"b\"") != page.npos);
    BOOST_TEST(page.find("\"c\"") == page.npos);
    const std::string cursor = result_member(page, "nextCursor");
    all[1].remove();
    all[2].remove();
    send(request("2", "tools/list", R"({"cursor":")" + cursor + "\"}"));
    expect(tools_changed);
    const std::string second = receive();
    BOOST_TEST(second.find("\"d\"") != second.npos);
    BOOST_TEST(second.find("\"e\"") != second.npos);
    BOOST_TEST(second.find("nextCursor") == second.npos);
    for (const char* wrong : {R"({"cursor":"x"})", R"({"cursor":""})", R"({"cursor":7})"}) {
        send(request("3", "tools/list", wrong));
        BOOST_TEST(receive().find("-32602") != std::string::npos, wrong);
    }
    send(request("4", "resources/list", R"({"cursor":")" + cursor + "\"}"));
    BOOST_TEST(receive().find("-32601") != std::string::npos);
    send(request("5", "tools/list", R"({"cursor":null,"newer":1})")); // as if it were left out
    BOOST_TEST(receive().find("\"a\"") != std::string::npos);
}

// rule: mcp.pages.stable
BOOST_AUTO_TEST_CASE(a_cursor_is_good_as_long_as_its_key_is_there)
{
    const std::string a(32, 'a');
    const std::string b(32, 'b');
    mcp::server_options small;
    small.page_size = 1;
    small.state_keys = mcp::state_keys({a});
    server = mcp::server("unit", "1.0", small);
    for (const char* name : {"first", "second"})
        server.add_tool(name, "One", [] {});
    begin();
    const auto page = [&](const std::string& cursor) {
        say_modern("1", "tools/list", cursor.empty() ? "" : R"("cursor":")" + cursor + '"');
        return receive();
    };
    const std::string of_a = result_member(page(""), "nextCursor");
    server.use_state_keys(mcp::state_keys({b, a}));
    BOOST_TEST(page(of_a).find("second") != std::string::npos);
    const std::string of_b = result_member(page(""), "nextCursor");
    BOOST_TEST(of_a != of_b); // also of a page that was known
    server.use_state_keys(mcp::state_keys({b}));
    BOOST_TEST(page(of_b).find("second") != std::string::npos);
    BOOST_TEST(page(of_a).find("-32602") != std::string::npos);
}

// rule: mcp.error.retired, mcp.resources.not_found, mcp.resources.not_found_legacy, mcp.resources.text
// rule: mcp.resources.validate
BOOST_AUTO_TEST_CASE(resources_are_read_by_their_uri_or_by_a_template)
{
    greet();
    send(request("1", "resources/read", R"({"uri":"notes://readme"})"));
    expect(result("1", R"({"contents":[{"uri":"notes://readme","mimeType":"text/plain","text":"text"}]})"));
    send(request("2", "resources/read", R"({"uri":"notes://2026-11-24/day"})"));
    expect(result("2",
                  R"({"contents":[{"uri":"notes://2026-11-24/day","mimeType":"text/plain","text":"of 2026-11-24"}]})"));
    for (const char* uri : {"notes://never/day", "notes://a/b/day", "other://x"}) {
        send(request("3", "resources/read", std::string(R"({"uri":")") + uri + "\"}"));
        const std::string legacy = receive();
        BOOST_TEST(legacy.find("-32002") != legacy.npos, legacy);
        BOOST_TEST(legacy.find(uri) != legacy.npos, legacy);
        say_modern("4", "resources/read", std::string(R"("uri":")") + uri + '"');
        BOOST_TEST(receive().find("-32602") != std::string::npos);
    }
}

// rule: mcp.error.message, mcp.prompts.validate, mcp.completion.validate
BOOST_AUTO_TEST_CASE(prompts_take_strings_and_complete_them)
{
    greet();
    send(request("1", "prompts/get", R"({"name":"letter","arguments":{"to":"Ann","in":"formal"}})"));
    expect(result("1", R"({"messages":[{"role":"user","content":{"type":"text","text":"Dear Ann"}}]})"));
    send(request("2", "prompts/get", R"({"name":"letter"})"));
    BOOST_TEST(receive().find("-32602") != std::string::npos);
    send(request("3", "prompts/get", R"({"name":"none"})"));
    BOOST_TEST(receive().find("Unknown prompt: none") != std::string::npos);
    const auto complete = [&](const char* argument, const char* value, const char* ref = "letter") {
        send(request("4", "completion/complete",
                     std::string(R"({"ref":{"type":"ref/prompt","name":")") + ref + R"("},"argument":{"name":")" +
                         argument + R"(","value":")" + value + "\"}}"));
        return receive();
    };
    BOOST_TEST(complete("to", "A") ==
               result("4", R"({"completion":{"values":["Ann","Alice"],"total":2,"hasMore":false}})"));
    BOOST_TEST(complete("in", "c") == result("4", R"({"completion":{"values":["casual"],"total":1,"hasMore":false}})"));
    BOOST_TEST(complete("other", "") == result("4", R"({"completion":{"values":[],"total":0,"hasMore":false}})"));
    BOOST_TEST(complete("to", "A", "none").find("-32602") != std::string::npos);
}

// rule: mcp.log.level
BOOST_AUTO_TEST_CASE(the_log_is_told_what_the_client_wants_to_hear)
{
    server.add_tool("speak", "Says something", [](mcp::context& c) {
        static_cast<void>(c.log(mcp::log_level::debug, "low"));
        static_cast<void>(c.log(mcp::log_level::warning, "high", "unit"));
    });
    greet();
    const std::string high =
        notification("notifications/message", R"({"level":"warning","data":"high","logger":"unit"})");
    call("1", "speak");
    expect(high);
    receive();
    send(request("2", "logging/setLevel", R"({"level":"error"})"));
    expect(result("2", "{}"));
    call("3", "speak");
    expect(result("3", R"({"content":[]})"));
    send(request("4", "logging/setLevel", R"({"level":"loud"})"));
    BOOST_TEST(receive().find("-32602") != std::string::npos);
    call_modern("5", "speak");
    receive();
    expect_silence(); // it did not ask
}

// rule: mcp.progress.increase
BOOST_AUTO_TEST_CASE(progress_only_goes_on_and_only_where_it_is_wanted)
{
    server.add_tool("count", "Counts", [](mcp::context& c) {
        for (const double done : {1.0, 1.0, 0.5, 2.0})
            static_cast<void>(c.progress(done, 2.0));
    });
    greet();
    call("1", "count");
    receive();
    expect_silence();
    call("2", "count", "{}", R"({"progressToken":"p"})");
    expect(notification("notifications/progress", R"({"progressToken":"p","progress":1.0,"total":2.0})"));
    expect(notification("notifications/progress", R"({"progressToken":"p","progress":2.0,"total":2.0})"));
    receive();
}

BOOST_AUTO_TEST_SUITE_END()
