// http::websocket_client and a server of ours, or one that is scripted.

#include "http/websocket/websocket_upgrade.hpp"
#include "http_fixture.hpp"
#include "support/outcome.hpp"
#include "support/websocket_frames.hpp"

#include <partyline/http.hpp>
#include <partyline/rpc/args.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

using namespace std::chrono_literals;
using namespace partyline;
using partyline::test::http_fixture;
using partyline::test::outcome;
namespace asio = boost::asio;

namespace {

struct two_sided_fixture : http_fixture {
    two_sided_fixture() { options.session.executor_is_serial = true; }

    int asked = 0;
    std::optional<error_code> client_end;

    std::shared_ptr<const method_table> server_methods()
    {
        auto methods = std::make_shared<method_table>();
        methods->add("add", [](int a, int b) { return a + b; });
        methods->add("echo", [](boost::json::value params) { return params; });
        methods->add("ask_back", [](request_context& own, int number) { return ask_back(own, number); });
        return methods;
    }
    std::shared_ptr<const method_table> client_methods()
    {
        auto methods = std::make_shared<method_table>();
        methods->add("double", [this](int number) { return ++asked, 2 * number; });
        methods->add("hang", [](request_context& own) { return hang(own); });
        return methods;
    }
    std::string begin()
    {
        served().add_websocket("/ws", server_methods());
        start();
        return "ws://127.0.0.1:" + std::to_string(port()) + "/ws";
    }
    session client_of(const std::string& address, http::client_options how = {})
    {
        how.session.executor_is_serial = true;
        return http::websocket_client(context.get_executor(), address, client_methods(), std::move(how));
    }
    void run(session& one)
    {
        one.async_run([this](error_code failed) { client_end = failed; });
    }
    void wait(outcome& one)
    {
        run_until([&] { return one.is_there(); });
    }

private:
    static task<int> hang(request_context& own)
    {
        asio::steady_timer never(own.get_executor(), asio::steady_timer::time_point::max());
        co_await never.async_wait(asio::deferred);
        co_return 0;
    }
    static task<int> ask_back(request_context& own, int number)
    {
        const call_params question = args(number);
        auto answer = co_await own.call<int>("double", question)(asio::deferred);
        co_return std::move(answer).value() + 1;
    }
};

// Answers the first request of a connection with these bytes, and has "KEY" in them replaced with what its key makes.
class scripted_socket {
public:
    scripted_socket(asio::io_context& context, std::string bytes)
        : acceptor_(context, {asio::ip::make_address("127.0.0.1"), 0}), socket_(context), answer_(std::move(bytes))
    {
        acceptor_.async_accept(socket_, [this](error_code failed) {
            if (!failed) // else this may be gone
                asio::async_read_until(socket_, asio::dynamic_buffer(read_), "\r\n\r\n",
                                       [this](error_code ended, std::size_t) {
                                           if (!ended)
                                               answer();
                                       });
        });
    }
    std::string address() const { return "ws://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()) + "/"; }
    bool is_asked() const { return is_asked_; }
    /// What has come after the request, where the client has closed the connection.
    std::string read_to_end()
    {
        error_code ended;
        socket_.non_blocking(false);
        asio::read(socket_, asio::dynamic_buffer(rest_), ended);
        return rest_;
    }

private:
    void answer()
    {
        is_asked_ = true;
        if (const std::size_t at = answer_.find("KEY"); at != answer_.npos)
            answer_.replace(at, 3, http::accept_value(key()));
        error_code ignored;
        asio::write(socket_, asio::buffer(answer_), ignored);
    }
    std::string key() const
    {
        const std::string name = "Sec-WebSocket-Key: ";
        const std::size_t from = read_.find(name) + name.size();
        return read_.substr(from, read_.find('\r', from) - from);
    }

    asio::ip::tcp::acceptor acceptor_;
    asio::ip::tcp::socket socket_;
    std::string answer_;
    std::string read_;
    std::string rest_;
    bool is_asked_ = false;
};

// What a server says that goes on by WebSocket.
std::string opening(const std::string& fields = {})
{
    return "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: KEY\r\n" + fields +
           "\r\n";
}

std::string closing_frame(const std::string& said)
{
    using namespace websocket_frames;
    return bytes_of({.type = 8, .content = said, .masked = mask::none});
}

// ... and closes with this.
std::string closing(const std::string& said, const std::string& before = {})
{
    return opening() + before + closing_frame(said);
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_websocket_client, two_sided_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(calls_and_is_called)
{
    session client = client_of(begin());
    outcome early; // before it runs
    client.call("add", args(1, 2))(early.handler());
    run(client);
    outcome other;
    client.call("ask_back", args(20))(other.handler());
    wait(early), wait(other);
    BOOST_TEST(early.said.value().text() == "3");
    BOOST_TEST(other.said.value().text() == "41");
    BOOST_TEST(asked == 1);
    client.close();
    run_until([&] { return client_end.has_value(); });
    BOOST_TEST(!*client_end);
    run_until([&] { return served().connections() == 0; });
}

BOOST_AUTO_TEST_CASE(takes_what_is_long)
{
    session client = client_of(begin());
    run(client);
    const std::string text(3'000'000, 'x');
    outcome one;
    outcome two;
    client.call("echo", args(text))(one.handler());
    client.call("echo", args(text))(two.handler());
    wait(one), wait(two);
    BOOST_TEST((one.said.value().text() == "[\"" + text + "\"]"));
    BOOST_TEST((two.said.value().text() == "[\"" + text + "\"]"));
}

BOOST_AUTO_TEST_CASE(ends_where_its_server_does)
{
    session client = client_of(begin());
    run(client);
    outcome one;
    client.call("add", args(1, 2))(one.handler());
    wait(one);
    served().close();
    run_until([&] { return client_end && ended; });
    BOOST_TEST(!*client_end);
    BOOST_TEST(!*ended);
}

BOOST_AUTO_TEST_CASE(fails_with_what_became_of_connecting)
{
    const auto end_of = [this](const std::string& address) {
        client_end.reset();
        session client = client_of(address);
        outcome one;
        client.call("x")(one.handler());
        run(client);
        wait(one);
        run_until([&] { return client_end.has_value(); });
        BOOST_TEST(one.code == *client_end);
        return *client_end;
    };
    BOOST_TEST(end_of("ws://127.0.0.1:1/") == asio::error::connection_refused);
    const std::string address = begin();
    BOOST_TEST((end_of(address + "/nowhere") == errc::http_status));
    const std::string start = "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n";
    for (const std::string& answer :
         {std::string("SSH-2.0-x\r\n\r\n"), start + "Sec-WebSocket-Accept: x\r\n\r\n", start + "\r\n",
          std::string("HTTP/1.1 101 X\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n")}) {
        scripted_socket server(context, answer);
        BOOST_TEST((end_of(server.address()) == errc::bad_reply));
    }
    scripted_socket page(context, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    BOOST_TEST((end_of(page.address()) == errc::http_status));
}

BOOST_AUTO_TEST_CASE(tells_what_became_of_connecting)
{
    const auto details_of = [this](const std::string& address) {
        client_end.reset();
        session client = client_of(address);
        std::string details;
        client.call<int>("x", args(1))([&](error_code, const call_result<int>& result) { details = result.details(); });
        run(client);
        run_until([&] { return client_end.has_value() && !details.empty(); });
        return details;
    };
    BOOST_TEST(details_of("ws://127.0.0.1:1/") == "can not connect to 127.0.0.1:1");
    BOOST_TEST(details_of(begin() + "/nowhere") == "HTTP status 404 in place of WebSocket");
    const std::string start = "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: keep-alive\r\n";
    scripted_socket unwilling(context, start + "Sec-WebSocket-Accept: x\r\n\r\n");
    BOOST_TEST(details_of(unwilling.address()) == "the answer does not say that it goes on by WebSocket");
    scripted_socket wrong(context, start + "Connection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n"); // one list
    BOOST_TEST(details_of(wrong.address()) == "Sec-WebSocket-Accept is not what the key makes");
}

BOOST_AUTO_TEST_CASE(tells_its_calls_and_the_log_why_its_server_has_closed)
{
    const auto details_of = [this](const std::string& said) {
        client_end.reset();
        logged.clear();
        scripted_socket server(context, closing(said));
        http::client_options how;
        how.session.log = [this](std::string_view line) { logged.emplace_back(line); };
        session client = client_of(server.address(), std::move(how));
        outcome one;
        client.call("x")(one.handler());
        run(client);
        wait(one);
        run_until([&] { return client_end.has_value(); });
        BOOST_TEST((one.code == errc::peer_closed));
        BOOST_TEST((*client_end == errc::peer_closed));
        BOOST_TEST(logged == (one.said.details().empty() ? std::vector<std::string>()
                                                         : std::vector<std::string>{one.said.details()}));
        return one.said.details();
    };
    const std::string why = "the peer has closed the connection: ";
    BOOST_TEST(details_of("\x03\xf0token expired") == why + "1008 \"token expired\"");
    BOOST_TEST(details_of("\x0f\xa0\x1b[2J") == why + "4000 \"\\u001b[2J\"");
    BOOST_TEST(details_of("\x03\xf3") == why + "1011");
    BOOST_TEST(details_of("\x03\xe9"
                          "bye") == ""); // 1001, in order
    BOOST_TEST(details_of("") == "");
}

BOOST_AUTO_TEST_CASE(tells_calls_that_come_too_late_why_its_server_has_closed)
{
    const std::string asks =
        websocket_frames::text(R"({"jsonrpc":"2.0","id":1,"method":"hang"})", websocket_frames::mask::none);
    scripted_socket server(context, closing("\x03\xf0late", asks));
    session client = client_of(server.address());
    run(client);
    run_until([&] { return client_end.has_value(); });
    outcome one;
    client.call("x")(one.handler());
    wait(one);
    BOOST_TEST((one.code == errc::peer_gone));
    BOOST_TEST(one.said.details() == "the peer has closed the connection: 1008 \"late\"");
}

// A close that is not in order is a failure of the session, whether or not a call waits.
BOOST_AUTO_TEST_CASE(fails_where_its_server_has_closed_out_of_order_and_nothing_was_asked)
{
    const auto end_of = [this](const std::string& said) {
        client_end.reset();
        scripted_socket server(context, closing(said));
        session client = client_of(server.address());
        run(client);
        run_until([&] { return client_end.has_value(); });
        return *client_end;
    };
    BOOST_TEST((end_of("\x03\xf0token expired") == errc::peer_closed));
    BOOST_TEST((end_of("\x03\xf3") == errc::peer_closed));
    BOOST_TEST(!end_of("\x03\xe8"));
    BOOST_TEST(!end_of(""));
}

// The server, which never closes its side, has no longer than `close_timeout`.
BOOST_AUTO_TEST_CASE(ends_in_time_by_a_close_frame_where_it_closes)
{
    scripted_socket server(context, opening());
    http::client_options how;
    how.session.close_timeout = 500ms;
    bool is_open = false;
    how.on_subprotocol = [&](const std::string&) { is_open = true; };
    session client = client_of(server.address(), std::move(how));
    run(client);
    run_until([&] { return is_open; });
    client.close();
    run_until([&] { return client_end.has_value(); });
    BOOST_TEST(!*client_end);
    const std::string heard = server.read_to_end();
    BOOST_TEST_REQUIRE(heard.size() == 8u); // a head of two bytes, the mask, the code
    BOOST_TEST(heard.substr(0, 2) == "\x88\x82");
}

BOOST_AUTO_TEST_CASE(tells_which_subprotocol_its_server_has_chosen)
{
    const auto chosen_by = [this](const std::string& field) {
        client_end.reset();
        scripted_socket server(context, opening(field) + closing_frame(""));
        std::optional<std::string> chosen;
        http::client_options how;
        how.session.executor_is_serial = true;
        how.on_subprotocol = [&](const std::string& name) { chosen = name; };
        session client =
            http::websocket_client(context.get_executor(), server.address(), std::move(how), {"v2.jsonrpc", "jsonrpc"});
        run(client);
        run_until([&] { return client_end.has_value(); });
        return chosen;
    };
    BOOST_TEST((chosen_by("Sec-WebSocket-Protocol: jsonrpc\r\n") == "jsonrpc"));
    BOOST_TEST(!*client_end);
    BOOST_TEST((chosen_by("") == ""));
    BOOST_TEST(!*client_end);
    BOOST_TEST((chosen_by("Sec-WebSocket-Protocol: v3.jsonrpc\r\n") == std::nullopt));
    BOOST_TEST((*client_end == errc::bad_reply));
}

BOOST_AUTO_TEST_CASE(ends_where_its_user_refuses_the_subprotocol)
{
    const auto end_of = [this](const std::function<void(const std::string&)>& refuse) {
        client_end.reset();
        scripted_socket server(context, opening());
        http::client_options how;
        how.on_subprotocol = refuse;
        session client = client_of(server.address(), std::move(how));
        run(client);
        run_until([&] { return client_end.has_value(); });
        return *client_end;
    };
    BOOST_TEST((end_of([](const std::string&) { throw boost::system::system_error(errc::refused); }) == errc::refused));
    BOOST_TEST((end_of([](const std::string&) { throw std::runtime_error("no"); }) == errc::session_failed));
}

BOOST_AUTO_TEST_CASE(gives_up_a_server_that_does_not_answer)
{
    scripted_socket silent(context, "");
    http::client_options how;
    how.connect_timeout = 300ms;
    session client = client_of(silent.address(), how);
    run(client);
    run_until([&] { return client_end.has_value(); });
    BOOST_TEST((*client_end == errc::timeout));
}

BOOST_AUTO_TEST_CASE(can_be_stopped_while_it_connects)
{
    scripted_socket silent(context, "");
    {
        session client = client_of(silent.address());
        run(client);
        run_until([&] { return silent.is_asked(); });
        client.stop();
        run_until([&] { return client_end.has_value(); });
        BOOST_TEST(*client_end == asio::error::operation_aborted);
    }
    scripted_socket other(context, "");
    client_end.reset();
    {
        session client = client_of(other.address());
        run(client);
        run_until([&] { return other.is_asked(); });
    }
    run_until([&] { return client_end.has_value(); });
    BOOST_TEST(*client_end == asio::error::operation_aborted);
}

BOOST_AUTO_TEST_CASE(can_be_stopped_in_each_turn_of_connecting)
{
    begin();
    bool is_connected = false; // and nothing is left to do
    for (int turns = 0; !is_connected; ++turns) {
        BOOST_TEST_REQUIRE(turns < 1000);
        client_end.reset();
        session client = client_of("ws://127.0.0.1:" + std::to_string(port()) + "/ws");
        run(client);
        for (int turn = 0; turn != turns && !is_connected; ++turn)
            is_connected = context.run_one_for(100ms) == 0;
        client.stop();
        run_until([&] { return client_end.has_value(); });
        BOOST_TEST(*client_end == asio::error::operation_aborted);
    }
    run_until([&] { return served().connections() == 0; });
}

BOOST_AUTO_TEST_CASE(is_not_made_for_what_is_no_address_of_its_kind)
{
    for (const char* bad : {"", "http://x/", "wss://x/", "ws://x/#y"})
        BOOST_CHECK_THROW(client_of(bad), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
