// What a client may be asked, by what it has declared.

#include "unit/mcp/server/mcp_dialogue.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <set>
#include <string>

namespace json = boost::json;
namespace mcp = partyline::mcp;
using namespace partyline::test;
using partyline::task;

namespace {

task<std::string> sample_with(mcp::context& c, const char* more)
{
    mcp::sampling_request wish("Which tool?", 50);
    if (more)
        wish.others[more] = json::array();
    const mcp::sampling_answer answer = co_await c.sample("words", wish);
    co_return answer.text();
}

struct questions_fixture : mcp_dialogue {
    questions_fixture()
    {
        server.add_tool("plain", "Samples", [](mcp::context& c) { return sample_with(c, nullptr); });
        server.add_tool("tools", "Samples with tools", [](mcp::context& c) { return sample_with(c, "tools"); });
        server.add_tool("choice", "Samples with a choice",
                        [](mcp::context& c) { return sample_with(c, "toolChoice"); });
        server.add_tool("page", "Has a page opened", [](mcp::context& c) -> task<std::string> {
            const mcp::elicit_action done = co_await c.elicit_url("page", "Log in", "https://example.com/login");
            co_return std::string(to_string(done));
        });
    }

    void expect_refusal(const char* tool, std::string_view able, std::string_view lacks)
    {
        call_modern("1", tool, "{}", able);
        const json::value reply = json::parse(receive());
        BOOST_TEST_REQUIRE(reply.as_object().contains("error"), json::serialize(reply));
        BOOST_TEST(reply.at("error").at("code").as_int64() == -32021);
        BOOST_TEST(json::serialize(reply.at("error").at("data").at("requiredCapabilities")) == lacks);
    }
    json::object expect_question(const char* tool, std::string_view able)
    {
        call_modern("1", tool, "{}", able);
        const json::value reply = json::parse(receive());
        const json::value* const asked = reply.at("result").as_object().if_contains("inputRequests");
        BOOST_TEST_REQUIRE(asked, json::serialize(reply));
        return asked->as_object().begin()->value().at("params").as_object();
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_questions, questions_fixture, *boost::unit_test::timeout(30))

// rule: mcp.meta.rely, mcp.rounds.declared, mcp.sample.tools
BOOST_AUTO_TEST_CASE(tools_are_offered_to_a_model_only_where_the_client_says_so)
{
    greet("2025-11-25", R"({"sampling":{}})");
    for (const char* const tool : {"tools", "choice"}) {
        call("1", tool);
        BOOST_TEST(receive().find("isError") != std::string::npos);
        expect_refusal(tool, R"({"sampling":{}})", R"({"sampling":{"tools":{}}})");
        expect_refusal(tool, "{}", R"({"sampling":{"tools":{}}})");
        BOOST_TEST(expect_question(tool, R"({"sampling":{"tools":{}}})").size() == 3u);
    }
    BOOST_TEST(expect_question("plain", R"({"sampling":{}})").size() == 2u);
}

BOOST_AUTO_TEST_CASE(older_models_are_offered_no_tools)
{
    greet("2025-06-18", R"({"sampling":{"tools":{}}})"); // which that revision does not have
    call("1", "tools");
    BOOST_TEST(receive().find("isError") != std::string::npos);
}

// rule: mcp.elicit.mode, mcp.elicit.url, mcp.elicit.page_id
BOOST_AUTO_TEST_CASE(pages_are_opened_only_where_the_client_says_so)
{
    greet("2025-11-25", R"({"elicitation":{"url":{}}})");
    std::set<std::string> ids;
    for (const char* const id : {"1", "2"}) {
        call(id, "page");
        json::object params = json::parse(receive()).at("params").as_object();
        ids.emplace(params.at("elicitationId").as_string());
        params.erase("elicitationId");
        BOOST_TEST(json::value(params) ==
                   json::parse(R"({"mode":"url","message":"Log in","url":"https://example.com/login"})"));
        send(result(id, R"({"action":"accept"})"));
        expect(text_result(id, "accept"));
    }
    BOOST_TEST(ids.size() == 2u);
    BOOST_TEST(!expect_question("page", R"({"elicitation":{"url":{}}})").contains("elicitationId"));
    expect_refusal("page", R"({"elicitation":{}})", R"({"elicitation":{"url":{}}})");
    expect_refusal("page", R"({"elicitation":{"form":{}}})", R"({"elicitation":{"url":{}}})");
}

BOOST_AUTO_TEST_SUITE_END()
