// Sessions without HTTP, and HTTP over a Unix socket, whose peers are known by their connection.

#include "serve/rpc_fixture.hpp"
#include "support/fake_access.hpp"
#include "support/scratch_directory.hpp"

#include <partyline/http.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include <unistd.h>

using namespace partyline;
using partyline::test::bearer;
using partyline::test::fake_access;
using partyline::test::fake_view;
using partyline::test::http_client;
using partyline::test::rpc_fixture;
using auth = partyline::authentication_outcome;
namespace asio = boost::asio;

namespace {

std::string headed(const std::string& text)
{
    return "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text;
}

std::string posted(const std::string& text, const std::string& fields = {})
{
    return "POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n" + fields +
           headed(text);
}

struct session_access_fixture : rpc_fixture {
    session_access_fixture()
    {
        options.session.executor_is_serial = true;
        options.access = access;
        access->refuse({}, auth::missing);
        methods.add("open", [this] { return ++served_calls; });
        methods.add("hidden", [this] { return ++served_calls; });
        methods.add("who", [](request_context& own) {
            const peer_identity& peer = own.peer();
            const std::string user = peer.local ? std::to_string(peer.local->user) : "";
            return peer.source + '/' + peer.principal + '/' + user + (peer.address ? "/tcp" : "");
        });
    }

    // Returns the port.
    std::uint16_t begin()
    {
        const auto shared = std::make_shared<const method_table>(std::move(methods));
        served().add_rpc("/rpc", shared);
        served().add_sessions(shared);
        start();
        http::accepted_protocols accepted;
        accepted.lines = accepted.content_length = true;
        accepted.proxy_protocol = proxied;
        served().listen_unix(path, accepted);
        accepted.proxy_protocol = false;
        return served().listen_tcp("127.0.0.1", 0, accepted).port();
    }
    static std::shared_ptr<const fake_view> without_hidden()
    {
        return partyline::test::allow_others({{"hidden", access_answer::hidden}});
    }
    // All that comes of a Unix socket to which this is sent, until that has come, or the end.
    std::string ask_unix(const std::string& sent, std::string_view until)
    {
        asio::local::stream_protocol::socket socket(context);
        socket.connect(asio::local::stream_protocol::endpoint(path));
        asio::write(socket, asio::buffer(sent));
        socket.non_blocking(true);
        std::string all;
        run_until([&] {
            char room[4096];
            error_code failed;
            all.append(room, socket.read_some(asio::buffer(room), failed));
            return all.find(until) != all.npos || (failed && failed != asio::error::would_block);
        });
        return all;
    }
    std::size_t count_logged(std::string_view part) const
    {
        return static_cast<std::size_t>(std::count_if(
            logged.begin(), logged.end(), [&](const std::string& line) { return line.find(part) != line.npos; }));
    }

    const std::shared_ptr<fake_access> access = std::make_shared<fake_access>();
    int served_calls = 0;
    bool proxied = false; // at the Unix socket

    test::scratch_directory directory;
    const std::string path = (directory / "socket").string();
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_session_access, session_access_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(who_is_not_admitted_is_closed_and_the_log_told_once)
{
    const std::uint16_t port = begin();
    for (const std::string& sent : {call(1, "open") + '\n', headed(call(1, "open")), call(1, "open") + '\n'}) {
        http_client client(context, port);
        client.send(sent);
        BOOST_TEST(client.is_closed());
    }
    BOOST_TEST(ask_unix(call(1, "open") + '\n', "\n").empty());
    BOOST_TEST(served_calls == 0);
    BOOST_TEST(access->attempts() == 4u);
    BOOST_TEST(count_logged("refused a connection from 127.0.0.1: it has shown no credentials") == 1u);
    BOOST_TEST(count_logged("refused a connection") == 1u);
}

BOOST_AUTO_TEST_CASE(what_is_sent_in_a_session_is_no_credential)
{
    access->admit("alice", "alice");
    const std::uint16_t port = begin();
    http_client client(context, port);
    client.send(bearer("alice") + headed(call(1, "open")));
    BOOST_TEST(client.read_to_end().find("result") == std::string::npos);
    BOOST_TEST(served_calls == 0);
}

BOOST_AUTO_TEST_CASE(who_is_admitted_is_known_and_judged)
{
    access->admit_others(without_hidden());
    const std::uint16_t port = begin();
    http_client client(context, port);
    const std::string told = reply(1, R"("token/anonymous//tcp")") + '\n';
    client.send(call(1, "who") + '\n');
    BOOST_TEST(client.read_bytes(told.size()) == told);
    BOOST_TEST(access->last_peer().address.has_value());
    client.send(call(2, "hidden") + '\n');
    BOOST_TEST(client.read_bytes(50).find("-32601") != std::string::npos);
    BOOST_TEST(served_calls == 0);
}

BOOST_AUTO_TEST_CASE(the_user_of_a_unix_socket_is_asked_for)
{
    access->admit_others();
    begin();
    const std::string told = "token/anonymous/" + std::to_string(::geteuid()) + '"';
    BOOST_TEST(ask_unix(call(1, "who") + '\n', told).find(told) != std::string::npos);
    BOOST_TEST_REQUIRE(access->last_peer().local.has_value());
    BOOST_TEST(access->last_peer().local->user == ::geteuid());
    BOOST_TEST(access->last_peer().local->process == ::getpid());
    BOOST_TEST(access->last_peer().principal.empty());
    BOOST_TEST(ask_unix(headed(call(1, "who")), told).find(told) != std::string::npos);
}

BOOST_AUTO_TEST_CASE(http_over_a_unix_socket_has_the_user_where_no_token_is_shown)
{
    access->admit_others();
    access->admit("alice", "alice");
    begin();
    const std::string user = std::to_string(::geteuid()) + '"';
    const std::string of_user = ask_unix(posted(call(1, "who")), "token/anonymous/" + user);
    BOOST_TEST(of_user.starts_with("HTTP/1.1 200 "));
    BOOST_TEST(of_user.ends_with("token/anonymous/" + user + '}'));
    BOOST_TEST_REQUIRE(access->last_peer().local.has_value());
    BOOST_TEST(access->last_peer().local->user == ::geteuid());
    const std::string fields = bearer("alice");
    BOOST_TEST(ask_unix(posted(call(1, "who"), fields), "token/alice/" + user).ends_with("token/alice/" + user + '}'));
    const std::string wrong = ask_unix(posted(call(1, "who"), bearer("bob")), "no such thing");
    BOOST_TEST(wrong.starts_with("HTTP/1.1 401 ")); // also where the user would do
}

BOOST_AUTO_TEST_CASE(the_user_of_a_proxy_is_not_that_of_its_clients)
{
    access->admit_others();
    proxied = true;
    options.allowed_hosts = {"localhost"};
    begin();
    const std::string told = "token/anonymous//tcp\"";
    for (const std::string head : {"PROXY TCP4 192.0.2.7 192.0.2.1 4000 80\r\n", "PROXY UNKNOWN\r\n"}) {
        for (const std::string& sent : {call(1, "who") + '\n', posted(call(1, "who"))}) {
            BOOST_TEST(ask_unix(head + sent, told).find(told) != std::string::npos);
            BOOST_TEST(!access->last_peer().local.has_value());
        }
    }
}

// rule: security.access.end
BOOST_AUTO_TEST_CASE(a_session_ends_with_the_access_of_its_peer)
{
    access->admit_others();
    const std::uint16_t port = begin();
    http_client lines(context, port);
    http_client headers(context, port);
    lines.send(call(1, "open") + '\n');
    BOOST_TEST(lines.read_bytes(reply(1, "1").size() + 1) == reply(1, "1") + '\n');
    headers.send(headed(call(1, "open")));
    BOOST_TEST(headers.read_bytes(headed(reply(1, "2")).size()) == headed(reply(1, "2")));
    access->refuse({}, auth::expired);
    BOOST_TEST(lines.is_closed());
    BOOST_TEST(headers.is_closed());
    lines.send(call(2, "open") + '\n');
    BOOST_TEST(served_calls == 2);
}

BOOST_AUTO_TEST_CASE(a_handler_under_way_is_answered_when_access_ends)
{
    access->admit_others();
    const std::uint16_t port = begin();
    http_client client(context, port);
    client.send(call(1, "wait") + '\n');
    run_until([&] { return waiting == 1; });
    access->refuse({}, auth::invalid);
    std::string told;
    for (int id = 2; told.find("-31005") == told.npos; ++id) { // before the tick they are served
        client.send(call(id, "open") + '\n');
        for (told.clear(); !told.ends_with('\n'); told += client.read_bytes(1)) {
        }
    }
    release();
    BOOST_TEST(client.read_to_end() == reply(1, "7") + '\n');
}

BOOST_AUTO_TEST_CASE(a_session_whose_rights_change_goes_on)
{
    access->admit_others();
    const std::uint16_t port = begin();
    http_client client(context, port);
    client.send(call(1, "hidden") + '\n');
    BOOST_TEST(client.read_bytes(reply(1, "1").size() + 1) == reply(1, "1") + '\n');
    access->admit_others(without_hidden());
    std::string told;
    for (int id = 2; told.find("-32601") == told.npos; ++id) {
        client.send(call(id, "hidden") + '\n');
        for (told.clear(); !told.ends_with('\n'); told += client.read_bytes(1)) {
        }
    }
    client.send(call(0, "who") + '\n');
    const std::string who = reply(0, R"("token/anonymous//tcp")") + '\n';
    BOOST_TEST(client.read_bytes(who.size()) == who);
}

BOOST_AUTO_TEST_SUITE_END()
