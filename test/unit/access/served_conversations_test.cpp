// Conversations over HTTP that last, and an access file that changes meanwhile.

#include "gate_fixture.hpp"
#include "http_fixture.hpp"
#include "support/websocket_client.hpp"

#include <partyline/http.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <ctime>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include <unistd.h>

using namespace partyline::access;
using namespace std::chrono_literals;
using partyline::error_code;
using partyline::test::http_client;
using partyline::test::http_fixture;
using partyline::test::websocket_client;
namespace asio = boost::asio;
namespace http = partyline::http;

namespace {

std::string time_text(std::chrono::system_clock::time_point at)
{
    const std::time_t seconds = std::chrono::system_clock::to_time_t(at);
    char text[32];
    return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&seconds))};
}

std::string call(std::string_view method)
{
    return R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + "\"}";
}

const std::string done = R"({"jsonrpc":"2.0","id":1,"result":"done"})";

struct served_gate : http_fixture {
    served_gate()
    {
        options.session.executor_is_serial = true;
        options.access = gate;
        partyline::method_table methods;
        methods.add("build", [] { return "done"; });
        methods.add("deploy", [] { return "done"; });
        const auto shared = std::make_shared<const partyline::method_table>(std::move(methods));
        served().add_rpc("/rpc", shared);
        served().add_websocket("/ws", shared);
        served().add_sessions(shared);
        start();
        http::accepted_protocols accepted;
        accepted.http = false;
        accepted.lines = true;
        served().listen_unix(socket_path(), accepted);
    }

    // The file, in which the token "ci" is known, with these members besides.
    static std::string text(std::string_view rules = R"({"methods": ["*"]})", std::string_view more = {})
    {
        return R"({"tokens": [{"principal": "ci", "sha256": ")" + gate_fixture::sha256("ci") + '"' + std::string(more) +
               R"(}], "users": [{"principal": "local", "uid": )" + std::to_string(::geteuid()) + R"(}], "rules": [)" +
               std::string(rules) + "]}";
    }
    void change(std::string_view to)
    {
        file.write(to);
        gate->reload();
    }
    std::string socket_path() const { return file.path() + ".socket"; }
    websocket_client opened()
    {
        websocket_client client(context, port());
        client.open("/ws", bearer);
        return client;
    }
    void check_end(websocket_client& client) { BOOST_TEST(client.next().code() == 1008U); }

    static constexpr std::string_view bearer = "Authorization: Bearer ci\r\n";
    const scratch_file file{text()};
    const std::shared_ptr<partyline::access::gate> gate = std::make_shared<partyline::access::gate>(file.path());
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(served_conversations_suite, served_gate, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(a_websocket_ends_when_its_token_is_removed)
{
    websocket_client client = opened();
    client.say(call("build"));
    BOOST_TEST(client.next_text() == done);
    change(R"({"rules": [{"methods": ["*"]}]})");
    check_end(client);
    websocket_client late(context, port());
    BOOST_TEST(late.ask("/ws", bearer).status == 401);
}

BOOST_AUTO_TEST_CASE(a_websocket_ends_when_its_token_expires)
{
    websocket_client client = opened();
    client.say(call("build"));
    BOOST_TEST(client.next_text() == done);
    const auto until = std::chrono::system_clock::now() + 2s;
    change(text(R"({"methods": ["*"]})", R"(, "until": ")" + time_text(until) + '"'));
    check_end(client);
    BOOST_TEST((std::chrono::system_clock::now() >= until - 1s));
    http_client post = connect();
    BOOST_TEST(post.ask("/rpc", call("build"), bearer).status == 401);
}

BOOST_AUTO_TEST_CASE(a_broken_file_changes_nothing)
{
    websocket_client client = opened();
    file.write("{");
    BOOST_CHECK_THROW(gate->reload(), std::runtime_error);
    for (int turn = 0; turn < 3; ++turn) {
        client.say(call("build"));
        BOOST_TEST(client.next_text() == done);
    }
    http_client post = connect();
    BOOST_TEST(post.ask("/rpc", call("build"), bearer).body == done);
}

BOOST_AUTO_TEST_CASE(changed_rules_hold_in_conversations_that_go_on)
{
    websocket_client client = opened();
    client.say(call("deploy"));
    BOOST_TEST(client.next_text() == done);
    change(text(R"({"methods": ["build"]})"));
    std::string told = done;
    while (told == done) {
        client.say(call("deploy"));
        told = client.next_text();
    }
    BOOST_TEST(told.find("-32601") != told.npos);
    client.say(call("build"));
    BOOST_TEST(client.next_text() == done);
}

BOOST_AUTO_TEST_CASE(a_session_of_a_user_ends_when_the_user_is_removed)
{
    asio::local::stream_protocol::socket socket(context);
    socket.connect(asio::local::stream_protocol::endpoint(socket_path()));
    asio::write(socket, asio::buffer(call("build") + '\n'));
    socket.non_blocking(true);
    std::string all;
    error_code failed;
    const auto read = [&] {
        char room[4096];
        all.append(room, socket.read_some(asio::buffer(room), failed));
    };
    run_until([&] { return read(), all == done + '\n'; });
    change(R"({"rules": [{"methods": ["*"]}]})");
    run_until([&] { return read(), failed && failed != asio::error::would_block; });
    BOOST_TEST(all == done + '\n');
}

BOOST_AUTO_TEST_CASE(a_thousand_reloads_under_load_fail_nobody)
{
    websocket_client client = opened();
    http_client post = connect();
    for (int turn = 0; turn < 1000; ++turn) {
        change(text(turn % 2 == 0 ? R"({"methods": ["build"]})" : R"({"methods": ["*"]})"));
        client.say(call("build"));
        BOOST_TEST_REQUIRE(client.next_text() == done);
        BOOST_TEST_REQUIRE(post.ask("/rpc", call("build"), bearer).body == done);
    }
}

BOOST_AUTO_TEST_SUITE_END()
