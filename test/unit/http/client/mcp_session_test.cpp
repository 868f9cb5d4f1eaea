// A session by http::mcp_client, without an mcp::client: for programs that forward messages.

#include "client/client_fixture.hpp"
#include "client/fickle_server.hpp"
#include "http_fixture.hpp"

#include <partyline/async/async_event.hpp>
#include <partyline/http.hpp>
#include <partyline/rpc/method_table.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace partyline;
using namespace std::chrono_literals;
using partyline::test::asked_request;
using partyline::test::fickle_server;
namespace asio = boost::asio;

namespace {

struct mcp_session_fixture {
    asio::io_context context{1};
    std::function<std::string(const asked_request&)> on_call; // the answer to what is not of a session's beginning
    std::vector<std::string> replied;                         // to what the server has asked
    fickle_server server{context, [this](const asked_request& asked) { return answer(asked); }};
    async_event may_answer{context.get_executor()};
    int questions = 0; // that have reached a handler
    std::optional<session> peer;
    std::optional<error_code> ended;

    ~mcp_session_fixture()
    {
        peer.reset();
        context.restart();
        context.poll();
    }
    void connect(session_options how = {}) { connect_to(server, std::move(how)); }
    void connect_to(const fickle_server& to, session_options how = {}) { connect_to(to.address(), std::move(how)); }
    void connect_to(const std::string& address, session_options how = {})
    {
        how.executor_is_serial = true;
        peer.emplace(http::mcp_client(context.get_executor(), address).open(std::move(how)));
        peer->use_methods(own_methods());
        peer->async_run([this](error_code why) { ended = why; });
    }
    std::optional<error_code> call(const std::string& method)
    {
        const auto told = std::make_shared<std::optional<error_code>>();
        peer->call(method)([told](error_code failed, const response&) { *told = failed; });
        run_until([&] { return told->has_value(); });
        return *told;
    }
    void run_until(const std::function<bool()>& done) { test::run_until(context, done); }
    static std::string question(int number)
    {
        return R"(data: {"jsonrpc":"2.0","id":"q)" + std::to_string(number) + R"(","method":"ask"})" + "\n\n";
    }
    static std::string reply_to(const asked_request& call)
    {
        return R"(data: {"jsonrpc":"2.0","id":)" + call.member("id") + R"(,"result":{}})" + "\n\n";
    }

    static std::string greet(const asked_request& asked)
    {
        if (asked.member("method") != "initialize")
            return test::bare_answer(202);
        return test::result_answer(
            asked, R"({"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"x","version":"1"}})",
            "Mcp-Session-Id: s1\r\n");
    }
    static std::string busy_answer(int status, const std::string& seconds)
    {
        std::string answer = test::bare_answer(status);
        answer.insert(answer.find("\r\n") + 2, "Retry-After: " + seconds + "\r\n");
        return answer;
    }

private:
    std::shared_ptr<const dispatcher> own_methods()
    {
        auto methods = std::make_shared<method_table>();
        methods->add("ask", [this] { return answer_question(); });
        return methods;
    }
    task<int> answer_question()
    {
        ++questions;
        co_await may_answer.async_wait();
        co_return 7;
    }
    std::string answer(const asked_request& asked)
    {
        if (asked.verb() == "POST" && asked.member("method").empty()) {
            replied.push_back(asked.body);
            return test::bare_answer(202);
        }
        return on_call(asked);
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_mcp_session, mcp_session_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(answers_what_its_server_asks_by_the_methods_that_it_got_before_it_ran)
{
    on_call = [](const asked_request& asked) { return test::event_answer(question(1) + reply_to(asked)); };
    may_answer.set();
    connect();
    BOOST_TEST(!*call("x"));
    run_until([this] { return !replied.empty(); });
    BOOST_TEST(replied.front() == R"({"jsonrpc":"2.0","id":"q1","result":7})");
}

// Before `initialize` is answered a server may send pings, and may wait for them. The session's id has come by then.
BOOST_AUTO_TEST_CASE(answers_in_the_session_what_is_asked_while_that_begins)
{
    test::scripted_server slow(context);
    connect_to("http://127.0.0.1:" + std::to_string(slow.port()) + "/mcp");
    may_answer.set();
    std::optional<error_code> told;
    peer->call("initialize")([&](error_code failed, const response&) { told = failed; });
    test::scripted_end greeting = slow.accept();
    greeting.read_request("}");
    greeting.say("HTTP/1.1 200 X\r\nContent-Type: text/event-stream\r\nMcp-Session-Id: s1\r\n\r\n" + question(1));
    test::scripted_end other = slow.accept();
    const std::string answer = other.read_request("}");
    BOOST_TEST(answer.find("\r\nMcp-Session-Id: s1\r\n") != answer.npos, answer);
    BOOST_TEST(answer.find("MCP-Protocol-Version") == answer.npos, answer); // nobody has chosen one yet
    BOOST_TEST(answer.find(R"({"jsonrpc":"2.0","id":"q1","result":7})") != answer.npos, answer);
    BOOST_TEST(!told);
    other.say(test::bare_answer(202));
    greeting.say(R"(data: {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"}})" + std::string("\n\n"));
    run_until([&] { return told.has_value(); });
    BOOST_TEST(!*told);
}

BOOST_AUTO_TEST_CASE(is_in_no_session_that_the_server_has_refused_to_begin)
{
    std::string ids;
    on_call = [&](const asked_request& asked) {
        ids += asked.field("Mcp-Session-Id") + ';';
        std::string answer = test::json_answer(200, R"({"jsonrpc":"2.0","id":)" + asked.member("id") +
                                                        R"(,"error":{"code":-32602,"message":"no"}})");
        answer.insert(answer.find("\r\n") + 2, "Mcp-Session-Id: s1\r\n");
        return answer;
    };
    connect();
    BOOST_TEST(!*call("initialize"));
    BOOST_TEST(!*call("other"));
    BOOST_TEST(ids == ";;");
}

// MCP lets the error of a refusal do without an id, and some servers write one that they have made up.
BOOST_AUTO_TEST_CASE(takes_the_error_of_a_refusal_for_its_reply_whatever_id_that_has)
{
    connect();
    for (const std::string& id :
         {std::string(R"("id":null,)"), std::string(R"("id":"server-error",)"), std::string()}) {
        on_call = [&](const asked_request&) {
            return test::json_answer(400, R"({"jsonrpc":"2.0",)" + id + R"("error":{"code":-32600,"message":"no"}})");
        };
        std::optional<response> reply;
        peer->call("x")([&](error_code, response said) { reply = std::move(said); });
        run_until([&] { return reply.has_value(); });
        BOOST_TEST_CONTEXT(id)
        {
            BOOST_TEST_REQUIRE(reply->error());
            BOOST_TEST(reply->error()->code == -32600);
            BOOST_TEST(reply->error()->message == "no");
        }
    }
}

// As many questions are asked as may be in flight. The others stay in the connection, and hold back no other one.
BOOST_AUTO_TEST_CASE(reads_no_more_of_a_stream_that_asks_on_and_on_and_goes_on_with_others)
{
    on_call = [](const asked_request& asked) {
        if (asked.member("method") != "endless")
            return test::result_answer(asked, "{}");
        std::string all;
        for (int i = 0; i != 10; ++i)
            all += question(i);
        return test::event_answer(all + reply_to(asked));
    };
    session_options how;
    how.bounds.in_flight_requests = 2;
    connect(std::move(how));
    std::optional<error_code> last;
    peer->call("endless")([&](error_code failed, const response&) { last = failed; });
    run_until([this] { return questions == 2; });
    for (int i = 0; i != 3; ++i)
        BOOST_TEST(!*call("other"));
    BOOST_TEST(questions == 2);
    BOOST_TEST(peer->counters().waiting == 0u);
    BOOST_TEST(!last);
    may_answer.set();
    run_until([&] { return last && replied.size() == 10; });
    BOOST_TEST(!*last);
    BOOST_TEST(questions == 10);
}

BOOST_AUTO_TEST_CASE(ends_while_a_stream_is_held_back)
{
    on_call = [](const asked_request&) { return test::event_answer(question(1) + question(2) + question(3)); };
    session_options how;
    how.bounds.in_flight_requests = 1;
    connect(std::move(how));
    std::optional<error_code> last;
    peer->call("endless")([&](error_code failed, const response&) { last = failed; });
    run_until([this] { return questions == 1; });
    peer->stop();
    run_until([&] { return last && ended; });
    BOOST_TEST((*last == errc::session_closed));
    BOOST_TEST(*ended == asio::error::operation_aborted);
}

BOOST_AUTO_TEST_CASE(tells_its_server_at_the_end_and_waits_for_no_longer_than_the_time_to_close)
{
    for (const std::string& on_delete : {std::string(), test::bare_answer(200), test::bare_answer(405)}) {
        mcp_session_fixture own;
        bool was_deleted = false;
        own.on_call = [&](const asked_request& asked) {
            was_deleted = was_deleted || (asked.verb() == "DELETE" && asked.field("Mcp-Session-Id") == "s1");
            return asked.verb() == "DELETE" ? on_delete : own.greet(asked);
        };
        session_options how;
        how.close_timeout = on_delete.empty() ? 500ms : std::chrono::milliseconds(1h);
        own.connect(std::move(how));
        BOOST_TEST(!*own.call("initialize"));
        own.peer->close();
        own.run_until([&] { return own.ended.has_value(); });
        BOOST_TEST(!*own.ended);
        BOOST_TEST(was_deleted);
    }
}

BOOST_AUTO_TEST_CASE(tells_its_server_also_where_it_is_stopped_and_hears_no_more)
{
    on_call = [](const asked_request& asked) {
        if (asked.verb() == "GET")
            return test::event_answer(": here\n\n");
        return asked.verb() == "DELETE" ? test::bare_answer(200) : greet(asked);
    };
    connect();
    BOOST_TEST(!*call("initialize"));
    peer->notify("notifications/initialized")([](error_code, auto) {});
    run_until([this] { return server.count("GET") == 1; });
    peer->stop();
    run_until([this] { return ended.has_value(); });
    BOOST_TEST(*ended == asio::error::operation_aborted);
    BOOST_TEST(server.count("DELETE") == 1);
}

BOOST_AUTO_TEST_CASE(comes_back_when_a_busy_server_has_asked_for_it)
{
    for (const int status : {429, 503}) {
        mcp_session_fixture own;
        int refusals = 1;
        own.on_call = [&](const asked_request& asked) {
            return refusals-- > 0 ? busy_answer(status, "0") : test::result_answer(asked, "{}");
        };
        own.connect();
        BOOST_TEST(!*own.call("x"));
        BOOST_TEST(own.server.count("POST x") == 2);
    }
}

BOOST_AUTO_TEST_CASE(comes_back_to_a_busy_server_no_more_than_twice_and_not_after_hours)
{
    on_call = [](const asked_request&) { return busy_answer(503, "0"); };
    connect();
    BOOST_TEST((*call("x") == errc::http_status));
    BOOST_TEST(server.count("POST x") == 3);
    for (const std::string& answer : {busy_answer(503, "3600"), busy_answer(500, "0"), test::bare_answer(503)}) {
        on_call = [&](const asked_request&) { return answer; };
        BOOST_TEST((*call("y") == errc::http_status));
    }
    BOOST_TEST(server.count("POST y") == 3);
}

BOOST_AUTO_TEST_CASE(waits_no_longer_for_a_busy_server_than_its_call_has_time)
{
    on_call = [](const asked_request&) { return busy_answer(429, "50"); };
    connect();
    call_options how;
    how.timeout(50ms);
    std::optional<error_code> told;
    peer->call("x", how)([&](error_code failed, const response&) { told = failed; });
    run_until([&] { return told.has_value(); });
    BOOST_TEST((*told == errc::timeout));
    BOOST_TEST(server.count("POST x") <= 1); // none, where the time was over before it was sent
}

BOOST_AUTO_TEST_CASE(takes_no_reply_and_no_event_that_is_longer_than_a_message_may_be)
{
    const std::string result = '"' + std::string(5000, 'x') + '"';
    session_options how;
    how.bounds.message_bytes = 4096;
    connect(std::move(how));
    on_call = [&](const asked_request& asked) { return test::result_answer(asked, result); };
    BOOST_TEST((*call("x") == errc::message_too_large));
    on_call = [&](const asked_request& asked) {
        return test::event_answer(R"(data: {"jsonrpc":"2.0","id":)" + asked.member("id") + R"(,"result":)" + result +
                                  "}\n\n");
    };
    BOOST_TEST((*call("x") == errc::message_too_large));
}

// SEP-1699: the server closes the connection as soon as there is an event to resume from, as often as it likes, and
// says by `retry` when to come back.
BOOST_AUTO_TEST_CASE(takes_up_again_a_stream_that_its_server_has_ended_behind_an_event_without_a_message)
{
    std::vector<std::string> places;
    std::string call_id;
    fickle_server ending(
        context,
        [&](const asked_request& asked) {
            if (asked.verb() == "GET")
                places.push_back(asked.field("Last-Event-ID"));
            if (asked.member("method") == "x")
                call_id = asked.member("id");
            if (asked.member("method") == "initialize")
                return greet(asked);
            if (places.size() == 3)
                return test::event_answer(R"(data: {"jsonrpc":"2.0","id":)" + call_id + R"(,"result":{}})" + "\n\n");
            return test::event_answer("id: e" + std::to_string(places.size()) + "\nretry: 200\ndata:\n\n");
        },
        fickle_server::after_answer::close);
    connect_to(ending);
    BOOST_TEST(!*call("initialize"));
    const auto begun = std::chrono::steady_clock::now();
    BOOST_TEST(!*call("x"));
    const bool has_waited = std::chrono::steady_clock::now() - begun >= 3 * 200ms;
    BOOST_TEST(has_waited);
    BOOST_TEST((places == std::vector<std::string>{"e0", "e1", "e2"}));
}

BOOST_AUTO_TEST_SUITE_END()
