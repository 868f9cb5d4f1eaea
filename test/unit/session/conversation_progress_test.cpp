#include "support/dialogue.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline::test;
using partyline::request_context;

namespace {

struct fixture : dialogue {
    fixture()
    {
        methods.add("count", [](request_context& request, json::value) -> asio::awaitable<int> {
            co_await request.progress(1);
            json::object details{{"percentage", 2}};
            co_await request.progress(std::move(details));
            co_return 3;
        });
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(conversation_progress, fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(progress_leaves_in_order_and_before_the_reply)
{
    for (const char* id : {"7", "\"x\"", "1.0"}) {
        send(request(id, "count"));
        expect(progress(id, "1"));
        expect(progress(id, R"({"percentage":2})"));
        expect(result(id, "3"));
    }
}

BOOST_AUTO_TEST_CASE(a_token_given_in_the_params_is_used)
{
    send(request("7", "count", R"({"workDoneToken":"t\u0041"})"));
    expect(progress(R"("t\u0041")", "1"));
    receive();
    receive();
    send(request("7", "count", R"({"x":{"workDoneToken":6}})")); // not the request's own
    expect(progress("7", "1"));
    receive();
    receive();
    send(request("8", "count")); // the worker's last token is forgotten
    expect(progress("8", "1"));
}

// rule: mcp.progress.token
BOOST_AUTO_TEST_CASE(a_token_is_an_integer_or_a_string)
{
    const struct {
        const char* params;
        const char* token;
    } given[] = {
        {R"({"workDoneToken":null})", "7"},
        {R"({"workDoneToken":1.5})", "7"},
        {R"({"workDoneToken":1e2})", "7"},
        {R"({"workDoneToken":2E2})", "7"},
        {R"({"workDoneToken":true})", "7"},
        {R"({"workDoneToken":[1]})", "7"},
        {R"({"workDoneToken":{"e":1}})", "7"},
        {R"({"workDoneToken":"a","workDoneToken":null})", "7"},
        {R"({"workDoneToken":"1.5e3"})", R"("1.5e3")"},
        {R"({"workDoneToken":""})", R"("")"},
        {R"({"workDoneToken":-3})", "-3"},
        {R"({"workDoneToken":0})", "0"},
    };
    for (const auto& [params, token] : given) {
        send(request("7", "count", params));
        expect(progress(token, "1"));
        receive();
        expect(result("7", "3"));
    }
}

BOOST_AUTO_TEST_CASE(its_name_may_be_spelt_with_escapes)
{
    methods.add("parts", [](request_context& request, json::value) -> asio::awaitable<bool> {
        co_await request.partial_result(1);
        co_return request.takes_partial_results();
    });
    for (const char* name : {"workDoneToke\\u006e", "\\u0077ork\\u0044oneToken"}) {
        send(request("7", "count", "{\"" + std::string(name) + R"(":"t"})"));
        expect(progress(R"("t")", "1"));
        receive();
        receive();
    }
    send(request("7", "parts", R"({"partial\u0052esultToken":"p"})"));
    expect(progress(R"("p")", "1"));
    expect(result("7", "true"));
    send(request("7", "count",
                 R"({"x":{"workDoneToke\u006e":6},"workDoneToke\\u006e":5,"y":"\u0061"})")); // none of that name
    expect(progress("7", "1"));
}

BOOST_AUTO_TEST_CASE(without_a_token_nothing_is_sent)
{
    send(request("null", "count"));
    expect(result("null", "3"));
    send(notification("count"));
    expect_silence();
}

// rule: mcp.progress.stop
BOOST_AUTO_TEST_CASE(it_is_never_sent_after_the_reply)
{
    request_context* kept = nullptr;
    methods.add("keep", [&](request_context& request) -> asio::awaitable<int> {
        kept = &request;
        co_return 1;
    });
    send(request("1", "keep"));
    expect(result("1", "1"));
    // Misuse: the context is not the handler's any more. Nothing may be invented for it.
    asio::co_spawn(context, kept->progress(2), [](std::exception_ptr) {});
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_plain_function_may_report_too)
{
    methods.add("plain", [](request_context& request) {
        request.progress(1);
        request.notify("note", json::array{1});
        return 2;
    });
    send(request("1", "plain"));
    expect(progress("1", "1"));
    expect(notification("note", "[1]"));
    expect(result("1", "2"));
}

BOOST_AUTO_TEST_CASE(notifications_are_checked_at_once)
{
    methods.add("note", [](request_context& request) -> asio::awaitable<int> {
        int refused = 0;
        const json::value wrong[] = {1, "text", true, json::array{std::numeric_limits<double>::infinity()}};
        for (const json::value& params : wrong) {
            try {
                co_await request.notify("note", params);
            } catch (const std::invalid_argument&) {
                ++refused;
            }
        }
        co_await request.notify("no\"te");
        co_await request.notify("note", json::object());
        co_return refused;
    });
    send(request("1", "note"));
    expect(R"({"jsonrpc":"2.0","method":"no\"te"})");
    expect(notification("note", "{}"));
    expect(result("1", "4"));
}

BOOST_AUTO_TEST_SUITE_END()
