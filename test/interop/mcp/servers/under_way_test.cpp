// What happens while a foreign server works on a call: what it tells, what it asks, and a cancel.

#include "driven_server.hpp"
#include "support/text_search.hpp"
#include "unit/mcp/client/begun.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline;
using namespace partyline::test;

namespace {

struct with_calls {
    driven_server& server = driven_server::shared();
    mcp::client& client = server.client();
    const server_facts& facts = server.facts;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(under_way, with_calls, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(progress_comes_before_the_result)
{
    std::vector<double> steps;
    std::optional<double> last_total;
    mcp::call_hooks hooks;
    hooks.on_progress = [&](double done, std::optional<double> total, const std::string&) {
        steps.push_back(done);
        last_total = total;
    };
    const auto answer = server.run(client.call_tool(facts.progress.tool, facts.progress.arguments, hooks));
    BOOST_TEST(contains(answer.text(), facts.progress.text));
    BOOST_TEST(steps.size() == 3u);
    BOOST_TEST(std::is_sorted(steps.begin(), steps.end()));
    BOOST_TEST_REQUIRE(last_total.has_value());
    BOOST_TEST(*last_total == steps.back());
}

BOOST_AUTO_TEST_CASE(it_logs_what_is_wanted)
{
    if (facts.has_log_levels)
        server.run(client.set_log_level(mcp::log_level::debug));
    else
        BOOST_TEST(server.error_of(client.set_log_level(mcp::log_level::debug)) == -32601);
    server.logged.clear();
    server.call(facts.log);
    // A server logs of other things too, and what comes over another connection may come after the result.
    server.run_until([&] {
        return std::any_of(server.logged.begin(), server.logged.end(),
                           [&](const mcp::log_entry& entry) { return contains(entry.text(), facts.log.text); });
    });
    // Where the level is said with each call, here it is said for one.
    mcp::call_hooks quiet;
    quiet.log_level = mcp::log_level::emergency;
    if (client.era() == mcp::era::modern) {
        server.logged.clear();
        server.run(client.call_tool(facts.log.tool, facts.log.arguments, quiet));
        BOOST_TEST(server.logged.empty());
    }
}

BOOST_AUTO_TEST_CASE(a_call_may_be_cancelled)
{
    int told = 0;
    mcp::call_hooks hooks;
    hooks.on_progress = [&](double, std::optional<double>, const std::string&) { ++told; };
    begun<mcp::tool_answer> slow;
    client.call_tool(facts.slow.tool, facts.slow.arguments, hooks)(slow.token());
    server.run_until([&] { return told != 0; });
    slow.cancel();
    server.run_until([&] { return slow.has_ended(); });
    const int before = told; // one that had come already may be told before that
    BOOST_TEST(slow.failed() == asio::error::operation_aborted);
    BOOST_TEST(contains(server.call(facts.text).text(), facts.text.text));
    BOOST_TEST(told == before);
    BOOST_TEST(slow.completions() == 1);
}

BOOST_AUTO_TEST_CASE(it_asks_the_user)
{
    server.asked.clear();
    server.answer = mcp::elicit_answer::accept(
        json::object{{"username", "testuser"}, {"email", "test@example.com"}, {"name", "testuser"}});
    const mcp::tool_answer accepted = server.call(facts.elicit);
    BOOST_TEST(contains(accepted.text(), facts.accepted), accepted.text());
    BOOST_TEST(contains(accepted.text(), "testuser"), accepted.text());
    BOOST_TEST_REQUIRE(server.asked.size() == 1u);
    BOOST_TEST(server.asked[0].message == facts.asked);
    BOOST_TEST(server.asked[0].schema.at("properties").is_object());

    server.answer = mcp::elicit_answer::decline();
    const mcp::tool_answer declined = server.call(facts.elicit);
    BOOST_TEST(contains(declined.text(), facts.declined), declined.text());
    BOOST_TEST(server.asked.size() == 2u);
}

BOOST_AUTO_TEST_CASE(it_asks_the_model)
{
    const mcp::tool_answer sampled = server.call(facts.sample);
    BOOST_TEST(contains(sampled.text(), facts.sample.text), sampled.text());
}

BOOST_AUTO_TEST_CASE(it_asks_for_the_roots_that_are_set)
{
    BOOST_TEST(contains(server.call(facts.roots).text(), "file:///srv/party"));
    client.set_roots({{"file:///srv/other", "other"}});
    // Some ask anew when they are told of the change, and some with each call.
    server.repeat_until([&] { return contains(server.call(facts.roots).text(), "file:///srv/other"); });
    client.set_roots({{"file:///srv/party", "party"}});
}

BOOST_AUTO_TEST_SUITE_END()
