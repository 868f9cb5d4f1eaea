// Results that a client keeps for as long as its server says, and what makes it ask again.

#include "listening_server.hpp"

#include <partyline/mcp/client/client_extension.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace partyline;
using namespace partyline::test;
using namespace std::chrono_literals;
using partyline::mcp::client_errc;

namespace {

constexpr std::string_view no_tools = R"({"resultType":"complete","ttlMs":60000,"cacheScope":"private","tools":[]})";
constexpr std::string_view no_prompts = R"({"resultType":"complete","ttlMs":60000,"prompts":[]})";
constexpr std::string_view no_resources = R"({"resultType":"complete","ttlMs":60000,"resources":[]})";
constexpr std::string_view no_templates = R"({"resultType":"complete","ttlMs":60000,"resourceTemplates":[]})";
constexpr std::string_view nothing_read = R"({"resultType":"complete","ttlMs":60000,"contents":[]})";

struct keeping_server : listening_server {
    keeping_server() { options.cache_bytes = std::size_t(1) << 20; }
    template <class T>
    begun<T> begin(operation<T> what)
    {
        begun<T> made;
        std::move(what)(made.token());
        return made;
    }
    /// The client asks, and is told this.
    template <class T>
    void get(operation<T> what, std::string_view method, std::string_view params, std::string_view result)
    {
        begun<T> asked = begin(std::move(what));
        reply(expect_request(method, params), result);
        BOOST_TEST(!wait(asked).failed());
    }
    /// The client does not ask.
    template <class T>
    void expect_kept(operation<T> what)
    {
        begun<T> asked = begin(std::move(what));
        BOOST_TEST(!asked.has_ended()); // not from within
        BOOST_TEST(!wait(asked).failed());
        expect_silence();
    }

    void get_tools() { get(client().tools(), "tools/list", "{}", no_tools); }
    void get_prompts() { get(client().prompts(), "prompts/list", "{}", no_prompts); }
    void get_resources() { get(client().resources(), "resources/list", "{}", no_resources); }
    void get_templates() { get(client().templates(), "resources/templates/list", "{}", no_templates); }
    void get_resource(const std::string& uri, mcp::call_hooks hooks = {}, std::string_view result = nothing_read)
    {
        get(client().read_resource(uri, std::move(hooks)), "resources/read", R"({"uri":")" + uri + "\"}", result);
    }
    void get_all()
    {
        get_tools();
        get_prompts();
        get_resources();
        get_templates();
        get_resource("a:b");
    }
};

std::string tools_page(std::string_view time, std::string_view tool, std::string_view more = {})
{
    std::string page =
        R"({"ttlMs":)" + std::string(time) + R"(,"tools":[{"name":")" + std::string(tool) + R"(","inputSchema":{}}])";
    if (!more.empty())
        page += R"(,"nextCursor":")" + std::string(more) + '"';
    return page + '}';
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_client_kept_results, keeping_server, *boost::unit_test::timeout(60))

// rule: mcp.cache.fresh
BOOST_AUTO_TEST_CASE(what_is_good_is_not_asked_for_again)
{
    start_modern();
    get_all();
    expect_kept(client().tools());
    expect_kept(client().list<mcp::tool_info>());
    expect_kept(client().prompts());
    expect_kept(client().resources());
    expect_kept(client().templates());
    expect_kept(client().read_resource("a:b"));
    expect_kept(client().request("tools/list"));
    expect_kept(client().request("resources/read", named("uri", "a:b")));
}

// rule: mcp.cache.key
BOOST_AUTO_TEST_CASE(another_request_is_asked)
{
    start_modern();
    get_all();
    get_resource("a:c");
    get(client().list<mcp::tool_info>("x"), "tools/list", R"({"cursor":"x"})", no_tools);
    get(client().request("tools/list", named("of", "us")), "tools/list", R"({"of":"us"})", no_tools);
}

BOOST_AUTO_TEST_CASE(what_is_not_said_to_be_good_is_asked_for_again)
{
    start_modern();
    for (const char* const time : {"0", "-5", "\"60000\"", "null"})
        get(client().tools(), "tools/list", "{}", tools_page(time, "a"));
    get(client().tools(), "tools/list", "{}", R"({"tools":[]})");
    get_tools();
    expect_kept(client().tools());
}

BOOST_AUTO_TEST_CASE(an_older_servers_results_are_not_kept)
{
    start_legacy();
    get_all();
    get_all();
}

BOOST_AUTO_TEST_CASE(nothing_is_kept_unless_there_is_room_for_it)
{
    options.cache_bytes = mcp::client_options().cache_bytes;
    start_modern();
    get_all();
    get_all();
}

// rule: mcp.cache.scope
BOOST_AUTO_TEST_CASE(each_client_has_its_own)
{
    keeping_server other;
    start_modern();
    other.start_modern();
    get(client().tools(), "tools/list", "{}", R"({"ttlMs":60000,"cacheScope":"public","tools":[]})");
    other.get_tools();
}

BOOST_AUTO_TEST_CASE(a_scope_that_is_not_known_does_no_harm)
{
    start_modern();
    get(client().tools(), "tools/list", "{}", R"({"ttlMs":60000,"cacheScope":"galaxy","tools":[]})");
    expect_kept(client().tools());
}

BOOST_AUTO_TEST_CASE(a_list_is_got_page_by_page_from_what_is_kept)
{
    start_modern();
    begun<std::vector<mcp::tool_info>> first = begin(client().tools());
    reply(expect_request("tools/list", "{}"), tools_page("60000", "a", "x"));
    reply(expect_request("tools/list", R"({"cursor":"x"})"), tools_page("0", "b", "y"));
    reply(expect_request("tools/list", R"({"cursor":"y"})"), tools_page("60000", "c"));
    BOOST_TEST(wait(first).outcome()->size() == 3u);
    begun<std::vector<mcp::tool_info>> again = begin(client().tools());
    reply(expect_request("tools/list", R"({"cursor":"x"})"), tools_page("60000", "d", "y"));
    wait(again);
    BOOST_TEST(again.outcome()->at(1).name == "d");
    BOOST_TEST(again.outcome()->at(2).name == "c");
    expect_kept(client().tools());
}

// What a transport knows of the tools of a page, it forgets when another first page comes.
BOOST_AUTO_TEST_CASE(a_first_page_that_comes_late_drops_those_behind_another)
{
    start_modern();
    begun<std::vector<mcp::tool_info>> early = begin(client().tools());
    const std::string first = expect_request("tools/list", "{}");
    begun<std::vector<mcp::tool_info>> late = begin(client().tools());
    const std::string other = expect_request("tools/list", "{}");
    reply(first, tools_page("60000", "a", "x"));
    reply(expect_request("tools/list", R"({"cursor":"x"})"), tools_page("60000", "b"));
    BOOST_TEST(!wait(early).failed());
    reply(other, tools_page("60000", "a", "x"));
    reply(expect_request("tools/list", R"({"cursor":"x"})"), tools_page("60000", "c"));
    BOOST_TEST(!wait(late).failed());
    BOOST_TEST(late.outcome()->at(1).name == "c");
}

BOOST_AUTO_TEST_CASE(a_list_without_end_is_not_kept)
{
    start_modern();
    for (int i = 0; i != 2; ++i) {
        begun<std::vector<mcp::tool_info>> all = begin(client().tools());
        reply(expect_request("tools/list", "{}"), tools_page("60000", "a", "x"));
        reply(expect_request("tools/list", R"({"cursor":"x"})"), tools_page("60000", "b", "x"));
        expect_failure(all, client_errc::endless_list);
    }
}

BOOST_AUTO_TEST_CASE(what_was_kept_as_it_came_and_can_not_be_read_is_dropped)
{
    start_modern();
    get(client().request("tools/list"), "tools/list", "{}", R"({"ttlMs":60000,"tools":7})");
    begun<std::vector<mcp::tool_info>> wrong = begin(client().tools());
    expect_failure(wrong, client_errc::bad_result);
    get_tools();
}

// rule: mcp.cache.poll
BOOST_AUTO_TEST_CASE(a_time_that_is_over_asks_nothing_by_itself)
{
    start_modern();
    get(client().tools(), "tools/list", "{}", tools_page("1", "a"));
    const auto over = std::chrono::steady_clock::now() + 2ms;
    while (std::chrono::steady_clock::now() < over)
        settle();
    expect_silence();
    get_tools();
}

BOOST_AUTO_TEST_CASE(a_call_that_is_refused_as_none_that_is_listed_drops_the_list)
{
    start_modern();
    for (const char* const code : {"-32020", "-32601", "-32602", "7"}) {
        BOOST_TEST_CONTEXT(code)
        {
            get_tools();
            begun<mcp::tool_answer> refused = begin(client().call_tool("a"));
            refuse(expect_request("tools/call", R"({"name":"a","arguments":{}})"),
                   R"({"message":"No","code":)" + std::string(code) + '}');
            BOOST_REQUIRE(wait(refused).outcome().error());
        }
    }
    expect_kept(client().tools()); // 7 is the tool's own
}

BOOST_AUTO_TEST_CASE(a_reading_that_is_refused_drops_the_lists_of_resources)
{
    start_modern();
    get_all();
    begun<mcp::resource_answer> refused = begin(client().read_resource("a:gone"));
    refuse(expect_request("resources/read", R"({"uri":"a:gone"})"), R"({"code":-32002,"message":"Not found"})");
    BOOST_REQUIRE(wait(refused).outcome().error());
    get_resources();
    get_templates();
    expect_kept(client().read_resource("a:b"));
    expect_kept(client().tools());
}

// rule: mcp.cache.cursor
BOOST_AUTO_TEST_CASE(a_kept_cursor_that_is_refused_has_the_list_begin_anew)
{
    start_modern();
    get(client().list<mcp::tool_info>(), "tools/list", "{}", tools_page("60000", "a", "old"));
    begun<std::vector<mcp::tool_info>> all = begin(client().tools());
    refuse(expect_request("tools/list", R"({"cursor":"old"})"), R"({"code":-32602,"message":"Expired"})");
    reply(expect_request("tools/list", "{}"), tools_page("60000", "b", "new"));
    reply(expect_request("tools/list", R"({"cursor":"new"})"), tools_page("60000", "c"));
    wait(all);
    BOOST_REQUIRE(!all.failed());
    BOOST_TEST(all.outcome()->at(0).name == "b");
    expect_kept(client().tools());
}

BOOST_AUTO_TEST_CASE(a_cursor_that_is_refused_again_is_told)
{
    start_modern();
    get(client().list<mcp::tool_info>(), "tools/list", "{}", tools_page("60000", "a", "x"));
    begun<std::vector<mcp::tool_info>> all = begin(client().tools());
    for (const char* const answered : {"again", "for ever"}) {
        refuse(expect_request("tools/list", R"({"cursor":"x"})"), R"({"code":-32602,"message":"Expired"})");
        if (answered == std::string_view("again"))
            reply(expect_request("tools/list", "{}"), tools_page("60000", "a", "x"));
    }
    wait(all);
    BOOST_REQUIRE(all.outcome().error());
    BOOST_TEST(all.outcome().error()->code == -32602);
    expect_silence();
}

BOOST_AUTO_TEST_CASE(what_the_server_is_to_see_goes_there)
{
    start_modern();
    get_resource("a:b");
    mcp::call_hooks hooks;
    hooks.timeout = 1h;
    hooks.on_progress = [](double, std::optional<double>, const std::string&) {};
    expect_kept(client().read_resource("a:b", hooks));
    mcp::call_hooks traced;
    traced.meta = {{"traceparent", "x"}};
    mcp::call_hooks logged_call;
    logged_call.log_level = mcp::log_level::debug;
    for (const mcp::call_hooks& each : {traced, logged_call}) {
        get_resource("a:b", each);
        get_resource("a:c", each); // and is not kept
        get_resource("a:c", each);
    }
    get_resource("a:c");
}

BOOST_AUTO_TEST_CASE(who_asks_whether_the_server_is_there_asks_it)
{
    start_modern();
    for (int i = 0; i != 2; ++i)
        get(client().ping(), "server/discover", "{}",
            R"({"resultType":"complete","ttlMs":60000,"supportedVersions":["2026-07-28"],"capabilities":{}})");
}

// rule: mcp.cache.rounds
BOOST_AUTO_TEST_CASE(a_result_that_questions_came_before_is_not_kept)
{
    start_modern();
    for (int i = 0; i != 2; ++i) {
        begun<mcp::resource_answer> read = begin(client().read_resource("a:b"));
        reply(expect_request("resources/read", R"({"uri":"a:b"})"),
              R"({"resultType":"input_required","requestState":"s"})");
        reply(expect_request("resources/read", R"({"uri":"a:b","requestState":"s"})"), nothing_read);
        BOOST_TEST(!wait(read).failed());
    }
}

BOOST_AUTO_TEST_CASE(a_request_with_answers_of_its_caller_is_asked_always)
{
    start_modern();
    for (const char* const name : {"requestState", "inputResponses"})
        for (int i = 0; i != 2; ++i)
            get(client().request("resources/read", json_text(R"({"uri":"a:b",")" + std::string(name) + R"(":{}})")),
                "resources/read", R"({"uri":"a:b",")" + std::string(name) + R"(":{}})", nothing_read);
}

BOOST_AUTO_TEST_CASE(a_result_of_an_extensions_type_is_not_kept)
{
    mcp::client_extension_options how;
    how.results[{"resources/read", "job"}] = [](mcp::extension_result) -> task<json_text> {
        co_return json_text(std::string(nothing_read));
    };
    client().add_extension("com.example/jobs", {}, {}, std::move(how));
    start_modern();
    for (int i = 0; i != 2; ++i)
        get_resource("a:b", {}, R"({"resultType":"job","ttlMs":60000})");
}

BOOST_AUTO_TEST_CASE(what_can_not_be_read_is_not_kept)
{
    start_modern();
    for (int i = 0; i != 2; ++i) {
        begun<std::vector<mcp::tool_info>> wrong = begin(client().tools());
        reply(expect_request("tools/list", "{}"), R"({"ttlMs":60000,"tools":7})");
        expect_failure(wrong, client_errc::bad_result);
        begun<mcp::resource_answer> read = begin(client().read_resource("a:b"));
        reply(expect_request("resources/read", R"({"uri":"a:b"})"), R"({"ttlMs":60000,"contents":7})");
        expect_failure(read, client_errc::bad_result);
        begun<std::vector<mcp::prompt_info>> refused = begin(client().prompts());
        refuse(expect_request("prompts/list", "{}"), R"({"code":-7,"message":"No","data":{"ttlMs":60000}})");
        BOOST_TEST(wait(refused).outcome().error()->code == -7);
    }
}

BOOST_AUTO_TEST_CASE(a_change_is_heard_without_a_handler)
{
    start_modern();
    get_all();
    tell("notifications/tools/list_changed", "{}");
    settle();
    get_tools();
    expect_kept(client().prompts());
    tell("notifications/prompts/list_changed", "{}");
    settle();
    get_prompts();
    expect_kept(client().resources());
    tell("notifications/resources/list_changed", "{}");
    settle();
    get_resources();
    get_templates();
    get_resource("a:b");
    get_resource("a:c");
    tell("notifications/resources/updated", R"({"uri":"a:b"})");
    settle();
    get_resource("a:b");
    expect_kept(client().read_resource("a:c"));
    expect_kept(client().tools());
}

BOOST_AUTO_TEST_CASE(who_is_told_of_a_change_is_given_the_new_list)
{
    begun<std::vector<mcp::tool_info>> again;
    client().on_tools_changed([&] { client().tools()(again.token()); });
    start_modern();
    get_tools();
    tell("notifications/tools/list_changed", "{}");
    reply(expect_request("tools/list", "{}"), tools_page("60000", "new"));
    BOOST_TEST(wait(again).outcome()->at(0).name == "new");
}

BOOST_AUTO_TEST_CASE(a_change_that_is_of_no_subscription_of_ours_is_told_to_nobody_and_drops_what_is_kept)
{
    hear();
    start_modern();
    get_tools();
    get_resource("a:b");
    tell("notifications/tools/list_changed", R"({"_meta":{"io.modelcontextprotocol/subscriptionId":77}})");
    tell_updated("a:b", "77");
    settle();
    get_tools();
    get_resource("a:b");
    BOOST_TEST(heard.empty());
}

BOOST_AUTO_TEST_CASE(what_was_under_way_when_a_change_was_told_is_not_kept)
{
    start_modern();
    begun<std::vector<mcp::tool_info>> old = begin(client().tools());
    const std::string id = expect_request("tools/list", "{}");
    tell("notifications/tools/list_changed", "{}");
    reply(id, no_tools);
    BOOST_TEST(!wait(old).failed());
    get_tools();
    expect_kept(client().tools());
}

BOOST_AUTO_TEST_CASE(who_subscribes_reads_what_is_there_then)
{
    start_modern();
    get_resource("a:b");
    get_resource("a:c");
    subscribe("a:b");
    get_resource("a:b");
    expect_kept(client().read_resource("a:b"));
    expect_kept(client().read_resource("a:c"));
}

BOOST_AUTO_TEST_CASE(what_was_kept_before_a_gap_is_not_kept_after_it)
{
    hear();
    start_modern(telling);
    const std::string first = expect_listen();
    acknowledge(first, lists);
    settle();
    const std::string other = subscribe("a:b");
    get_all();
    expect_kept(client().tools());
    reply(other, R"({"resultType":"complete"})");
    acknowledge_uri(expect_listen_to("a:b"), "a:b");
    settle();
    get_resource("a:b");
    expect_kept(client().tools());
    reply(first, R"({"resultType":"complete"})");
    acknowledge(expect_listen(), lists);
    settle();
    get_all();
}

BOOST_AUTO_TEST_CASE(what_is_kept_can_be_forgotten)
{
    start_modern();
    get_all();
    client().forget_results();
    get_all();
    expect_kept(client().tools());
}

BOOST_AUTO_TEST_CASE(what_is_under_way_when_all_is_forgotten_is_not_kept)
{
    start_modern();
    begun<std::vector<mcp::tool_info>> old = begin(client().tools());
    const std::string id = expect_request("tools/list", "{}");
    client().forget_results();
    reply(id, no_tools);
    BOOST_TEST(!wait(old).failed());
    get_tools();
}

BOOST_AUTO_TEST_CASE(a_conversation_that_has_ended_answers_nothing)
{
    start_modern();
    get_tools();
    begun<void> closed = begin(client().close());
    settle();
    begun<std::vector<mcp::tool_info>> late = begin(client().tools());
    expect_failure(late, errc::session_closed);
    end();
    wait(closed);

    keeping_server other;
    other.start_modern();
    other.get_tools();
    other.end();
    other.settle();
    begun<std::vector<mcp::tool_info>> after = other.begin(other.client().tools());
    other.expect_failure(after, errc::peer_closed);
}

BOOST_AUTO_TEST_SUITE_END()
