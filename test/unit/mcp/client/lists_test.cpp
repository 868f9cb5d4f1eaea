#include "scripted_server.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>

namespace json = boost::json;
using namespace partyline;
using namespace partyline::test;
using partyline::mcp::client_errc;

namespace {

struct fixture : scripted_server {
    begun<std::vector<mcp::tool_info>> tools;

    void list() { client().tools()(tools.token()); }
    std::string expect_page(std::string_view params) { return expect_request("tools/list", params); }
    std::string fail_by(std::string_view result)
    {
        begun<std::vector<mcp::tool_info>> wrong;
        client().tools()(wrong.token());
        reply(expect_page("{}"), result);
        wait(wrong);
        return wrong.failed() == client_errc::bad_result ? wrong.details() : wrong.failed().message();
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_client_lists, fixture, *boost::unit_test::timeout(60))

// rule: mcp.prompts.pages, mcp.pages.size, mcp.pages.end, mcp.pages.both, mcp.pages.opaque, mcp.pages.empty
BOOST_AUTO_TEST_CASE(all_pages_are_got)
{
    start_modern();
    list();
    reply(expect_page("{}"), R"({"tools":[{"name":"a","inputSchema":{"type":"object"}}],"nextCursor":""})");
    reply(expect_page(R"({"cursor":""})"),
          R"({"tools":[{"name":"b","title":"B","description":"Does b.","inputSchema":{},
        "outputSchema":true,"annotations":{"readOnlyHint":true,"destructiveHint":false},"icons":[]}]})");
    wait(tools);
    BOOST_REQUIRE(!tools.failed());
    const std::vector<mcp::tool_info>& all = *tools.outcome();
    BOOST_REQUIRE(all.size() == 2u);
    BOOST_TEST(all[0].name == "a");
    BOOST_TEST(all[0].hints.destructive);
    BOOST_TEST(!all[0].output_schema);
    BOOST_TEST(all[1].title == "B");
    BOOST_TEST(all[1].hints.read_only);
    BOOST_TEST(*all[1].output_schema == json::value(true));
    BOOST_TEST(all[1].raw.contains("icons"));
}

// rule: mcp.pages.end, mcp.pages.opaque
BOOST_AUTO_TEST_CASE(one_page_has_its_cursor)
{
    start_modern();
    begun<mcp::page<mcp::resource_info>> page;
    client().list<mcp::resource_info>("x")(page.token());
    reply(expect_request("resources/list", R"({"cursor":"x"})"),
          R"({"resources":[{"uri":"a:b","name":"b","size":7,"mimeType":"t/x"}],"nextCursor":"y"})");
    wait(page);
    BOOST_TEST(*page.outcome()->next_cursor == "y");
    BOOST_TEST(*page.outcome()->items.at(0).size == 7u);
    BOOST_TEST(page.outcome()->items.at(0).mime_type == "t/x");
}

BOOST_AUTO_TEST_CASE(what_is_null_counts_as_left_out)
{
    start_modern();
    list();
    reply(expect_page("{}"), R"({"tools":[{"name":"a","title":null,"inputSchema":{},"outputSchema":null,
        "annotations":{"readOnlyHint":null,"destructiveHint":null}}],"nextCursor":null})");
    wait(tools);
    BOOST_REQUIRE(!tools.failed());
    const mcp::tool_info& only = tools.outcome()->at(0);
    BOOST_TEST(only.title.empty());
    BOOST_TEST(!only.output_schema);
    BOOST_TEST(only.hints.destructive);
    BOOST_TEST(only.raw.contains("outputSchema"));
}

// rule: mcp.pages.both
BOOST_AUTO_TEST_CASE(templates_and_prompts_are_listed)
{
    start_legacy();
    begun<std::vector<mcp::resource_template_info>> templates;
    client().templates()(templates.token());
    reply(expect_request("resources/templates/list", "{}"),
          R"({"resourceTemplates":[{"uriTemplate":"a:{b}","name":"t"}]})");
    wait(templates);
    BOOST_TEST(templates.outcome()->at(0).uri_template == "a:{b}");
    begun<std::vector<mcp::prompt_info>> prompts;
    client().prompts()(prompts.token());
    reply(expect_request("prompts/list", "{}"),
          R"({"prompts":[{"name":"p","arguments":[{"name":"a","required":true},{"name":"b"}]}]})");
    wait(prompts);
    BOOST_TEST(prompts.outcome()->at(0).arguments.at(0).required);
    BOOST_TEST(!prompts.outcome()->at(0).arguments.at(1).required);
}

BOOST_AUTO_TEST_CASE(a_cursor_that_comes_twice_ends_it)
{
    start_modern();
    list();
    reply(expect_page("{}"), R"({"tools":[],"nextCursor":"a"})");
    reply(expect_page(R"({"cursor":"a"})"), R"({"tools":[],"nextCursor":"b"})");
    reply(expect_page(R"({"cursor":"b"})"), R"({"tools":[],"nextCursor":"a"})");
    expect_failure(tools, client_errc::endless_list, "tools/list: the same cursor came twice");
}

// rule: mcp.request.id, mcp.prompts.pages
BOOST_AUTO_TEST_CASE(a_list_without_end_is_ended)
{
    options.max_pages = 3;
    start_modern();
    list();
    for (int i = 0; i != 3; ++i) {
        const json::object said = json::parse(receive()).as_object();
        reply(std::to_string(said.at("id").as_int64()), R"({"tools":[],"nextCursor":")" + std::to_string(i) + R"("})");
    }
    expect_failure(tools, client_errc::endless_list);
    expect_silence();
}

// rule: security.memory.client
BOOST_AUTO_TEST_CASE(a_list_of_too_many_bytes_is_ended)
{
    options.max_list_bytes = 30;
    start_modern();
    list();
    reply(expect_page("{}"), R"({"tools":[],"nextCursor":"aaaaaaaaaaaaaaaaaaaaaaaa"})");
    expect_failure(tools, client_errc::endless_list);
    expect_silence();
}

// rule: mcp.timeout.set
BOOST_AUTO_TEST_CASE(requests_without_hooks_have_a_time_limit)
{
    options.request_timeout = std::chrono::milliseconds(1);
    start_modern();
    list();
    const std::string id = expect_page("{}");
    expect_failure(tools, errc::timeout);
    expect_cancel(id);
    BOOST_TEST((mcp::client_options().request_timeout == std::chrono::seconds(60)));
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_named)
{
    start_modern();
    constexpr std::pair<const char*, const char*> table[] = {
        {"{}", "tools/list: at the result.tools: expected an array, got nothing"},
        {R"({"tools":{}})", "tools/list: at the result.tools: expected an array, got an object"},
        {R"({"tools":[1]})", "tools/list: at the result.tools[0]: expected an object, got a number"},
        {R"({"tools":[{"name":"a","inputSchema":{}},{"name":null}]})",
         "tools/list: at the result.tools[1].name: expected a string, got null"},
        {R"({"tools":[{"name":"a","inputSchema":[]}]})",
         "tools/list: at the result.tools[0].inputSchema: expected an object, got an array"},
        {R"({"tools":[{"name":"a","inputSchema":{},"annotations":{"readOnlyHint":"no"}}]})",
         "tools/list: at the result.tools[0].annotations.readOnlyHint: expected a boolean, got a string"},
        {R"({"tools":[],"nextCursor":1})", "tools/list: at the result.nextCursor: expected a string, got a number"},
        {"[]", "tools/list: at the result: expected an object, got an array"},
        {"null", "tools/list: at the result: expected an object, got null"},
        {R"({"resultType":1,"tools":[]})", "tools/list: \"resultType\" is no string"},
        {R"({"tools":[],"n":1e999})", "tools/list: Invalid params"},
    };
    for (const auto& [result, problem] : table)
        BOOST_TEST_CONTEXT(result)
    BOOST_TEST(fail_by(result) == problem);
}

// rule: mcp.result.unknown_type, mcp.result.extension, mcp.extension.fallback
BOOST_AUTO_TEST_CASE(a_kind_of_result_that_is_not_known_is_an_error)
{
    start_modern();
    list();
    reply(expect_page("{}"), R"({"resultType":"task","taskId":"x"})");
    expect_failure(tools, client_errc::unknown_result_type, "tools/list: \"task\"");
}

// rule: mcp.tools.check_result
BOOST_AUTO_TEST_CASE(answers_of_other_shapes_do_no_harm)
{
    start_modern();
    constexpr const char* results[] = {
        R"({"content":7})",
        R"({"content":[{}]})",
        R"({"content":[{"type":1}]})",
        R"({"isError":"x","content":[]})",
        R"({})",
        R"([1])",
        R"("x")",
        R"({"content":[],"_meta":1})",
    };
    for (const char* const result : results) {
        BOOST_TEST_CONTEXT(result)
        {
            begun<mcp::tool_answer> called;
            client().call_tool("t")(called.token());
            reply(expect_request("tools/call", R"({"name":"t","arguments":{}})"), result);
            expect_failure(called, client_errc::bad_result);
        }
    }
    constexpr const char* contents[] = {
        R"({"contents":[{"uri":"a"}]})",
        R"({"contents":[{"uri":"a","blob":"?"}]})",
        R"({"contents":[{"text":"a"}]})",
    };
    for (const char* const result : contents) {
        BOOST_TEST_CONTEXT(result)
        {
            begun<mcp::resource_answer> read;
            client().read_resource("a")(read.token());
            reply(expect_request("resources/read", R"({"uri":"a"})"), result);
            expect_failure(read, client_errc::bad_result);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
