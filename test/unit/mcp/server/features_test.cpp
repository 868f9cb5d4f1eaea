// Tools, resources, prompts and completions: what they may be, and what becomes of what goes wrong in them.

#include "mcp/schema/schema.hpp"
#include "unit/mcp/server/mcp_dialogue.hpp"

#include <boost/describe.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace json = boost::json;
namespace mcp = partyline::mcp;
using namespace partyline::test;
using partyline::json_text;

namespace {

enum class size_name { small, large };
BOOST_DESCRIBE_ENUM(size_name, small, large)

struct box {
    int width = 4;
    std::optional<int> height;
    std::vector<size_name> sizes{size_name::large};
};
BOOST_DESCRIBE_STRUCT(box, (), (width, height, sizes))

struct date_of {
    std::string date;
};
BOOST_DESCRIBE_STRUCT(date_of, (), (date))

std::string fail_always()
{
    throw std::runtime_error("secret");
}

struct features_fixture : mcp_dialogue {
    json::value answer_to(std::string_view line)
    {
        send(line);
        return json::parse(receive());
    }
    void expect_internal_error()
    {
        const std::string reply = receive();
        BOOST_TEST(reply.find(R"("code":-32603)") != reply.npos, reply);
        BOOST_TEST(reply.find("secret") == reply.npos, reply);
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_features, features_fixture, *boost::unit_test::timeout(30))

// rule: mcp.tools.name_length, mcp.tools.name_case, mcp.tools.name_characters, mcp.tools.name_others
BOOST_AUTO_TEST_CASE(names_of_tools_are_what_hosts_take)
{
    const auto nothing = [] {};
    server.add_tool(std::string(128, 'x'), "", nothing);
    server.add_tool("A-z_0.9", "", nothing);
    server.add_tool("text", "", nothing);
    server.add_tool("Text", "Another one", nothing);
    for (const std::string& name : {std::string(129, 'x'), std::string(), std::string("a/b"), std::string("a b"),
                                    std::string("a,b"), std::string("\u00e4")})
        BOOST_CHECK_THROW(server.add_tool(name, "", nothing), std::invalid_argument);
    greet();
    call("1", "TEXT");
    BOOST_TEST(receive().find("Unknown tool: TEXT") != std::string::npos);
}

// rule: mcp.stdio.line
BOOST_AUTO_TEST_CASE(a_schema_of_several_lines_is_listed_in_one)
{
    const std::string schema = "{\n  \"type\": \"object\",\r\n  \"properties\": {}\n}";
    server.add_tool("lines", "By hand", json_text(schema), [](json::object) { return 1; });
    greet();
    send(request("1", "tools/list"));
    const std::string listed = receive();
    BOOST_TEST(listed.find(R"({   "type": "object",    "properties": {} })") != listed.npos, listed);
    expect_silence(); // that was all of it
}

// Before 2026-07-28 what is no object is wrapped, by the schema as by the result.
// rule: mcp.tools.output
BOOST_AUTO_TEST_CASE(results_fit_the_schemas_that_are_listed_for_them)
{
    for (const std::string revision : {"2025-06-18", "2025-11-25", "2026-07-28"}) {
        features_fixture one;
        const bool is_modern = revision == "2026-07-28";
        one.server.add_tool("struct", "", [] { return box(); });
        one.server.add_tool("map", "", [] { return std::map<std::string, int>{{"a", 1}}; });
        one.server.add_tool("number", "", [] { return 2.5; });
        one.server.add_tool("list", "", [] { return std::vector<box>(2); });
        one.server.add_tool("name", "", [] { return size_name::small; });
        one.server.add_tool("boolean", "", [] { return true; });
        is_modern ? one.begin() : one.greet(revision);
        is_modern ? one.say_modern("1", "tools/list") : one.send(request("1", "tools/list"));
        const json::value listed = json::parse(one.receive());
        int checked = 0;
        for (const json::value& tool : listed.at("result").at("tools").as_array()) {
            const mcp::schema schema = mcp::schema::compile(tool.at("outputSchema"));
            const std::string name(tool.at("name").as_string());
            is_modern ? one.call_modern("2", name) : one.call("2", name);
            const json::value structured = json::parse(one.receive()).at("result").at("structuredContent");
            BOOST_TEST(schema.check(structured).empty(), revision + ' ' + name + ": " + json::serialize(structured));
            BOOST_TEST((is_modern || structured.is_object()), name);
            ++checked;
        }
        BOOST_TEST(checked == 6);
    }
}

// rule: mcp.resources.changed
BOOST_AUTO_TEST_CASE(resources_that_come_and_go_are_told_of)
{
    server.add_resource("notes://all", "all", "All", [] { return "all"; });
    const std::string changed = "notifications/resources/list_changed";
    greet();
    mcp::feature_handle more = server.add_resource("notes://more", "more", "More", [] { return "more"; });
    expect(notification(changed));
    say_modern("5", "subscriptions/listen", R"("notifications":{"resourcesListChanged":true})");
    receive();
    more.remove();
    expect_in_any_order(
        {notification(changed), notification(changed, R"({"_meta":{"io.modelcontextprotocol/subscriptionId":5}})")});
}

// rule: mcp.pages.stable
BOOST_AUTO_TEST_CASE(a_template_lists_the_resources_that_it_has)
{
    mcp::server_options small;
    small.page_size = 2;
    server = mcp::server("unit", "1.0", small);
    std::vector<mcp::listed_resource> days{{"notes://a/day"}, {"notes://b/day"}, {"notes://c/day", "C", "Third"}};
    days[0].mime_type = "text/html";
    const partyline::request_context* asked_by = nullptr;
    mcp::resource_options listing;
    listing.mime_type = "text/markdown";
    listing.list = [&](partyline::request_context& context) {
        asked_by = &context;
        return days;
    };
    const auto read = [](date_of of) { return of.date; };
    server.add_resource("notes://first", "first", "", [] { return "1"; });
    auto by_day = server.add_resource_template("notes://{date}/day", "day", "A day", read, listing);
    server.add_resource("notes://b/day", "b", "By itself", [] { return "b"; });
    server.add_resource_template("other://{date}", "other", "Lists none", read);
    greet();
    const auto page = [&](const std::string& cursor) {
        return answer_to(request("1", "resources/list", cursor.empty() ? "{}" : "{\"cursor\":\"" + cursor + "\"}"))
            .at("result");
    };
    const auto resources = [](const json::value& of) { return json::serialize(of.at("resources")); };
    const auto behind = [](const json::value& of) { return std::string(of.at("nextCursor").as_string()); };

    const json::value one = page("");
    BOOST_TEST(resources(one) == R"([{"name":"first","uri":"notes://first"},)"
                                 R"({"name":"notes://a/day","uri":"notes://a/day","mimeType":"text/html"}])");
    BOOST_TEST(asked_by);
    const json::value two = page(behind(one)); // what was added by itself stands there once
    BOOST_TEST(resources(two) ==
               R"([{"name":"C","uri":"notes://c/day","description":"Third","mimeType":"text/markdown"},)"
               R"({"name":"b","uri":"notes://b/day","description":"By itself"}])");
    BOOST_TEST(!two.as_object().contains("nextCursor"));
    days.push_back({"notes://d/day"});
    BOOST_TEST(resources(page(behind(one))).find("notes://d/day") != std::string::npos); // nothing was kept
    send(request("2", "resources/read", R"({"uri":"notes://c/day"})"));
    BOOST_TEST(receive().find(R"("text":"c")") != std::string::npos);
    server.resources_changed();
    expect(notification("notifications/resources/list_changed"));
    by_day.remove();
    expect(notification("notifications/resources/list_changed"));
    BOOST_TEST(resources(page("")) == R"([{"name":"first","uri":"notes://first"},)"
                                      R"({"name":"b","uri":"notes://b/day","description":"By itself"}])");
}

BOOST_AUTO_TEST_CASE(a_list_that_a_template_can_not_have_is_an_internal_error)
{
    mcp::resource_options listing;
    listing.list = [](partyline::request_context&) { return std::vector<mcp::listed_resource>{{"secret://day"}}; };
    const auto read = [](date_of of) { return of.date; };
    BOOST_CHECK_EXCEPTION(server.add_resource(
                              "notes://all", "all", "", [] { return "all"; }, listing),
                          std::invalid_argument,
                          [](const auto& e) { return std::string(e.what()).find("template") != std::string::npos; });
    auto added = server.add_resource_template("notes://{date}/day", "day", "", read, listing);
    greet();
    send(request("1", "resources/list"));
    expect_internal_error();
    BOOST_REQUIRE(!logged.empty());
    BOOST_TEST(logged.back().find(R"(lists "secret://day", which it does not fit)") != std::string::npos);
    added.remove();
    expect(notification("notifications/resources/list_changed"));
    listing.list = [](partyline::request_context&) -> std::vector<mcp::listed_resource> {
        throw std::runtime_error("secret");
    };
    server.add_resource_template("notes://{date}/day", "day", "", read, listing);
    expect(notification("notifications/resources/list_changed"));
    send(request("2", "resources/list"));
    expect_internal_error();
}

BOOST_AUTO_TEST_CASE(what_a_template_lists_for_one_client_is_not_kept_for_others)
{
    mcp::server_options common;
    common.are_lists_public = true;
    server = mcp::server("unit", "1.0", common);
    mcp::resource_options listing;
    listing.list = [](partyline::request_context&) { return std::vector<mcp::listed_resource>{{"notes://a/day"}}; };
    server.add_resource_template("notes://{date}/day", "day", "", [](date_of of) { return of.date; }, listing);
    begin();
    say_modern("1", "resources/list");
    BOOST_TEST(receive().find(R"("cacheScope":"private")") != std::string::npos);
    say_modern("2", "resources/templates/list");
    BOOST_TEST(receive().find(R"("cacheScope":"public")") != std::string::npos);
}

// Caching of 2026-07-28. Pages before and behind the place of a template have nothing that a function has listed.
BOOST_AUTO_TEST_CASE(all_pages_of_a_list_have_one_scope)
{
    mcp::server_options common;
    common.are_lists_public = true;
    common.page_size = 1;
    server = mcp::server("unit", "1.0", common);
    mcp::resource_options listing;
    listing.list = [](partyline::request_context&) { return std::vector<mcp::listed_resource>{{"notes://a/day"}}; };
    const auto add = [&](const char* uri) { return server.add_resource(uri, uri, "", [] { return "1"; }); };
    add("notes://1");
    server.add_resource_template("notes://{date}/day", "day", "", [](date_of of) { return of.date; }, listing);
    add("notes://2");
    add("notes://3");
    begin();
    std::vector<std::string> scopes;
    std::string cursor;
    do {
        say_modern("1", "resources/list", cursor);
        const json::value page = json::parse(receive()).at("result");
        scopes.emplace_back(page.at("cacheScope").as_string());
        const json::value* const next = page.as_object().if_contains("nextCursor");
        cursor = next ? "\"cursor\":" + json::serialize(*next) : "";
    } while (!cursor.empty());
    BOOST_TEST(scopes == std::vector<std::string>(4, "private"), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(members_serve_with_their_object)
{
    struct notes {
        std::string search(mcp::context&, date_of of) { return prefix + of.date; }
        int add(int a, int b) const { return a + b; }
        std::string raw(json::object all) const { return prefix + json::serialize(all); }
        std::string all() const { return prefix + "all"; }
        std::string prompt(date_of of) const { return prefix + of.date; }
        std::string prefix = "own ";
    };
    notes one;
    const auto shared = std::make_shared<notes>();
    server.add_tool("search", "", &notes::search, &one, {.read_only = true});
    server.add_tool("add", "", &notes::add, shared, {{"a", ""}, {"b", ""}});
    server.add_tool("raw", "", json_text(R"({"type":"object"})"), &notes::raw, &one);
    server.add_resource("notes://all", "all", "", &notes::all, &one);
    server.add_resource_template("notes://{date}/day", "day", "", &notes::prompt, shared);
    server.add_prompt("review", "", &notes::prompt, &one);
    notes* const none = nullptr;
    BOOST_CHECK_EXCEPTION(server.add_prompt("none", "", &notes::prompt, none), std::invalid_argument,
                          [](const auto& e) { return e.what() == std::string("prompt \"none\": the object is null"); });
    greet();
    const auto says = [&](std::string_view reply, std::string_view text) { return reply.find(text) != reply.npos; };
    call("1", "search", R"({"date":"today"})");
    BOOST_TEST(says(receive(), "own today"));
    call("2", "add", R"({"a":2,"b":40})");
    BOOST_TEST(says(receive(), "42"));
    call("3", "raw", R"({"x":1})");
    BOOST_TEST(says(receive(), "own {"));
    send(request("4", "resources/read", R"({"uri":"notes://all"})"));
    BOOST_TEST(says(receive(), "own all"));
    send(request("5", "resources/read", R"({"uri":"notes://today/day"})"));
    BOOST_TEST(says(receive(), "own today"));
    send(request("6", "prompts/get", R"({"name":"review","arguments":{"date":"today"}})"));
    BOOST_TEST(says(receive(), "own today"));
}

BOOST_AUTO_TEST_CASE(a_resource_has_the_type_that_its_options_say_unless_it_says_one)
{
    mcp::resource_options markdown;
    markdown.mime_type = "text/markdown";
    server.add_resource("notes://a", "a", "", [] { return mcp::text_resource{"a"}; }, markdown);
    server.add_resource("notes://b", "b", "", [] { return mcp::blob_resource{"b"}; }, markdown);
    server.add_resource("notes://c", "c", "", [] { return mcp::text_resource{"c", "text/html"}; }, markdown);
    server.add_resource("notes://d", "d", "", [] { return mcp::text_resource{"d"}; });
    server.add_resource("notes://e", "e", "", [] { return mcp::blob_resource{"e"}; });
    greet();
    const auto type_of = [&](const std::string& uri) {
        const json::value reply = answer_to(request("1", "resources/read", "{\"uri\":\"" + uri + "\"}"));
        return reply.at("result").at("contents").at(0).at("mimeType").get_string();
    };
    BOOST_TEST(type_of("notes://a") == "text/markdown");
    BOOST_TEST(type_of("notes://b") == "text/markdown");
    BOOST_TEST(type_of("notes://c") == "text/html");
    BOOST_TEST(type_of("notes://d") == "text/plain");
    BOOST_TEST(type_of("notes://e") == "application/octet-stream");
}

// rule: mcp.resources.internal
BOOST_AUTO_TEST_CASE(what_goes_wrong_in_a_resource_is_an_internal_error)
{
    server.add_resource("notes://bad", "bad", "Fails", &fail_always);
    greet();
    send(request("1", "resources/read", R"({"uri":"notes://bad"})"));
    expect_internal_error();
    say_modern("2", "resources/read", R"("uri":"notes://bad")");
    expect_internal_error();
}

// rule: mcp.prompts.errors
BOOST_AUTO_TEST_CASE(what_goes_wrong_in_a_prompt_is_an_internal_error)
{
    server.add_prompt("bad", "Fails", &fail_always);
    greet();
    send(request("1", "prompts/get", R"({"name":"bad"})"));
    expect_internal_error();
}

// rule: mcp.completion.count
BOOST_AUTO_TEST_CASE(a_hundred_values_are_completed_at_most)
{
    server.add_resource_template("notes://{date}/day", "day", "A day", [](date_of d) { return d.date; });
    std::size_t count = 100;
    server.complete("notes://{date}/day", "date",
                    [&](std::string_view) { return std::vector<std::string>(count, "x"); });
    greet();
    const std::string params =
        R"({"ref":{"type":"ref/resource","uri":"notes://{date}/day"},"argument":{"name":"date","value":""}})";
    for (; count != 102; ++count) {
        const json::value reply = answer_to(request("1", "completion/complete", params));
        const json::value& completion = reply.at("result").at("completion");
        BOOST_TEST(completion.at("values").as_array().size() == 100u);
        BOOST_TEST(completion.at("total").to_number<std::size_t>() == count);
        BOOST_TEST(completion.at("hasMore").as_bool() == (count > 100));
    }
}

BOOST_AUTO_TEST_SUITE_END()
