// What a client may call decides what it sees: lists, completions, updates and calls.

#include "unit/mcp/server/mcp_dialogue.hpp"

#include <partyline/mcp/server/context.hpp>
#include <partyline/session/access_view.hpp>

#include <boost/describe.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mcp = partyline::mcp;
using namespace partyline::test;
using partyline::access_answer;
using partyline::access_verdict;

namespace {

// Allows what begins with `open`, asks for a scope for "admin*", hides everything else that has a key.
struct prefix_view final : partyline::access_view {
    explicit prefix_view(std::string open) : open_(std::move(open)) {}

    access_verdict judge(std::string_view, std::string_view key) const noexcept override
    {
        if (key.empty() || key.starts_with(open_))
            return {access_answer::allowed};
        if (key.starts_with("admin"))
            return {access_answer::lacks_scope, scopes_};
        return {access_answer::hidden};
    }

private:
    const std::string open_;
    const std::vector<std::string> scopes_{"admin"};
};

struct dated {
    std::string date;
};
BOOST_DESCRIBE_STRUCT(dated, (), (date))

struct access_fixture : mcp_dialogue {
    access_fixture()
    {
        server.add_tool("open_tool", "Open", [] { return "1"; });
        server.add_tool("secret_tool", "Secret", [] { return "2"; });
        server.add_tool("admin_tool", "Admin", [] { return "3"; });
        server.add_prompt("open_prompt", "Open", [](dated d) { return d.date; });
        server.add_prompt("secret_prompt", "Secret", [](dated d) { return d.date; });
        server.add_resource("open://one", "one", "One", [] { return "text"; });
        server.add_resource("secret://one", "one", "One", [] { return "text"; });
        server.add_resource_template("open://{date}/day", "day", "A day", [](dated d) { return d.date; });
        server.add_resource_template("secret://{date}/day", "day", "A day", [](dated d) { return d.date; });
        for (const char* const prompt : {"open_prompt", "secret_prompt"})
            server.complete(prompt, "date", [](std::string_view) { return std::vector<std::string>{"today"}; });
        options.access = std::make_shared<prefix_view>("open");
    }

    std::string answer(std::string_view id, std::string_view method, std::string_view params)
    {
        send(request(id, method, params));
        return receive();
    }
    // The same request for two names has one answer, but for the name.
    void expect_same(std::string_view method, const std::string& hidden, const std::string& unknown,
                     const std::string& before, const std::string& behind)
    {
        const std::string of_hidden = answer("7", method, before + hidden + behind);
        std::string of_unknown = answer("7", method, before + unknown + behind);
        for (std::size_t at; (at = of_unknown.find(unknown)) != std::string::npos;)
            of_unknown.replace(at, unknown.size(), hidden);
        BOOST_TEST(of_hidden == of_unknown);
    }
    // What the client is told of it.
    std::vector<std::string> use(std::shared_ptr<const partyline::access_view> view)
    {
        dialogue::server().use_access(std::move(view));
        settle();
        return take_lines();
    }
};

bool has(const std::string& text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_access, access_fixture, *boost::unit_test::timeout(60))

// rule: security.access.hidden
BOOST_AUTO_TEST_CASE(lists_leave_out_what_is_hidden)
{
    greet();
    const std::string tools = answer("1", "tools/list", "{}");
    BOOST_TEST(has(tools, "open_tool"));
    BOOST_TEST(has(tools, "admin_tool")); // which it may know of
    BOOST_TEST(!has(tools, "secret"));
    for (const char* const list : {"prompts/list", "resources/list", "resources/templates/list"}) {
        const std::string listed = answer("2", list, "{}");
        BOOST_TEST(has(listed, "open"));
        BOOST_TEST(!has(listed, "secret"));
    }
}

// rule: security.access.hidden
BOOST_AUTO_TEST_CASE(what_a_template_lists_and_is_hidden_is_left_out)
{
    mcp::resource_options listing;
    listing.list = [](partyline::request_context&) {
        return std::vector<mcp::listed_resource>{{"notes://open"}, {"notes://secret"}};
    };
    server.add_resource_template("notes://{date}", "note", "A note", [](dated d) { return d.date; }, listing);
    options.access = std::make_shared<prefix_view>("notes://o");
    greet();
    const std::string listed = answer("1", "resources/list", "{}");
    BOOST_TEST(has(listed, "notes://open"));
    BOOST_TEST(!has(listed, "secret"));
    const std::vector<std::string> told = use(std::make_shared<prefix_view>("notes://s"));
    BOOST_TEST(told == std::vector<std::string>{notification("notifications/resources/list_changed")},
               boost::test_tools::per_element());
    BOOST_TEST(has(answer("2", "resources/list", "{}"), "notes://secret"));
}

// rule: security.access.hidden
BOOST_AUTO_TEST_CASE(a_hidden_tool_prompt_or_resource_is_answered_as_one_that_there_is_not)
{
    greet();
    expect_same("tools/call", "secret_tool", "nosuch_tool", R"({"name":")", R"("})");
    expect_same("prompts/get", "secret_prompt", "nosuch_prompt", R"({"name":")", R"(","arguments":{"date":"x"}})");
    expect_same("resources/read", "secret://one", "nosuch://one", R"({"uri":")", R"("})");
    expect_same("resources/read", "secret://x/day", "nosuch://x/day", R"({"uri":")", R"("})");
    expect_same("completion/complete", "secret_prompt", "nosuch_prompt", R"({"ref":{"type":"ref/prompt","name":")",
                R"("},"argument":{"name":"date","value":"t"}})");
    expect_same("completion/complete", "secret://{date}/day", "nosuch://{date}/day",
                R"({"ref":{"type":"ref/resource","uri":")", R"("},"argument":{"name":"date","value":"t"}})");
}

BOOST_AUTO_TEST_CASE(other_spellings_of_a_hidden_name_do_not_reach_it)
{
    greet();
    for (const char* const params : {R"({"name":"\u0073ecret_tool"})", R"({"name":"open_tool","name":"secret_tool"})",
                                     R"({"\u006eame":"secret_tool"})"})
        BOOST_TEST(has(answer("1", "tools/call", params), "Unknown tool: secret_tool"), params);
    for (const char* const params :
         {R"({"name":"Open_tool"})", R"({"name":"open_tool."})", R"({"name":"open_tool\u0000"})"})
        BOOST_TEST(has(answer("1", "tools/call", params), "Unknown tool"), params);
}

BOOST_AUTO_TEST_CASE(a_resource_is_judged_by_what_its_uri_means)
{
    struct no_night final : partyline::access_view {
        access_verdict judge(std::string_view, std::string_view key) const noexcept override
        {
            const bool is_night = key == "open://night/day" || key == "open://night:1/day";
            return {is_night ? access_answer::hidden : access_answer::allowed};
        }
    };
    options.access = std::make_shared<no_night>();
    greet();
    BOOST_TEST(has(answer("1", "resources/read", R"({"uri":"open://dawn/day"})"), "\"dawn\""));
    for (const char* const params :
         {R"({"uri":"open://night/day"})", R"({"uri":"open://%6eight/day"})", R"({"uri":"open://%6Eigh%74/%64ay"})",
          R"({"uri":"open://night:1/day"})", R"({"uri":"open://night%3A1/day"})",
          R"({"uri":"open://dawn/day","uri":"open://night/day"})", R"({"\u0075ri":"open://night/day"})"})
        BOOST_TEST(has(answer("2", "resources/read", params), "Resource not found"), params);
}

BOOST_AUTO_TEST_CASE(a_scope_that_is_lacking_is_asked_for_by_completions_and_subscriptions_too)
{
    server.add_prompt("admin_prompt", "Admin", [](dated d) { return d.date; });
    server.complete("admin_prompt", "date", [](std::string_view) { return std::vector<std::string>{"today"}; });
    begin();
    say_modern("1", "completion/complete",
               R"("ref":{"type":"ref/prompt","name":"admin_prompt"},"argument":{"name":"date","value":"t"})");
    BOOST_TEST(has(receive(), "-31003"));
    say_modern("2", "subscriptions/listen", R"("notifications":{"resourceSubscriptions":["admin://x"]})");
    BOOST_TEST(has(receive(), "-31003"));
}

BOOST_AUTO_TEST_CASE(what_is_allowed_is_served_and_a_scope_that_is_missing_is_named)
{
    greet();
    call("1", "open_tool");
    expect(text_result("1", "1"));
    call("2", "admin_tool");
    expect(R"({"jsonrpc":"2.0","id":2,"error":{"code":-31003,"message":"Insufficient scope",)"
           R"("data":{"required":["admin"]}}})");
    BOOST_TEST(has(answer("3", "resources/subscribe", R"({"uri":"admin://x"})"), "-31003"));
    BOOST_TEST(has(answer("4", "resources/read", R"({"uri":"open://x/day"})"), "\"x\""));
}

BOOST_AUTO_TEST_CASE(nothing_is_told_of_a_hidden_resource_that_is_subscribed_to)
{
    greet();
    BOOST_TEST(answer("1", "resources/subscribe", R"({"uri":"secret://one"})") ==
               answer("1", "resources/subscribe", R"({"uri":"nosuch://one"})"));
    answer("2", "resources/subscribe", R"({"uri":"open://one"})");
    server.resource_updated("secret://one");
    server.resource_updated("open://one");
    BOOST_TEST(has(receive(), "open://one"));
    expect_silence();
}

BOOST_AUTO_TEST_CASE(lists_for_a_view_are_never_public)
{
    server = mcp::server("unit", "1.0", {.list_lifetime = std::chrono::seconds(9), .are_lists_public = true});
    server.add_tool("open_tool", "Open", [] { return "1"; });
    begin();
    say_modern("1", "tools/list");
    BOOST_TEST(has(receive(), R"("cacheScope":"private")"));
}

BOOST_AUTO_TEST_CASE(pages_of_one_view_are_not_those_of_another)
{
    greet();
    const std::string restricted = answer("1", "tools/list", "{}");
    use(std::make_shared<prefix_view>("secret"));
    const std::string other = answer("1", "tools/list", "{}");
    BOOST_TEST(has(other, "secret_tool"));
    BOOST_TEST(!has(other, "open_tool"));
    use(nullptr);
    const std::string all = answer("1", "tools/list", "{}");
    BOOST_TEST(has(all, "secret_tool"));
    BOOST_TEST(has(all, "open_tool"));
    use(options.access);
    BOOST_TEST(answer("1", "tools/list", "{}") == restricted);
}

BOOST_AUTO_TEST_CASE(another_view_is_told_of_by_the_lists_that_differ)
{
    using lines = std::vector<std::string>;
    greet();
    const lines all_changed{notification("notifications/prompts/list_changed"),
                            notification("notifications/resources/list_changed"),
                            notification("notifications/tools/list_changed")};
    BOOST_TEST(use(std::make_shared<prefix_view>("secret")) == all_changed, boost::test_tools::per_element());
    BOOST_TEST(use(std::make_shared<prefix_view>("secret")) == lines(), boost::test_tools::per_element());
    BOOST_TEST(use(std::make_shared<prefix_view>("secret_tool")) == lines(all_changed.begin(), all_changed.end() - 1),
               boost::test_tools::per_element());
    BOOST_TEST(use(std::make_shared<prefix_view>("none")) == lines{all_changed.back()},
               boost::test_tools::per_element());
    BOOST_TEST(use(nullptr) == all_changed, boost::test_tools::per_element());
    BOOST_TEST(has(answer("1", "tools/list", "{}"), "secret_tool"));
}

BOOST_AUTO_TEST_CASE(a_view_that_only_asks_for_other_scopes_changes_no_list)
{
    struct asking final : partyline::access_view {
        access_verdict judge(std::string_view, std::string_view) const noexcept override
        {
            return {access_answer::lacks_scope};
        }
    };
    options.access = nullptr;
    greet();
    BOOST_TEST(use(std::make_shared<asking>()).empty());
}

BOOST_AUTO_TEST_CASE(several_other_views_in_one_moment_are_told_of_once)
{
    greet();
    for (const char* const open : {"secret", "open", "secret", "open"})
        dialogue::server().use_access(std::make_shared<prefix_view>(open));
    settle();
    BOOST_TEST(take_lines().size() == 3u);
}

BOOST_AUTO_TEST_CASE(before_it_is_initialized_a_client_is_told_of_no_view)
{
    begin();
    BOOST_TEST(use(std::make_shared<prefix_view>("secret")).empty());
    greet();
    BOOST_TEST(take_lines().empty());
    BOOST_TEST(has(answer("1", "tools/list", "{}"), "secret_tool"));
}

BOOST_AUTO_TEST_CASE(a_listener_is_told_of_another_view_where_it_wants_that)
{
    begin();
    say_modern("5", "subscriptions/listen", R"("notifications":{"toolsListChanged":true})");
    receive();
    const std::vector<std::string> told = use(std::make_shared<prefix_view>("secret"));
    BOOST_TEST_REQUIRE(told.size() == 1u);
    BOOST_TEST(has(told[0], "notifications/tools/list_changed"));
    BOOST_TEST(use(std::make_shared<prefix_view>("secret_tool")).empty());
}

BOOST_AUTO_TEST_SUITE_END()
