// Extensions of the protocol that a server has: what is declared to whom, and whose requests their methods serve.

#include "support/text_search.hpp"
#include "unit/mcp/server/mcp_dialogue.hpp"

#include <partyline/mcp/server/requester.hpp>
#include <partyline/mcp/tool_error.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/session/access_view.hpp>

#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/describe.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace json = boost::json;
namespace mcp = partyline::mcp;
using namespace partyline::test;
using partyline::access_answer;
using partyline::method_table;
using partyline::request_context;

namespace {

constexpr const char* jobs = "com.example/jobs";
constexpr const char* declaring = R"({"extensions":{"com.example/jobs":{"deep":[1]}}})";

struct job_params {
    int id = 0;
};
BOOST_DESCRIBE_STRUCT(job_params, (), (id))

struct extensions_fixture : mcp_dialogue {
    int told = 0;
    std::optional<json::object> settings;

    method_table methods()
    {
        method_table made;
        made.add("jobs/get", [](job_params what) { return json::object{{"id", what.id}}; });
        made.add("jobs/settings", [this](request_context& rpc) { settings = mcp::requester(rpc).extension(jobs); });
        made.add_notification("notifications/jobs/done", [this] { ++told; });
        return made;
    }
    void add(mcp::extension_options how = {}) { server.add_extension(jobs, {{"states", true}}, methods(), how); }

    // What `initialize` and `server/discover` say.
    std::string legacy_capabilities()
    {
        begin();
        return result_member(answer_to(request("0", "initialize",
                                               R"({"protocolVersion":"2025-06-18","capabilities":{},)"
                                               R"("clientInfo":{"name":"test","version":"1"}})")),
                             "capabilities");
    }
    std::string modern_capabilities() { return result_member(answer_modern("server/discover"), "capabilities"); }
};

// Hides what begins so, and nothing else.
struct hiding_view final : partyline::access_view {
    explicit hiding_view(std::string hidden) : hidden_(std::move(hidden)) {}

    partyline::access_verdict judge(std::string_view method, std::string_view) const noexcept override
    {
        return {method.starts_with(hidden_) ? access_answer::hidden : access_answer::allowed};
    }

private:
    const std::string hidden_;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_extensions, extensions_fixture, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(it_is_declared_in_both_eras)
{
    server.add_extension("io.example.other/more-1");
    add();
    const std::string expected = R"("extensions":{"io.example.other/more-1":{},"com.example/jobs":{"states":true}})";
    BOOST_TEST(contains(legacy_capabilities(), expected));
    BOOST_TEST(contains(modern_capabilities(), expected));
}

BOOST_AUTO_TEST_CASE(a_server_without_one_declares_none)
{
    BOOST_TEST(!contains(legacy_capabilities(), "extensions"));
    BOOST_TEST(!contains(modern_capabilities(), "extensions"));
}

BOOST_AUTO_TEST_CASE(a_method_answers_as_its_era_has_it)
{
    add();
    greet();
    BOOST_TEST(answer_to(request("1", "jobs/get", R"({"id":4,"_meta":{},"newer":1})")) == result("1", R"({"id":4})"));
    BOOST_TEST(answer_modern("jobs/get", R"("id":4,"newer":1)") == modern_result("1", R"("id":4)"));
    BOOST_TEST(contains(answer_to(request("1", "jobs/get", R"({"id":"x"})")), "-32602"));
    send(notification("notifications/jobs/done"));
    settle();
    BOOST_TEST(told == 1);
    BOOST_TEST(contains(answer_to(request("1", "notifications/jobs/done")), "-32601"));
}

BOOST_AUTO_TEST_CASE(a_handler_knows_with_what_the_client_has_declared_it)
{
    add();
    greet("2025-11-25", R"({"extensions":{"com.example/jobs":{"a":1},"com.example/jobs":{"a":2}}})");
    BOOST_TEST(answer_to(request("1", "jobs/settings")) == result("1", "{}"));
    BOOST_REQUIRE(settings);
    BOOST_TEST(json::serialize(*settings) == R"({"a":2})");
    answer_modern("jobs/settings", {}, declaring);
    BOOST_REQUIRE(settings);
    BOOST_TEST(json::serialize(*settings) == R"({"deep":[1]})");
    for (const char* const none :
         {"{}", R"({"extensions":{}})", R"({"extensions":[]})", R"({"extensions":{"com.example/jobs":null}})",
          R"({"extensions":{"com.example/jobs":[]}})", R"({"com.example/jobs":{}})"}) {
        answer_modern("jobs/settings", {}, none);
        BOOST_TEST(!settings, none);
    }
}

BOOST_AUTO_TEST_CASE(who_has_not_declared_it_is_told_where_it_has_to)
{
    add({.needs_client = true});
    greet("2025-06-18", declaring);
    BOOST_TEST(answer_to(request("1", "jobs/get", R"({"id":4})")) == result("1", R"({"id":4})"));
    const std::string refused =
        R"({"jsonrpc":"2.0","id":1,"error":{"code":-32021,"message":"Missing required client )"
        R"(capability","data":{"requiredCapabilities":{"extensions":{"com.example/jobs":{}}}}}})";
    BOOST_TEST(answer_modern("jobs/get", R"("id":4)") == refused);
    BOOST_TEST(answer_modern("jobs/get", R"("id":4)", R"({"extensions":{"com.example/job":{}}})") == refused);
    BOOST_TEST(answer_modern("jobs/get", R"("id":4)", declaring) == modern_result("1", R"("id":4)"));
    extensions_fixture other;
    other.add({.needs_client = true});
    other.greet();
    const std::string legacy = other.answer_to(request("1", "jobs/get", R"({"id":4})"));
    BOOST_TEST(contains(legacy, R"("code":-32602)"), legacy);
    BOOST_TEST(contains(legacy, "com.example/jobs"), legacy);
    other.send(notification("notifications/jobs/done"));
    other.settle();
    BOOST_TEST(other.told == 0);
}

BOOST_AUTO_TEST_CASE(before_its_revision_it_is_not_there)
{
    add({.since = mcp::revision::v2026_07_28, .needs_client = true});
    BOOST_TEST(!contains(legacy_capabilities(), "extensions"));
    send(notification("notifications/initialized"));
    BOOST_TEST(answer_to(request("1", "jobs/get", R"({"id":4})")) ==
               R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found",)"
               R"("data":{"method":"jobs/get"}}})");
    BOOST_TEST(answer_modern("jobs/get", R"("id":4)", declaring) == modern_result("1", R"("id":4)"));
    BOOST_TEST(contains(modern_capabilities(), jobs));
}

BOOST_AUTO_TEST_CASE(a_notification_is_of_the_handshake_unless_it_says_otherwise)
{
    const std::string done = "notifications/jobs/done";
    const mcp::extension_options modern{.since = mcp::revision::v2026_07_28, .needs_client = true};
    const std::string meta = R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                             R"("io.modelcontextprotocol/clientCapabilities":)" +
                             std::string(declaring) + "}}";
    add(modern);
    begin();
    send(notification(done));
    settle();
    BOOST_TEST(told == 0); // nobody has said anything
    send(notification(done, meta));
    settle();
    BOOST_TEST(told == 1);
    answer_modern("jobs/get", R"("id":4)", declaring);
    send(notification(done));
    settle();
    BOOST_TEST(told == 1);                                               // what requests have said is theirs alone
    for (const char* const said : {R"("v9")", R"("2026-07-28")", "7"}) { // of the second one nothing is declared
        send(notification(done, std::string(R"({"_meta":{"io.modelcontextprotocol/protocolVersion":)") + said + "}}"));
        settle();
        BOOST_TEST(told == 1);
    }
    extensions_fixture legacy;
    legacy.add(modern);
    legacy.greet("2025-11-25", declaring);
    legacy.send(notification(done));
    legacy.settle();
    BOOST_TEST(legacy.told == 0);
    legacy.send(notification(done, meta));
    legacy.settle();
    BOOST_TEST(legacy.told == 1);
}

// The protocol does not ask of notifications what it asks of requests.
BOOST_AUTO_TEST_CASE(a_cancel_holds_whatever_it_says_of_itself)
{
    for (const char* const version : {R"("2026-07-28")", R"("2025-11-25")", "7"}) {
        extensions_fixture one;
        one.server.add_tool("wait", "Waits", [](mcp::context& c) -> partyline::task<> {
            boost::asio::steady_timer never(c.get_executor(), boost::asio::steady_timer::time_point::max());
            co_await never.async_wait(boost::asio::deferred);
        });
        one.begin();
        one.call_modern("1", "wait");
        one.settle();
        one.send(notification("notifications/cancelled",
                              std::string(R"({"requestId":1,"_meta":{"io.modelcontextprotocol/protocolVersion":)") +
                                  version + "}}"));
        one.run_until([&] { return one.dialogue::server().counters().cancelled == 1; });
    }
}

BOOST_AUTO_TEST_CASE(what_a_handler_lacks_is_named)
{
    method_table made;
    made.add("jobs/ask", []() -> partyline::task<> {
        throw mcp::missing_capability({{"elicitation", json::object()}});
        co_return;
    });
    server.add_extension(jobs, {}, std::move(made));
    begin();
    BOOST_TEST(contains(answer_modern("jobs/ask"), R"("requiredCapabilities":{"elicitation":{}})"));
}

// rule: mcp.extension.name
BOOST_AUTO_TEST_CASE(names_that_are_none_are_refused)
{
    for (const char* const name : {"", "jobs", "/jobs", "com.example/", "com..example/jobs", ".com/jobs", "com./jobs",
                                   "1com/jobs", "com-/jobs", "com.example/-jobs", "com.example/jobs.",
                                   "com.example/a b", "com.example/a/b", "com_x/jobs", "c\xc3\xa4/jobs"})
        BOOST_CHECK_THROW(server.add_extension(name), std::invalid_argument);
    for (const char* const name : {"com.example/jobs", "c/j", "c-1.d2/J_o-b.s", "com.example/7"})
        server.add_extension(name);
    BOOST_CHECK_THROW(server.add_extension("c/j"), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(methods_that_can_not_be_its_own_are_refused)
{
    const auto refuses = [this](auto add) {
        method_table made;
        made.add("jobs/fine", [] {});
        add(made);
        BOOST_CHECK_THROW(server.add_extension("com.example/refused", {}, std::move(made)), std::invalid_argument);
    };
    refuses([](method_table& to) { to.add("tools/call", [] {}); });
    refuses([](method_table& to) { to.add("ping", [] {}); });
    refuses([](method_table& to) { to.add("elicitation/create", [] {}); });
    refuses([](method_table& to) { to.add("notifications/x", [] {}); });
    refuses([](method_table& to) { to.add_notification("x", [] {}); });
    refuses([](method_table& to) { to.add_notification("notifications/cancelled", [] {}); });
    refuses([](method_table& to) { to.set_fallback([] {}); });
    refuses([](method_table& to) { to.add_discovery({}); });
    BOOST_CHECK_THROW(server.add_extension("com.example/refused", {{"text", "\xff"}}), std::invalid_argument);
    add();
    refuses([](method_table& to) { to.add("jobs/get", [] {}); });
    greet();
    BOOST_TEST(contains(answer_to(request("1", "jobs/fine")), "-32601")); // nothing of those that were refused is there
    BOOST_TEST(!contains(modern_capabilities(), "refused"));
}

// rule: security.access.hidden
BOOST_AUTO_TEST_CASE(one_that_is_hidden_is_not_declared)
{
    add();
    server.add_extension("com.example/open");
    options.access = std::make_shared<hiding_view>("jobs/");
    BOOST_TEST(contains(legacy_capabilities(), jobs)); // its notification may be sent
    extensions_fixture other;
    method_table made;
    made.add("jobs/a", [] {});
    made.add("jobs/b", [] {});
    other.server.add_extension(jobs, {}, std::move(made), {.needs_client = true});
    other.server.add_extension("com.example/open");
    other.options.access = std::make_shared<hiding_view>("jobs/");
    BOOST_TEST(contains(other.legacy_capabilities(), R"("extensions":{"com.example/open":{}})"));
    BOOST_TEST(contains(other.modern_capabilities(), R"("extensions":{"com.example/open":{}})"));
    // Rights are asked before what was declared.
    BOOST_TEST(contains(other.answer_modern("jobs/a"), "-32601"));
}

BOOST_AUTO_TEST_CASE(one_that_is_added_while_sessions_run_is_served)
{
    greet();
    BOOST_TEST(contains(answer_to(request("1", "jobs/get", R"({"id":4})")), "-32601"));
    add();
    BOOST_TEST(answer_to(request("2", "jobs/get", R"({"id":4})")) == result("2", R"({"id":4})"));
    BOOST_TEST(contains(modern_capabilities(), jobs));
    expect_silence(); // no list has changed
}

BOOST_AUTO_TEST_CASE(its_methods_pass_what_is_around_requests)
{
    mcp::server_options how;
    std::string seen;
    how.around_requests.add([&](request_context& rpc) { seen += rpc.method(); });
    server = mcp::server("unit", "1.0", how);
    add({.needs_client = true});
    begin();
    answer_modern("jobs/get", R"("id":4)");
    BOOST_TEST(seen.empty()); // it was refused before
    answer_modern("jobs/get", R"("id":4)", declaring);
    BOOST_TEST(seen == "jobs/get");
}

BOOST_AUTO_TEST_SUITE_END()
