// http::client and a server of ours, or one that is scripted.

#include "client/client_fixture.hpp"
#include "client/fickle_server.hpp"
#include "http_fixture.hpp"
#include "support/outcome.hpp"

#include <partyline/http.hpp>
#include <partyline/rpc/args.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <vector>

using namespace std::chrono_literals;
using namespace partyline;
using partyline::test::asked_request;
using partyline::test::bare_answer;
using partyline::test::event_answer;
using partyline::test::fickle_server;
using partyline::test::http_fixture;
using partyline::test::json_answer;
using partyline::test::outcome;
using partyline::test::result_answer;
using partyline::test::scripted_end;
using partyline::test::scripted_server;
namespace asio = boost::asio;

namespace {

struct client_fixture : http_fixture {
    client_fixture() { options.session.executor_is_serial = true; }

    int waiting = 0;
    int cancelled = 0;

    std::string begin()
    {
        method_table methods;
        methods.add("echo", [](boost::json::value params) { return params; });
        methods.add("add", [](int a, int b) { return a + b; });
        methods.add("fail", []() -> int { throw rpc_error(-5, "no"); });
        methods.add("count", [](request_context& own, int to) { return count(own, to); });
        methods.add("forever", [this](request_context& own) { return forever(own); });
        methods.add_notification("tell", [this](int) { ++waiting; });
        served().add_rpc("/rpc", std::move(methods));
        start();
        return "http://127.0.0.1:" + std::to_string(port()) + "/rpc";
    }
    http::client client_of(const std::string& address, http::client_options how = {})
    {
        how.session.executor_is_serial = true;
        how.session.log = [this](std::string_view line) { logged.emplace_back(line); };
        return http::client(context.get_executor(), address, std::move(how));
    }
    void wait(outcome& of)
    {
        run_until([&] { return of.is_there(); });
    }

private:
    static task<int> count(request_context& own, int to)
    {
        for (int i = 1; i <= to; ++i)
            co_await own.progress(i);
        co_return to;
    }
    task<int> forever(request_context& own)
    {
        ++waiting;
        asio::steady_timer never(own.get_executor(), asio::steady_timer::time_point::max());
        try {
            co_await never.async_wait(asio::deferred);
        } catch (...) {
            ++cancelled;
            throw;
        }
        co_return 0;
    }
};

using after_answer = fickle_server::after_answer;

fickle_server::answering always(std::string answer)
{
    return [answer = std::move(answer)](const asked_request&) { return answer; };
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_client_calls, client_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(call_as_every_caller_does)
{
    http::client client = client_of(begin());
    outcome sum;
    outcome refused;
    outcome unknown;
    client.call("add", args(2, 40))(sum.handler());
    client.call("fail")(refused.handler());
    client.call("nothing")(unknown.handler());
    wait(sum), wait(refused), wait(unknown);
    BOOST_TEST(sum.said.value().text() == "42");
    BOOST_TEST(refused.said.error()->code == -5);
    BOOST_TEST(unknown.said.error()->code == -32601);
    std::optional<error_code> told;
    client.notify("tell", args(1))([&](error_code failed, auto) { told = failed; });
    run_until([&] { return told && waiting == 1; });
    BOOST_TEST(!*told);
}

BOOST_AUTO_TEST_CASE(hear_progress_on_the_way)
{
    http::client client = client_of(begin());
    std::vector<std::string> seen;
    outcome last;
    call_options how;
    how.on_progress([&](const boost::json::value& value) { seen.emplace_back(boost::json::serialize(value)); });
    client.call("count", args(3), how)(last.handler());
    wait(last);
    BOOST_TEST(last.said.value().text() == "3");
    BOOST_TEST(!seen.empty());
    BOOST_TEST(seen.back() == "3");
}

BOOST_AUTO_TEST_CASE(go_in_batches)
{
    http::client client = client_of(begin());
    std::optional<error_code> failed;
    std::vector<response> replies;
    call_batch batch;
    batch.call("add", args(1, 2));
    batch.notify("tell", args(1));
    batch.call("fail");
    client.batch(std::move(batch))([&](error_code code, auto all) {
        failed = code;
        replies = std::move(*all);
    });
    run_until([&] { return failed.has_value(); });
    BOOST_TEST(!*failed);
    BOOST_TEST_REQUIRE(replies.size() == 2u);
    BOOST_TEST(replies[0].value().text() == "3");
    BOOST_TEST(replies[1].error()->code == -5);
}

BOOST_AUTO_TEST_CASE(are_cancelled_by_the_end_of_their_connection)
{
    http::client client = client_of(begin());
    outcome given_up;
    outcome late;
    asio::cancellation_signal stop;
    client.call("forever")(asio::bind_cancellation_slot(stop.slot(), given_up.handler()));
    call_options how;
    how.timeout(50ms);
    client.call("forever", how)(late.handler());
    run_until([&] { return waiting == 2; });
    stop.emit(asio::cancellation_type::terminal);
    wait(given_up), wait(late);
    BOOST_TEST(given_up.code == asio::error::operation_aborted);
    BOOST_TEST((late.code == errc::timeout));
    run_until([&] { return cancelled == 2; });
}

BOOST_AUTO_TEST_CASE(go_on_behind_what_was_told_whatever_body_its_success_has)
{
    const std::string cut_off = "HTTP/1.1 200 X\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{";
    const std::string text = "HTTP/1.1 200 X\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok";
    for (const std::string& answer :
         {bare_answer(202), std::string("HTTP/1.1 204 X\r\n\r\n"), json_answer(200, "{}"), json_answer(200, "null"),
          json_answer(202, std::string(5000, 'x')), text, event_answer("data: {}\n\n"), cut_off}) {
        BOOST_TEST_CONTEXT(answer.substr(0, 200))
        {
            const auto then = answer == cut_off ? after_answer::close : after_answer::keep;
            const auto reply = [&](const asked_request& one) {
                return one.member("id").empty() ? answer : result_answer(one, "7");
            };
            fickle_server server(context, reply, then);
            http::client_options how;
            how.session.bounds.message_bytes = 1000;
            http::client client = client_of(server.address(), std::move(how));
            outcome one;
            client.notify("tell", args(1))([](error_code, auto) {});
            run_until([&] { return server.count("POST tell") == 1; });
            client.call("x")(one.handler());
            wait(one);
            BOOST_TEST(one.said.value().text() == "7");
            BOOST_TEST(logged.empty());
            logged.clear();
        }
    }
}

BOOST_AUTO_TEST_CASE(let_go_of_a_stream_of_events_that_answers_what_was_told)
{
    scripted_server server(context);
    http::client client = client_of("http://127.0.0.1:" + std::to_string(server.port()) + "/");
    client.notify("tell", args(1))([](error_code, auto) {});
    scripted_end end = server.accept();
    end.read_request("}");
    end.say(event_answer(": stays open\n\n"));
    BOOST_TEST(end.is_closed());
    BOOST_TEST(logged.empty());
}

BOOST_AUTO_TEST_CASE(are_many_over_few_connections)
{
    http::client_options how;
    how.connections = 3;
    http::client client = client_of(begin(), how);
    std::vector<outcome> all(1000);
    for (int i = 0; i != 1000; ++i)
        client.call("add", args(i, 1))(all[static_cast<std::size_t>(i)].handler());
    for (int i = 0; i != 1000; ++i) {
        outcome& one = all[static_cast<std::size_t>(i)];
        wait(one);
        BOOST_TEST_REQUIRE(!one.code);
        BOOST_TEST_REQUIRE(one.said.value().text() == std::to_string(i + 1));
    }
    BOOST_TEST(served().connections() <= 3u);
}

BOOST_AUTO_TEST_CASE(fail_with_what_became_of_the_connection)
{
    http::client nobody = client_of("http://127.0.0.1:1/rpc");
    outcome refused;
    nobody.call("x")(refused.handler());
    wait(refused);
    BOOST_TEST(refused.code == asio::error::connection_refused);
    const auto failed_by = [this](const std::string& answer) {
        fickle_server server(context, always(answer), after_answer::close);
        http::client client = client_of(server.address());
        outcome one;
        client.call("x")(one.handler());
        wait(one);
        return one.code;
    };
    BOOST_TEST((failed_by("") == errc::peer_closed));
    BOOST_TEST((failed_by("HTTP/1.1 20") == errc::peer_closed));
    BOOST_TEST((failed_by("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{") ==
                errc::peer_closed));
    BOOST_TEST((failed_by("SSH-2.0-x\r\n\r\n") == errc::bad_reply));
    BOOST_TEST((failed_by("HTTP/1.1 302 X\r\nLocation: http://evil.example/\r\nContent-Length: 0\r\n\r\n") ==
                errc::bad_reply));
    BOOST_TEST((failed_by("HTTP/1.1 500 X\r\nContent-Length: 0\r\n\r\n") == errc::http_status));
    BOOST_TEST((failed_by("HTTP/1.1 200 X\r\nContent-Type: text/event-stream\r\n\r\n") == errc::peer_closed));
    BOOST_TEST((failed_by(json_answer(503, R"({"jsonrpc":"2.0","error":{"code":-31001,"message":"busy"}})")) ==
                errc::http_status));
}

// rule: security.messages.settled
BOOST_AUTO_TEST_CASE(say_status_and_type_of_an_answer_that_is_no_reply)
{
    const auto details = [this](const std::string& fields, const std::string& body = {}) {
        const std::string head = "HTTP/1.1 " + fields + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n";
        fickle_server server(context, always(head + body));
        http::client client = client_of(server.address());
        outcome one;
        client.call("x")(one.handler());
        wait(one);
        BOOST_TEST((one.code == errc::http_status));
        return one.said.details();
    };
    const std::string json = "200 X\r\nContent-Type: application/json\r\n";
    const std::string told = "HTTP status 200, Content-Type: application/json";
    const std::string no_call = R"({"jsonrpc":"2.0","id":77,"result":1})";
    const std::string no_id = R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}})";
    BOOST_TEST(details("200 X\r\nContent-Type: text/plain\r\n", "hello") ==
               "HTTP status 200, Content-Type: text/plain");
    BOOST_TEST(details("200 X\r\n") == "HTTP status 200, without a body");
    BOOST_TEST(details("202 X\r\n") == "HTTP status 202, without a body");
    BOOST_TEST(details("204 X\r\n") == "HTTP status 204, without a body");
    BOOST_TEST(details(json) == told + ", without a body");
    BOOST_TEST(details(json + "Content-Encoding: gzip\r\n", "\x1f\x8b") == told + ", Content-Encoding: gzip");
    BOOST_TEST(details("200 X\r\nContent-Type: text/event-stream\r\nContent-Encoding: br\r\n", "x") ==
               "HTTP status 200, Content-Type: text/event-stream, Content-Encoding: br");
    BOOST_TEST(details(json, "nonsense\n") == told + ": nonsense\\u000a");
    BOOST_TEST(details(json, no_call) == "it replied to another request: " + told + ": " + no_call);
    BOOST_TEST(details(json, no_id) == told + ": " + no_id);
    BOOST_TEST(details(json, std::string(5000, 'x')) == told + ": " + std::string(300, 'x') + "...");
    BOOST_TEST(details("502 X\r\nContent-Type: text/html\r\n", "<p>") == "HTTP status 502, Content-Type: text/html");
}

BOOST_AUTO_TEST_CASE(take_a_reply_that_says_that_it_is_not_encoded)
{
    std::string answer = json_answer(200, R"({"jsonrpc":"2.0","id":1,"result":7})");
    answer.insert(answer.find("\r\n") + 2, "Content-Encoding: Identity\r\n");
    fickle_server server(context, always(answer));
    http::client client = client_of(server.address());
    outcome one;
    client.call("x")(one.handler());
    wait(one);
    BOOST_TEST(one.said.value().text() == "7");
}

BOOST_AUTO_TEST_CASE(take_a_reply_by_whatever_status)
{
    fickle_server server(
        context, always(json_answer(503, R"({"jsonrpc":"2.0","id":1,"error":{"code":-31001,"message":"busy"}})")));
    http::client client = client_of(server.address());
    outcome one;
    client.call("x")(one.handler());
    wait(one);
    BOOST_TEST(!one.code);
    BOOST_TEST(one.said.error()->code == -31001);
}

// JSON-RPC 2.0 §5: the id is null where the server has not read that of the request.
BOOST_AUTO_TEST_CASE(take_an_error_without_id_that_refuses_their_post_for_their_reply)
{
    for (const int status : {400, 404, 500}) {
        const std::string error = R"({"code":-32020,"message":"no","data":{"a":[1]}})";
        fickle_server server(context,
                             always(json_answer(status, R"({"jsonrpc":"2.0","id":null,"error":)" + error + "}")));
        http::client client = client_of(server.address());
        outcome one;
        outcome other;
        client.call("x")(one.handler());
        client.call("x")(other.handler());
        wait(one), wait(other);
        for (const outcome* each : {&one, &other}) {
            BOOST_TEST(!each->code);
            BOOST_TEST_REQUIRE(each->said.error());
            BOOST_TEST(each->said.error()->code == -32020);
            BOOST_TEST(each->said.error()->message == "no");
            BOOST_TEST(boost::json::serialize(each->said.error()->data.value()) == R"({"a":[1]})");
        }
    }
}

// Whoever is known may ask, and be refused: the error is the reply, whatever else the status has to say.
BOOST_AUTO_TEST_CASE(take_the_error_of_a_403_for_their_reply_also_beside_a_challenge)
{
    for (const char* const id : {"1", "null"}) {
        for (const char* const field : {"", "WWW-Authenticate: Bearer error=\"insufficient_scope\"\r\n"}) {
            std::string answer = json_answer(403, R"({"jsonrpc":"2.0","id":)" + std::string(id) +
                                                      R"(,"error":{"code":-31003,"message":"Insufficient scope"}})");
            answer.insert(answer.find("\r\n") + 2, field);
            fickle_server server(context, always(answer));
            http::client client = client_of(server.address());
            outcome one;
            client.call("x")(one.handler());
            wait(one);
            BOOST_TEST_CONTEXT(answer)
            {
                BOOST_TEST(!one.code);
                BOOST_TEST_REQUIRE(one.said.error());
                BOOST_TEST(one.said.error()->code == -31003);
            }
        }
    }
}

// Who was not let in has asked nothing yet.
BOOST_AUTO_TEST_CASE(take_nothing_for_a_reply_of_one_who_wants_to_know_first_who_asks)
{
    const auto details = [this](const std::string& answer) {
        fickle_server server(context, always(answer));
        http::client client = client_of(server.address());
        outcome one;
        client.call("x")(one.handler());
        wait(one);
        BOOST_TEST((one.code == errc::http_status));
        return one.said.details();
    };
    const auto details_of = [&](int status, const std::string& field, const std::string& body) {
        std::string answer = json_answer(status, body);
        answer.insert(answer.find("\r\n") + 2, field + "\r\n");
        return details(answer);
    };
    const std::string error = R"({"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"no token"}})";
    std::string unended = json_answer(401, error);
    unended.pop_back();
    BOOST_TEST(details(unended) == "HTTP status 401");
    BOOST_TEST(details_of(401, "WWW-Authenticate: Bearer realm=\"x\"", error) ==
               "HTTP status 401, WWW-Authenticate: Bearer realm=\"x\": " + error);
    BOOST_TEST(details_of(401, "WWW-Authenticate: Bearer\r\nwww-authenticate: Basic", "{}") ==
               "HTTP status 401, WWW-Authenticate: Bearer, Basic: {}");
    BOOST_TEST(details_of(407, "Proxy-Authenticate: Basic", R"({"jsonrpc":"2.0","id":1,"result":1})") ==
               R"(HTTP status 407, Proxy-Authenticate: Basic: {"jsonrpc":"2.0","id":1,"result":1})");
    BOOST_TEST(details_of(403, "WWW-Authenticate: Bearer scope=\"y\"", "{}") ==
               "HTTP status 403, WWW-Authenticate: Bearer scope=\"y\": {}");
}

// Such an answer can be read before the turn of the conversation is over in which the request was sent.
BOOST_AUTO_TEST_CASE(are_answered_however_soon_that_is)
{
    constexpr int count = 300;
    asio::io_context others;
    asio::ip::tcp::acceptor acceptor(others, {asio::ip::make_address("127.0.0.1"), 0});
    std::jthread server([&] {
        asio::ip::tcp::socket socket = acceptor.accept();
        std::string read;
        for (int id = 1; id <= count; ++id) {
            read.erase(0, asio::read_until(socket, asio::dynamic_buffer(read), "}"));
            const std::string reply = R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"result":1})";
            asio::write(socket, asio::buffer(json_answer(200, reply)));
        }
    });
    http::client client = client_of("http://127.0.0.1:" + std::to_string(acceptor.local_endpoint().port()) + "/");
    for (int id = 1; id <= count; ++id) {
        outcome one;
        client.call("x")(one.handler());
        wait(one);
        BOOST_TEST_REQUIRE(!one.code, "call " << id << ": " << one.code.message());
    }
}

BOOST_AUTO_TEST_CASE(are_sent_once)
{
    fickle_server server(context, always(""), after_answer::close);
    http::client client = client_of(server.address());
    outcome one;
    client.call("x")(one.handler());
    wait(one);
    outcome other; // behind which nothing of the first one can come
    client.call("x")(other.handler());
    wait(other);
    BOOST_TEST(server.count("POST") == 2);
}

BOOST_AUTO_TEST_CASE(end_with_their_client)
{
    outcome one;
    outcome other;
    {
        http::client client = client_of(begin());
        client.call("forever")(one.handler());
        run_until([&] { return waiting == 1; });
        client.call("add", args(1, 1))(other.handler());
    }
    wait(one), wait(other);
    BOOST_TEST((one.code == errc::session_closed));
    run_until([&] { return cancelled == 1; });
}

BOOST_AUTO_TEST_CASE(go_on_to_their_end_where_it_closes)
{
    http::client client = client_of(begin());
    outcome one;
    outcome late;
    client.call("count", args(5))(one.handler());
    run_until([&] { return client.counters().messages_out == 1; });
    client.close();
    run_until([&] { return one.is_there(); });
    client.call("add", args(1, 1))(late.handler());
    wait(late);
    BOOST_TEST(!one.code);
    BOOST_TEST((late.code == errc::session_closed));
}

BOOST_AUTO_TEST_CASE(leave_no_connection_behind_where_it_has_closed)
{
    http::client_options how;
    how.idle_timeout = 1h;
    http::client client = client_of(begin(), how);
    outcome one;
    client.call("add", args(2, 40))(one.handler());
    wait(one);
    BOOST_TEST(served().connections() == 1u);
    client.close();
    run_until([this] { return served().connections() == 0; });
}

BOOST_AUTO_TEST_CASE(go_with_their_context)
{
    outcome one;
    {
        asio::io_context other;
        test::fickle_server silent(other, [](const test::asked_request&) { return std::string(); });
        http::client client(other.get_executor(), silent.address());
        client.call("x")(one.handler());
        test::run_until(other, [&] { return silent.count("POST x") == 1; });
    }
    BOOST_TEST(!one.is_there()); // its handler was destroyed
}

BOOST_AUTO_TEST_CASE(and_what_was_told_before_are_sent_where_it_closes_at_once)
{
    http::client_options how;
    how.session.close_timeout = 1h;
    http::client client = client_of(begin(), std::move(how));
    for (int i = 0; i != 1000; ++i)
        client.notify("tell", args(i))([](error_code, auto) {});
    client.close();
    run_until([&] { return waiting == 1000; });
}

BOOST_AUTO_TEST_CASE(and_what_was_told_are_logged_where_no_answer_comes_in_the_time_to_close)
{
    fickle_server silent(context, [](const asked_request&) { return std::string(); });
    http::client_options how;
    how.session.close_timeout = 50ms;
    http::client client = client_of(silent.address(), std::move(how));
    client.notify("tell", args(1))([](error_code, auto) {});
    run_until([&] { return silent.count("POST tell") == 1; });
    client.close();
    run_until([&] { return !logged.empty(); });
    BOOST_TEST(logged.front() == "the time to close was over; messages to a server over HTTP that had no answer: 1");
}

// The POST itself waits half a minute, which is longer than this test waits.
BOOST_AUTO_TEST_CASE(end_where_no_answer_comes_in_the_time_to_close)
{
    fickle_server silent(context, [](const asked_request&) { return std::string(); });
    http::client_options how;
    how.session.executor_is_serial = true;
    how.session.close_timeout = 50ms;
    session client = http::open_session(context.get_executor(), silent.address(), std::move(how));
    std::optional<error_code> end;
    client.async_run([&](error_code why) { end = why; });
    client.notify("tell", args(1))([](error_code, auto) {});
    run_until([&] { return silent.count("POST tell") == 1; });
    client.close();
    run_until([&] { return end.has_value(); });
    BOOST_TEST(!*end);
}

BOOST_AUTO_TEST_CASE(are_not_made_to_what_is_no_address)
{
    for (const char* bad : {"", "example.org", "ftp://x", "ws://x/", "https://x/", "http://user@x/", "http://x:99999/"})
        BOOST_CHECK_THROW(client_of(bad), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(are_not_made_with_what_no_client_can_work_with)
{
    http::client_options none;
    none.connections = 0;
    BOOST_CHECK_THROW(client_of("http://127.0.0.1:1/", none), std::invalid_argument);
    http::client_options stuck;
    stuck.session.bounds.outbox_hard_bytes = 1;
    BOOST_CHECK_THROW(client_of("http://127.0.0.1:1/", stuck), std::invalid_argument);
    http::client_options mute;
    mute.session.profile = nullptr;
    BOOST_CHECK_THROW(client_of("http://127.0.0.1:1/", mute), std::invalid_argument);
    http::client_options twice;
    twice.fields.emplace_back("accept", "text/plain");
    BOOST_CHECK_THROW(client_of("http://127.0.0.1:1/", twice), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
