// Progress and messages for the client's log: which, when, and to whom.

#include "mcp/contained.hpp"
#include "mcp/fixture_server.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

namespace json = boost::json;
using namespace partyline::test;
using partyline::mcp::revision;

namespace {

constexpr std::string_view with_token =
    R"({"name":"test_tool_with_progress","_meta":{"progressToken":"progress-test-1"}})";

void set_level(fixture_server& s, const std::string& level)
{
    s.request("\"level\"", legacy, "logging/setLevel", R"({"level":")" + level + R"("})");
    s.read_result("\"level\"");
}

// How many messages for the log come before the answer.
std::size_t messages_of(fixture_server& s, revision r, std::string_view tool)
{
    s.call("1", r, tool);
    const std::vector<json::object> all = s.read_until("1");
    for (std::size_t i = 0; i + 1 < all.size(); ++i)
        BOOST_TEST(all[i].at("method") == "notifications/message");
    return all.size() - 1;
}

} // namespace

BOOST_AUTO_TEST_SUITE(telling, *boost::unit_test::timeout(100))

// rule: mcp.progress.active, mcp.progress.stop
BOOST_AUTO_TEST_CASE(progress_comes_before_the_result_under_its_token)
{
    for (const revision r : all_revisions) {
        BOOST_TEST_CONTEXT(to_string(r))
        {
            fixture_server s(r);
            s.request("1", r, "tools/call", with_token);
            const std::vector<json::object> all = s.read_until("1");
            BOOST_TEST_REQUIRE(all.size() == 4);
            const int done[] = {0, 50, 100};
            for (std::size_t i = 0; i != 3; ++i) {
                const json::value expected{
                    {"method", "notifications/progress"},
                    {"params", {{"progressToken", "progress-test-1"}, {"progress", done[i]}, {"total", 100}}}};
                BOOST_TEST(difference(expected, all[i]) == "");
                const bool has_message = all[i].at("params").as_object().contains("message");
                BOOST_TEST(has_message == (r != revision::v2024_11_05));
            }
            BOOST_TEST(!text_of(all.back().at("result").as_object()).empty());
            s.finish();
        }
    }
}

// rule: mcp.progress.token
BOOST_AUTO_TEST_CASE(a_token_that_is_a_number_comes_back_as_one)
{
    for (const revision r : {legacy, modern}) {
        fixture_server s(r);
        s.request("\"a\"", r, "tools/call",
                  R"({"name":"slow","arguments":{"steps":1,"ms":0},"_meta":{"progressToken":17}})");
        BOOST_TEST((s.read().at("params").at("progressToken") == 17));
        BOOST_TEST(text_of(s.read_result("\"a\"")) == "1 steps done");
        s.finish();
    }
}

// rule: mcp.progress.active
BOOST_AUTO_TEST_CASE(without_a_token_there_is_no_progress)
{
    for (const revision r : all_revisions) {
        fixture_server s(r);
        s.call("1", r, "test_tool_with_progress");
        s.read_result("1");
        s.finish();
    }
}

// rule: mcp.progress.increase
BOOST_AUTO_TEST_CASE(two_calls_have_each_their_own_progress)
{
    fixture_server s(legacy);
    for (const char* const id : {"1", "2"})
        s.request(id, legacy, "tools/call",
                  R"({"name":"slow","arguments":{"steps":5,"ms":5},"_meta":{"progressToken":"of )" + std::string(id) +
                      "\"}}");
    std::map<std::string, double> last;
    for (int answered = 0; answered != 2;) {
        const json::object message = s.read();
        if (!message.contains("method")) {
            ++answered;
            continue;
        }
        double& before = last[json::serialize(message.at("params").at("progressToken"))];
        const double now = message.at("params").at("progress").to_number<double>();
        BOOST_TEST(now > before);
        before = now;
    }
    BOOST_TEST(last.size() == 2);
    s.finish();
}

// rule: mcp.progress.increase, mcp.ping.answer
BOOST_AUTO_TEST_CASE(progress_of_many_steps_comes_in_order_while_another_request_is_answered)
{
    fixture_server s(legacy);
    s.request("1", legacy, "tools/call",
              R"({"name":"slow","arguments":{"steps":20000,"ms":0},"_meta":{"progressToken":1}})");
    s.request("2", legacy, "ping");
    const std::vector<json::object> all = s.read_until("1");
    double last = 0;
    int answers = 0;
    for (const json::object& one : all) {
        if (!one.contains("method")) {
            ++answers;
            continue;
        }
        const double now = one.at("params").at("progress").to_number<double>();
        BOOST_TEST_REQUIRE(now > last);
        last = now;
    }
    BOOST_TEST(answers == 2);
    BOOST_TEST(last > 0);
    BOOST_TEST(last <= 20000);
    s.finish();
}

// rule: mcp.log.level
BOOST_AUTO_TEST_CASE(the_log_is_told_from_the_level_on_that_was_set)
{
    const std::pair<std::string, std::size_t> rows[] = {{"debug", 3}, {"info", 3}, {"notice", 0}, {"emergency", 0}};
    for (const revision r : {revision::v2024_11_05, revision::v2025_11_25}) {
        fixture_server s(r);
        for (const auto& [level, count] : rows) {
            set_level(s, level);
            BOOST_TEST(messages_of(s, r, "test_tool_with_logging") == count, level);
        }
        s.finish();
    }
}

BOOST_AUTO_TEST_CASE(the_log_has_the_words_of_the_tool)
{
    fixture_server s(legacy);
    set_level(s, "debug");
    s.call("1", legacy, "test_tool_with_logging");
    for (const char* const text : {"Tool execution started", "Tool processing data", "Tool execution completed"}) {
        const json::value expected{{"method", "notifications/message"},
                                   {"params", {{"level", "info"}, {"data", text}}}};
        BOOST_TEST(difference(expected, s.read()) == "");
    }
    BOOST_TEST(text_of(s.read_result("1")) == "Tool with logging executed successfully");
    s.finish();
}

// rule: mcp.log.unwanted, mcp.log.own_request
BOOST_AUTO_TEST_CASE(a_modern_request_says_itself_what_it_wants_to_be_told)
{
    const std::pair<const char*, std::size_t> rows[] = {{nullptr, 0}, {"debug", 1}, {"info", 1}, {"warning", 0}};
    fixture_server s;
    for (const auto& [level, count] : rows) {
        if (level)
            s.more_meta["io.modelcontextprotocol/logLevel"] = level;
        BOOST_TEST(messages_of(s, modern, "test_logging_tool") == count);
    }
    s.finish();
}

// rule: mcp.stateless.prior, mcp.log.unwanted
BOOST_AUTO_TEST_CASE(what_a_session_has_set_is_nothing_to_modern_requests)
{
    fixture_server s(legacy);
    set_level(s, "debug");
    BOOST_TEST(messages_of(s, modern, "test_logging_tool") == 0);
    BOOST_TEST(messages_of(s, legacy, "test_logging_tool") == 1);
    s.finish();
}

// rule: mcp.listen.no_log
BOOST_AUTO_TEST_CASE(subscriptions_carry_neither_log_nor_progress)
{
    fixture_server s;
    s.request("\"news\"", modern, "subscriptions/listen", R"({"notifications":{"toolsListChanged":true}})");
    BOOST_TEST((s.read().at("method") == "notifications/subscriptions/acknowledged"));
    BOOST_TEST(messages_of(s, modern, "test_logging_tool") == 0);
    BOOST_TEST(messages_of(s, modern, "test_tool_with_progress") == 0);
    s.more_meta["io.modelcontextprotocol/logLevel"] = "debug";
    s.call("1", modern, "test_logging_tool");
    const json::object told = s.read();
    BOOST_TEST((told.at("method") == "notifications/message"));
    BOOST_TEST(!told.at("params").as_object().contains("_meta"));
    s.read_result("1");
    s.cancel("\"news\"");
    s.expect_quiet();
    s.finish();
}

BOOST_AUTO_TEST_SUITE_END()
