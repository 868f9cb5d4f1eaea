#include "mcp/client/open_pages.hpp"
#include "scripted_server.hpp"

#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline;
using namespace partyline::test;

namespace {

// What older servers ask, by requests of their own.
struct fixture : scripted_server {
    void ask(std::string_view method, std::string_view params)
    {
        send(R"({"jsonrpc":"2.0","id":"q","method":")" + std::string(method) + R"(","params":)" + std::string(params) +
             "}");
    }
    void expect_answer(std::string_view result)
    {
        const json::value said = json::parse(receive());
        BOOST_TEST(said.at("id") == json::value("q"));
        BOOST_TEST(said.at("result") == json::parse(json::string_view(result.data(), result.size())));
    }
    std::int64_t answered_code()
    {
        const json::value said = json::parse(receive());
        return said.at("error").at("code").as_int64();
    }
};

constexpr std::string_view form = R"({"message":"Sure?","requestedSchema":{"type":"object"}})";
constexpr std::string_view page = R"({"mode":"url","message":"Go","url":"https://x","elicitationId":"e"})";

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_client_questions, fixture, *boost::unit_test::timeout(60))

// rule: mcp.response.id, mcp.response.result, mcp.ping.answer, mcp.elicit.no_mode
BOOST_AUTO_TEST_CASE(the_same_handlers_answer_older_servers)
{
    std::string done;
    client().on_elicit([](const mcp::elicit_request&) { return mcp::elicit_answer::accept(json::object{{"a", 1}}); });
    client().on_elicit_page([](const mcp::page_request& asked) {
        BOOST_TEST(asked.id == "e");
        return mcp::elicit_action::accept;
    });
    client().on_page_done([&](const std::string& id) { done = id; });
    client().on_sample([](const mcp::sample_request&) {
        mcp::sampling_answer answer;
        answer.model = "m";
        answer.stop_reason = "endTurn";
        answer.content = "x";
        return answer;
    });
    client().set_roots({{"file:///a", ""}});
    start_legacy();
    ask("elicitation/create", form);
    expect_answer(R"({"action":"accept","content":{"a":1}})");
    ask("elicitation/create", page);
    expect_answer(R"({"action":"accept"})");
    tell("notifications/elicitation/complete", R"({"elicitationId":"e"})");
    ask("sampling/createMessage", R"({"messages":[],"maxTokens":1})");
    expect_answer(R"({"role":"assistant","content":"x","model":"m","stopReason":"endTurn"})");
    ask("roots/list", "{}");
    expect_answer(R"({"roots":[{"uri":"file:///a"}]})");
    ask("ping", "{}");
    expect_answer("{}");
    BOOST_TEST(done == "e");
}

// rule: mcp.operation.capabilities, mcp.elicit.undeclared, mcp.roots.errors
BOOST_AUTO_TEST_CASE(what_was_not_declared_is_refused)
{
    start_legacy();
    for (const char* const method : {"elicitation/create", "sampling/createMessage", "roots/list", "tools/list"}) {
        ask(method, "{}");
        BOOST_TEST(answered_code() == error_codes::method_not_found, method);
    }
}

// rule: mcp.elicit.undeclared, mcp.sample.undeclared_tools, mcp.sample.errors
BOOST_AUTO_TEST_CASE(a_mode_that_was_not_declared_is_wrong_params)
{
    client().on_elicit([](const mcp::elicit_request&) { return mcp::elicit_answer::decline(); });
    client().on_sample([](const mcp::sample_request&) { return mcp::sampling_answer(); });
    start_legacy();
    ask("elicitation/create", page);
    BOOST_TEST(answered_code() == error_codes::invalid_params);
    ask("elicitation/create", R"({"mode":"x","message":"a"})");
    BOOST_TEST(answered_code() == error_codes::invalid_params);
    ask("elicitation/create", R"({"message":7})");
    BOOST_TEST(answered_code() == error_codes::invalid_params);
    ask("sampling/createMessage", R"({"messages":[],"maxTokens":1,"tools":[]})");
    BOOST_TEST(answered_code() == error_codes::invalid_params);
}

// rule: mcp.sample.errors
BOOST_AUTO_TEST_CASE(what_a_handler_throws_is_answered)
{
    client().on_elicit([](const mcp::elicit_request&) -> mcp::elicit_answer { throw rpc_error(-1, "User rejected"); });
    start_legacy();
    ask("elicitation/create", form);
    BOOST_TEST(answered_code() == -1);
}

// rule: mcp.cancel.stop, mcp.cancel.answer
BOOST_AUTO_TEST_CASE(what_the_server_takes_back_is_not_answered)
{
    bool was_cancelled = false;
    client().on_elicit([&](const mcp::elicit_request&) -> task<mcp::elicit_answer> {
        asio::steady_timer timer(context, asio::steady_timer::time_point::max());
        try {
            co_await timer.async_wait(asio::deferred);
        } catch (const boost::system::system_error&) {
            was_cancelled = true;
        }
        co_return mcp::elicit_answer::decline();
    });
    start_legacy();
    ask("elicitation/create", form);
    settle();
    BOOST_TEST(!was_cancelled);
    tell("notifications/cancelled", R"({"requestId":"q","reason":"no more of it"})");
    run_until([&] { return was_cancelled; });
    expect_silence();
}

// From 2026-07-28 on clients send no responses: also none that say that something is wrong.
// rule: mcp.stdio.no_responses
BOOST_AUTO_TEST_CASE(what_modern_servers_ask_by_requests_is_not_answered)
{
    bool was_asked = false;
    options.session.bounds.message_bytes = 4096;
    client().on_elicit([&](const mcp::elicit_request&) {
        was_asked = true;
        return mcp::elicit_answer::decline();
    });
    start_modern();
    for (const char* const method : {"elicitation/create", "ping", "no/such"})
        ask(method, form);
    send(R"({"jsonrpc":"2.0","id":null,"method":"ping"})");
    send(R"({"jsonrpc":"1.0","id":1,"method":"ping"})");
    send("rubbish");
    send(R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])");
    send(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":")" + std::string(5000, 'x') + R"("}})");
    expect_silence();
    BOOST_TEST(!was_asked);
    BOOST_TEST_REQUIRE(logged.size() == 8u); // each of them
    BOOST_TEST(logged.front() == "dropped what is not answered in this protocol: the request \"elicitation/create\"");
    begun<void> pinged;
    client().ping()(pinged.token());
    reply(expect_request("server/discover", "{}"), discovered());
    wait(pinged);
    BOOST_TEST(!pinged.failed());
}

// Nor before it has told what it is, where nothing else is talked to.
BOOST_AUTO_TEST_CASE(who_wants_modern_servers_answers_none)
{
    options.era = mcp::wanted_era::modern;
    begun<void> started;
    client().start()(started.token());
    const std::string id = expect_request("server/discover", "{}");
    ask("ping", "{}");
    expect_silence();
    reply(id, discovered());
    BOOST_TEST(!wait(started).failed());
}

// rule: mcp.batch.receive
BOOST_AUTO_TEST_CASE(a_batch_of_the_server_is_taken)
{
    std::string heard;
    client().on_resource_updated([&](const std::string& uri) { heard = uri; });
    start_legacy("{}", "2025-03-26");
    begun<void> pinged;
    client().ping()(pinged.token());
    const std::string id = expect_request("ping", "{}");
    send(R"([{"jsonrpc":"2.0","id":"q","method":"ping"},{"jsonrpc":"2.0","id":)" + id + R"(,"result":{}},
             {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:b"}}])");
    expect(R"([{"jsonrpc":"2.0","id":"q","result":{}}])");
    wait(pinged);
    BOOST_TEST(!pinged.failed());
    BOOST_TEST(heard == "a:b");
}

// rule: mcp.elicit.unknown_page
BOOST_AUTO_TEST_CASE(the_end_of_a_page_is_told_once)
{
    std::vector<std::string> done;
    client().on_elicit_page([](const mcp::page_request&) { return mcp::elicit_action::accept; });
    client().on_page_done([&](const std::string& id) { done.push_back(id); });
    start_legacy();
    const auto tell_end = [&](const char* id) {
        tell("notifications/elicitation/complete", R"({"elicitationId":")" + std::string(id) + "\"}");
        settle();
    };
    tell_end("e");
    BOOST_TEST(done.empty()); // nobody was asked to open it
    ask("elicitation/create", page);
    expect_answer(R"({"action":"accept"})");
    for (const char* const id : {"other", "", "e", "e"})
        tell_end(id);
    BOOST_TEST(done == std::vector<std::string>{"e"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_end_of_a_page_that_was_declined_is_not_told)
{
    std::vector<std::string> done;
    client().on_elicit_page([](const mcp::page_request&) { return mcp::elicit_action::decline; });
    client().on_page_done([&](const std::string& id) { done.push_back(id); });
    start_legacy();
    ask("elicitation/create", page);
    expect_answer(R"({"action":"decline"})");
    tell("notifications/elicitation/complete", R"({"elicitationId":"e"})");
    settle();
    BOOST_TEST(done.empty());
}

// Some servers leave the id out, or write an empty one.
BOOST_AUTO_TEST_CASE(a_page_without_an_id_is_opened_and_its_end_is_not_told)
{
    bool was_told = false;
    std::vector<std::string> asked;
    client().on_elicit_page([&](const mcp::page_request& one) {
        asked.push_back(one.url + one.id);
        return mcp::elicit_action::accept;
    });
    client().on_page_done([&](const std::string&) { was_told = true; });
    start_legacy();
    for (const char* const id : {"", R"(,"elicitationId":"")"}) {
        ask("elicitation/create", R"({"mode":"url","message":"Go","url":"https://x")" + std::string(id) + "}");
        expect_answer(R"({"action":"accept"})");
        tell("notifications/elicitation/complete", R"({"elicitationId":""})");
        tell("notifications/elicitation/complete", "{}");
        settle();
    }
    BOOST_TEST(asked == std::vector<std::string>(2, "https://x"), boost::test_tools::per_element());
    BOOST_TEST(!was_told);
}

// rule: security.memory.client
BOOST_AUTO_TEST_CASE(of_too_many_pages_the_oldest_is_forgotten)
{
    mcp::open_pages pages;
    for (std::size_t i = 0; i != mcp::open_pages::most + 1; ++i)
        pages.open(std::to_string(i));
    BOOST_TEST(!pages.close("0"));
    BOOST_TEST(pages.close("1"));
    BOOST_TEST(pages.close(std::to_string(mcp::open_pages::most)));
}

// rule: mcp.roots.changed
BOOST_AUTO_TEST_CASE(roots_that_change_are_told_of)
{
    client().set_roots({{"file:///a", ""}});
    start_legacy();
    client().set_roots({{"file:///b", ""}});
    expect(R"({"jsonrpc":"2.0","method":"notifications/roots/list_changed"})");
    ask("roots/list", "{}");
    expect_answer(R"({"roots":[{"uri":"file:///b"}]})");
}

BOOST_AUTO_TEST_CASE(roots_that_change_are_nothing_to_modern_servers)
{
    client().set_roots({{"file:///a", ""}});
    start_modern();
    client().set_roots({{"file:///b", ""}});
    expect_silence();
}

BOOST_AUTO_TEST_SUITE_END()
