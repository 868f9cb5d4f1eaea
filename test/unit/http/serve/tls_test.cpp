// A server over TLS: every protocol within it, clients that stall or break off, and certificates that change.

#include "http_fixture.hpp"
#include "support/fake_access.hpp"
#include "support/test_certificates.hpp"
#include "support/websocket_frames.hpp"
#include "tls/engine/openssl.hpp"

#include <partyline/http.hpp>
#include <partyline/tls.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace std::chrono_literals;
using namespace partyline;
using partyline::test::http_client;
using partyline::test::http_fixture;
using partyline::test::test_certificates;
namespace asio = boost::asio;
namespace frames = websocket_frames;

namespace {

const std::string request = R"({"jsonrpc":"2.0","id":1,"method":"echo","params":[1]})";
const std::string reply = R"({"jsonrpc":"2.0","id":1,"result":[1]})";

const std::string upgrade = "GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

// What a server ends a WebSocket with.
std::string close_frame(unsigned code)
{
    return frames::bytes_of({.type = 8,
                             .content = {static_cast<char>(code >> 8), static_cast<char>(code & 0xFF)},
                             .masked = frames::mask::none});
}

std::string post(const std::string& fields = {}, const std::string& body = request)
{
    return "POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + fields +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

struct tls_fixture : http_fixture {
    test_certificates files;
    tls::server_options server_options;
    tls::client_options client_options;
    http::accepted_protocols accepted;
    std::optional<tls::server_context> certificates;
    int waiting = 0; // handlers that do

    tls_fixture()
    {
        options.session.executor_is_serial = true;
        accepted.lines = accepted.content_length = true;
        accepted.tls = http::encryption::optional;
        server_options.certificates = {files.make_local()};
        client_options.ca_file = files.trusted_ca();
    }

    task<int> wait(request_context& own)
    {
        asio::steady_timer never(own.get_executor(), asio::steady_timer::time_point::max());
        ++waiting;
        try {
            co_await never.async_wait(asio::deferred);
        } catch (const boost::system::system_error&) { // cancelled
        }
        --waiting;
        co_return 0;
    }

    std::uint16_t begin()
    {
        certificates.emplace(server_options);
        options.tls = certificates->maker();
        method_table methods;
        methods.add("echo", [](boost::json::value params) { return params; });
        methods.add("who", [](request_context& own) {
            const peer_identity& peer = own.peer();
            return peer.principal + '|' + peer.source + '|' + (peer.address ? "tcp" : "");
        });
        methods.add("wait", [this](request_context& own) { return wait(own); });
        const auto shared = std::make_shared<const method_table>(std::move(methods));
        served().add_rpc("/rpc", shared);
        served().add_websocket("/ws", shared);
        served().add_sessions(shared);
        start();
        return served().listen_tcp("127.0.0.1", 0, accepted).port();
    }
    std::size_t count_logged(std::string_view part) const
    {
        return static_cast<std::size_t>(std::count_if(
            logged.begin(), logged.end(), [&](const std::string& line) { return line.find(part) != line.npos; }));
    }
};

// What a client begins its handshake with.
std::string client_hello()
{
    const tls::ssl_ctx_pointer rules(SSL_CTX_new(TLS_client_method()));
    const tls::ssl_pointer client(SSL_new(rules.get()));
    SSL_set_bio(client.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    SSL_connect(client.get());
    char* text = nullptr;
    const long size = BIO_get_mem_data(SSL_get_wbio(client.get()), &text);
    return std::string(text, static_cast<std::size_t>(size));
}

// A client, whose every wait is bounded.
class tls_client {
public:
    tls_client(tls_fixture& in, std::uint16_t port, const tls::client_context& by)
        : in_(in), stream_(in.context.get_executor())
    {
        tls::async_connect(in.context.get_executor(), "localhost", port, by,
                           [this](error_code failed, tls::stream made) {
                               failed_ = failed;
                               stream_ = std::move(made);
                           });
        in.run_until([this] { return failed_.has_value(); });
    }
    tls_client(tls_fixture& in, std::uint16_t port) : tls_client(in, port, tls::client_context(in.client_options)) {}

    error_code failed() const { return *failed_; }
    tls::stream& stream() noexcept { return stream_; }

    void send(std::string_view bytes)
    {
        while (!bytes.empty()) {
            error_code failed;
            bytes.remove_prefix(stream_.write_some(asio::buffer(bytes), failed));
            if (failed && failed != asio::error::would_block)
                return;
            if (failed)
                turn();
        }
    }
    /// All that comes until `until` has come, or the end.
    std::string read_until(std::string_view until)
    {
        std::string all;
        in_.run_until([&] {
            char room[4096];
            const std::size_t count = stream_.read_some(asio::buffer(room), ended_);
            all.append(room, count);
            return all.find(until) != all.npos || (ended_ && ended_ != asio::error::would_block);
        });
        return all;
    }
    std::string read_to_end() { return read_until("no such thing"); }
    /// What the last read has failed with.
    error_code ended() const { return ended_; }

private:
    void turn() { in_.context.poll(), in_.context.restart(); }

    tls_fixture& in_;
    std::optional<error_code> failed_;
    tls::stream stream_;
    error_code ended_;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_tls, tls_fixture, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(speaks_every_protocol_within)
{
    const std::uint16_t port = begin();
    tls_client http(*this, port);
    BOOST_TEST(!http.failed());
    http.send(post() + post());
    BOOST_TEST(http.read_until(reply).find("HTTP/1.1 200 OK") == 0u);
    http.send(post("Connection: close\r\n"));
    http.read_to_end();
    BOOST_TEST(http.ended() == asio::error::eof); // and not cut off
    tls_client lines(*this, port);
    lines.send(request + '\n');
    BOOST_TEST(lines.read_until("\n") == reply + '\n');
    tls_client headers(*this, port);
    headers.send("Content-Length: " + std::to_string(request.size()) + "\r\n\r\n" + request);
    BOOST_TEST(headers.read_until(reply).starts_with("Content-Length: "));
    tls_client socket(*this, port);
    socket.send(upgrade + frames::text(request));
    BOOST_TEST(socket.read_until(reply).starts_with("HTTP/1.1 101 "));
    http_client plain(context, port);
    BOOST_TEST(plain.ask("/rpc", request).body == reply);
}

BOOST_AUTO_TEST_CASE(ends_tls_behind_the_last_word_of_a_websocket)
{
    const std::uint16_t port = begin();
    tls_client first(*this, port);
    first.send(upgrade + frames::closing(1000));
    BOOST_TEST(first.read_to_end().ends_with(close_frame(1000)));
    BOOST_TEST(first.ended() == asio::error::eof);
    tls_client last(*this, port);
    last.send(upgrade + frames::text(request));
    last.read_until(reply);
    served().close();
    BOOST_TEST(last.read_until(close_frame(1012)).ends_with(close_frame(1012)));
    last.send(frames::closing(1012));
    BOOST_TEST(last.read_to_end().empty());
    BOOST_TEST(last.ended() == asio::error::eof);
}

BOOST_AUTO_TEST_CASE(refuses_what_is_plain_where_tls_is_required)
{
    accepted.tls = http::encryption::required;
    const std::uint16_t port = begin();
    http_client plain(context, port);
    const auto found = plain.ask("/rpc", request);
    BOOST_TEST(found.status == 400);
    BOOST_TEST(found.body.find("TLS alone") != std::string::npos);
    http_client lines(context, port);
    lines.send(request + '\n');
    BOOST_TEST(lines.is_closed());
    tls_client right(*this, port);
    right.send(post());
    BOOST_TEST(right.read_until(reply).starts_with("HTTP/1.1 200 "));
}

BOOST_AUTO_TEST_CASE(speaks_no_tls_within_tls)
{
    const std::uint16_t port = begin();
    tls_client client(*this, port);
    client.send(std::string("\x16\x03\x01\x00\x05hello", 10));
    BOOST_TEST(client.read_to_end().starts_with("HTTP/1.1 400 "));
}

BOOST_AUTO_TEST_CASE(reads_what_comes_a_byte_a_record)
{
    const std::uint16_t port = begin();
    tls_client client(*this, port);
    const std::string all = post() + post();
    for (const char c : all)
        client.send({&c, 1});
    std::string heard = client.read_until(reply);
    if (heard.find(reply) == heard.rfind(reply))
        heard += client.read_until(reply);
    BOOST_TEST(heard.find(reply) != heard.rfind(reply));
}

BOOST_AUTO_TEST_CASE(lets_go_of_clients_that_are_cut_off_anywhere)
{
    const std::uint16_t port = begin();
    const tls::client_context by(client_options);
    const std::string all = post();
    for (std::size_t cut = 0; cut <= all.size(); cut += 13) {
        tls_client client(*this, port, by);
        client.send(std::string_view(all).substr(0, cut));
        error_code ignored;
        client.stream().lowest_layer().close(ignored);
    }
    run_until([this] { return served().connections() == 0; });
    tls_client next(*this, port, by);
    next.send(post());
    BOOST_TEST(next.read_until(reply).starts_with("HTTP/1.1 200 "));
}

// rule: security.access.gone
BOOST_AUTO_TEST_CASE(sees_that_a_client_has_gone_behind_bytes_that_are_not_read)
{
    const std::uint16_t port = begin();
    const tls::client_context by(client_options);
    for (const bool by_reset : {false, true}) {
        tls_client client(*this, port, by);
        client.send(post({}, R"({"jsonrpc":"2.0","id":1,"method":"wait"})") + std::string(100'000, 'x'));
        run_until([this] { return waiting == 1; });
        error_code ignored;
        if (by_reset)
            client.stream().lowest_layer().set_option(asio::socket_base::linger(true, 0), ignored);
        client.stream().lowest_layer().close(ignored);
        run_until([this] { return waiting == 0 && served().connections() == 0; });
    }
}

BOOST_AUTO_TEST_CASE(knows_who_a_client_is_by_its_certificate)
{
    std::vector<std::string> records;
    options.access_log = [&](std::string_view line) { records.emplace_back(line); };
    server_options.client_ca_file = files.trusted_ca();
    const tls::certificate_files alice = files.make("alice", {.common_name = "alice"});
    const std::uint16_t port = begin();
    client_options.certificate_file = alice.certificate_file;
    client_options.key_file = alice.key_file;
    tls_client client(*this, port);
    client.send(post());
    client.read_until(reply);
    run_until([&] { return !records.empty(); });
    BOOST_TEST(records.front().find(R"("principal":"CN=alice")") != std::string::npos);

    client_options.certificate_file = client_options.key_file = {};
    tls_client nobody(*this, port);
    nobody.send(post());
    BOOST_TEST(nobody.read_to_end().empty());
    BOOST_TEST(count_logged("a TLS handshake with 127.0.0.1 failed") == 1u);
}

BOOST_AUTO_TEST_CASE(tells_handlers_of_every_protocol_the_subject_of_the_clients_certificate)
{
    server_options.client_ca_file = files.trusted_ca();
    const tls::certificate_files alice = files.make("alice", {.common_name = "alice"});
    const std::uint16_t port = begin();
    client_options.certificate_file = alice.certificate_file;
    client_options.key_file = alice.key_file;
    const std::string who = R"({"jsonrpc":"2.0","id":1,"method":"who"})";
    const std::string told = R"("result":"CN=alice|certificate|tcp")";
    for (const std::string& sent : {post({}, who), who + '\n', upgrade + frames::text(who),
                                    "Content-Length: " + std::to_string(who.size()) + "\r\n\r\n" + who}) {
        tls_client client(*this, port);
        client.send(sent);
        BOOST_TEST(client.read_until(told).find(told) != std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(authenticates_by_the_subject_of_the_clients_certificate)
{
    const auto access = std::make_shared<test::fake_access>();
    access->admit_others();
    options.access = access;
    server_options.client_ca_file = files.trusted_ca();
    const tls::certificate_files alice = files.make("alice", {.common_name = "alice"});
    const std::uint16_t port = begin();
    client_options.certificate_file = alice.certificate_file;
    client_options.key_file = alice.key_file;
    const std::string who = R"({"jsonrpc":"2.0","id":1,"method":"who"})";
    std::size_t asked = 0;
    for (const std::string& sent : {post({}, who), who + '\n', upgrade + frames::text(who),
                                    "Content-Length: " + std::to_string(who.size()) + "\r\n\r\n" + who}) {
        tls_client client(*this, port);
        client.send(sent);
        BOOST_TEST(client.read_until("anonymous|token|tcp").find("anonymous|token|tcp") != std::string::npos);
        BOOST_TEST(access->attempts() == ++asked);
        BOOST_TEST(access->last_peer().principal == "CN=alice");
        BOOST_TEST(access->last_peer().source == "certificate");
        BOOST_TEST(access->last_peer().address.has_value());
    }
}

BOOST_AUTO_TEST_CASE(changes_certificates_while_clients_come)
{
    const std::uint16_t port = begin();
    const tls::client_context by(client_options);
    tls_client old(*this, port, by);
    for (int i = 0; i != 60; ++i) {
        if (i % 5 == 0) {
            files.make_local();
            certificates->reload();
        }
        tls_client client(*this, port, by);
        client.send(post());
        BOOST_TEST_REQUIRE(client.read_until(reply).starts_with("HTTP/1.1 200 "));
        old.send(post());
        BOOST_TEST_REQUIRE(old.read_until(reply).starts_with("HTTP/1.1 200 "));
    }
}

// rule: security.harm.loop
BOOST_AUTO_TEST_CASE(serves_others_beside_a_crowd_of_stalled_handshakes)
{
    options.max_handshakes = 20;
    options.max_connections_per_address = 5000;
    const std::uint16_t port = begin();
    const tls::client_context by(client_options);
    std::vector<http_client> clients;
    for (int i = 0; i != 300; ++i) {
        clients.emplace_back(context, port);
        clients.back().send(std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11)); // and no more
        if (i % 30 == 0) {
            tls_client honest(*this, port, by);
            honest.send(post());
            BOOST_TEST_REQUIRE(honest.read_until(reply).starts_with("HTTP/1.1 200 "));
        }
    }
    run_until([this] { return served().connections() <= 20 + 11; });
}

// rule: security.access.unfinished
BOOST_AUTO_TEST_CASE(one_address_that_stalls_handshakes_does_not_end_those_of_others)
{
    options.max_handshakes = 20;
    accepted.proxy_protocol = true;
    const std::uint16_t port = begin();
    const std::string hello = client_hello();
    http_client slow(context, port);
    slow.send("PROXY TCP4 192.0.2.1 192.0.2.9 56324 443\r\n" + hello.substr(0, 40));
    std::vector<http_client> clients;
    for (int i = 0; i != 100; ++i) {
        clients.emplace_back(context, port);
        clients.back().send("PROXY TCP4 192.0.2.2 192.0.2.9 56324 443\r\n\x16\x03\x01"); // and no more
    }
    BOOST_TEST(clients.front().is_closed());
    BOOST_TEST(clients[79].is_closed()); // the last that leaves: 19 stay, and the slow one
    slow.send(hello.substr(40));
    BOOST_TEST(slow.read_bytes(1) == "\x16");
}

// rule: security.access.unfinished
BOOST_AUTO_TEST_CASE(ends_handshakes_that_take_too_long)
{
    options.times.handshake = 50ms;
    const std::uint16_t port = begin();
    http_client stalled(context, port);
    stalled.send(std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11));
    BOOST_TEST(stalled.is_closed());
}

BOOST_AUTO_TEST_CASE(tells_the_log_once_of_what_is_no_handshake)
{
    const std::uint16_t port = begin();
    for (int i = 0; i != 3; ++i) {
        http_client rubbish(context, port);
        rubbish.send(std::string("\x16\x03\x01\x00\x05hello", 10));
        rubbish.read_to_end();
    }
    run_until([this] { return served().connections() == 0; });
    BOOST_TEST(count_logged("a TLS handshake with 127.0.0.1 failed") == 1u);
}

// rule: security.messages.whole
BOOST_AUTO_TEST_CASE(cuts_nothing_off_where_it_ends_in_order)
{
    const std::uint16_t port = begin();
    tls_client idle(*this, port);
    idle.send(post());
    idle.read_until(reply);
    tls_client session(*this, port);
    session.send(request + '\n');
    session.read_until("\n");
    served().close();
    idle.read_to_end();
    session.read_to_end();
    BOOST_TEST(idle.ended() == asio::error::eof);
    BOOST_TEST(session.ended() == asio::error::eof);
}

// Why it may not listen on all addresses.
BOOST_AUTO_TEST_CASE(another_address_than_loopback_takes_authentication_and_tls)
{
    std::uint16_t port = 0;
    const auto refusal = [&](http::server_options how, http::encryption encrypted) -> std::string {
        asio::io_context own;
        http::server one(own.get_executor(), std::move(how));
        http::accepted_protocols protocols;
        protocols.tls = encrypted;
        try {
            one.listen_tcp("0.0.0.0", port, protocols);
            return {};
        } catch (const std::invalid_argument& e) {
            return e.what();
        }
    };
    http::server_options how;
    how.tls = tls::server_context(server_options).maker();
    BOOST_TEST(refusal(how, http::encryption::required) ==
               "0.0.0.0 is no loopback address, and whoever connects may call: --access (server_options::access), or "
               "--allow-any-address (may_listen) where something in front authenticates");
    how.access = std::make_shared<partyline::test::fake_access>();
    const std::string in_the_clear = "0.0.0.0 is no loopback address, and tokens would travel in the clear: "
                                     "--tls-only, or --allow-any-address where something in front encrypts";
    BOOST_TEST(refusal(how, http::encryption::none) == in_the_clear);
    BOOST_TEST(refusal(how, http::encryption::optional) == in_the_clear);
    BOOST_TEST(refusal(how, http::encryption::required) == "");
    how.may_listen = http::exposure::anywhere;
    BOOST_TEST(refusal(how, http::encryption::none) == "");
    how.access = nullptr;
    BOOST_TEST(refusal(how, http::encryption::none) == "");
    const asio::ip::tcp::acceptor other(context, {asio::ip::tcp::v4(), 0});
    port = other.local_endpoint().port(); // it can't be bound
    BOOST_CHECK_THROW(refusal(how, http::encryption::none), boost::system::system_error);
    how.may_listen = http::exposure::loopback;
    BOOST_TEST(refusal(how, http::encryption::none).starts_with("0.0.0.0 is no loopback address"));
}

BOOST_AUTO_TEST_SUITE_END()
