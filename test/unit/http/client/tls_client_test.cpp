// Clients of servers over TLS: whom they trust, and connections that are cut off.

#include "http_fixture.hpp"
#include "support/test_certificates.hpp"

#include <partyline/http.hpp>
#include <partyline/rpc/args.hpp>
#include <partyline/tls.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <optional>
#include <string>

using namespace partyline;
using partyline::test::http_fixture;
using partyline::test::test_certificates;
namespace asio = boost::asio;

namespace {

struct tls_client_fixture : http_fixture {
    test_certificates files;
    tls::server_options server_options;
    tls::client_options client_options;

    tls_client_fixture()
    {
        options.session.executor_is_serial = true;
        server_options.certificates = {files.make_local()};
        client_options.ca_file = files.trusted_ca();
    }
    std::uint16_t begin()
    {
        options.tls = tls::server_context(server_options).maker();
        const auto methods = std::make_shared<method_table>();
        methods->add("add", [](int a, int b) { return a + b; });
        served().add_rpc("/rpc", methods);
        served().add_websocket("/ws", methods);
        start();
        http::accepted_protocols accepted;
        accepted.tls = http::encryption::required;
        return served().listen_tcp("127.0.0.1", 0, accepted).port();
    }
    http::client_options how() const
    {
        http::client_options network;
        network.session.executor_is_serial = true;
        network.session.log = [](std::string_view) {};
        network.tls = tls::client_context(client_options).connector();
        return network;
    }
    // What calling a method there comes to: the code, or none.
    std::optional<error_code> call(const std::string& address)
    {
        session peer = http::open_session(context.get_executor(), address, how());
        std::optional<error_code> failed;
        peer.call("add", args(2, 40))([&](error_code code, response) { failed = code; });
        peer.async_run([](error_code) {});
        run_until([&] { return failed.has_value(); });
        return failed;
    }
};

std::string at(const std::string& scheme, const std::string& host, std::uint16_t port, const std::string& path)
{
    return scheme + "://" + host + ':' + std::to_string(port) + path;
}

// Answers a request with these bytes, and is gone then, without the end that TLS has. What is under way outlives it.
class cutting_server {
public:
    cutting_server(tls_client_fixture& in, std::string answer)
        : served_(std::make_shared<connection>(in, std::move(answer)))
    {
        served_->start(tls::server_context(in.server_options));
    }
    std::uint16_t port() const { return served_->acceptor.local_endpoint().port(); }

private:
    struct connection : std::enable_shared_from_this<connection> {
        connection(tls_client_fixture& in, std::string bytes)
            : acceptor(in.context, {asio::ip::make_address("127.0.0.1"), 0}), stream(in.context.get_executor()),
              answer(std::move(bytes))
        {
        }
        void start(tls::server_context by)
        {
            acceptor.async_accept(
                [self = shared_from_this(), by = std::move(by)](error_code, asio::ip::tcp::socket socket) {
                    tls::async_accept(std::move(socket), by, [self](error_code failed, tls::stream made) {
                        if (!failed)
                            self->serve(std::move(made));
                    });
                });
        }
        void serve(tls::stream made)
        {
            stream = std::move(made);
            asio::async_read_until(stream, asio::dynamic_buffer(read), "\r\n\r\n",
                                   [self = shared_from_this()](error_code, std::size_t) { self->cut(); });
        }
        void cut()
        {
            asio::async_write(stream, asio::buffer(answer), [self = shared_from_this()](error_code, std::size_t) {
                error_code ignored;
                self->stream.lowest_layer().shutdown(asio::socket_base::shutdown_send, ignored);
            });
        }

        asio::ip::tcp::acceptor acceptor;
        tls::stream stream;
        std::string answer;
        std::string read;
    };

    const std::shared_ptr<connection> served_;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_tls_client, tls_client_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(calls_whom_it_trusts)
{
    const std::uint16_t port = begin();
    for (const std::string& address : {at("https", "localhost", port, "/rpc"), at("https", "127.0.0.1", port, "/rpc"),
                                       at("wss", "localhost", port, "/ws"), at("wss", "127.0.0.1", port, "/ws")})
        BOOST_TEST(!*call(address), address);
}

BOOST_AUTO_TEST_CASE(says_that_it_speaks_http)
{
    server_options.alpn = {"h2"}; // who offers nothing would be let in
    const std::uint16_t port = begin();
    for (const std::string& address : {at("https", "localhost", port, "/rpc"), at("wss", "localhost", port, "/ws")}) {
        const error_code failed = *call(address);
        BOOST_TEST(failed.message().find("no application protocol") != std::string::npos, failed.message());
    }
}

BOOST_AUTO_TEST_CASE(calls_nobody_else)
{
    const auto refused_by = [this](const tls::certificate_files& shown, const std::string& words) {
        tls_client_fixture other;
        other.server_options.certificates = {shown};
        const std::uint16_t port = other.begin();
        for (const char* scheme : {"https", "wss"}) {
            session peer =
                http::open_session(other.context.get_executor(), at(scheme, "localhost", port, "/rpc"), how());
            std::optional<error_code> failed;
            peer.call("add", args(1, 1))([&](error_code code, response) { failed = code; });
            peer.async_run([](error_code) {});
            other.run_until([&] { return failed.has_value(); });
            BOOST_TEST(failed->message().find(words) != std::string::npos, failed->message());
        }
    };
    refused_by(files.make("other", {.common_name = "x", .hosts = {"example.org"}}), "ostname mismatch");
    refused_by(files.make("old", {.common_name = "x", .hosts = {"localhost"}, .valid = test::validity::over}),
               "expired");
    refused_by(files.make("unknown", {.common_name = "x", .hosts = {"localhost"}, .signed_by = test::signer::unknown}),
               "issuer");
    refused_by(files.make("self", {.common_name = "x", .hosts = {"localhost"}, .signed_by = test::signer::itself}),
               "self");
}

BOOST_AUTO_TEST_CASE(takes_nothing_that_was_cut_off_for_an_answer)
{
    const std::string reply = R"({"jsonrpc":"2.0","id":1,"result":42})";
    const std::string json = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
    const std::string events = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n";
    for (const std::string& answer :
         {std::string(), std::string("HTTP/1.1 20"), json + "Content-Le", json + "Content-Length: 90\r\n\r\n" + reply,
          json + "\r\n" + reply, // to the end of the connection, which this is not
          json + "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"jso", events + "\r\ndata: " + reply,
          events + "\r\ndata: " + reply + "\n"}) {
        cutting_server server(*this, answer);
        const auto failed = call(at("https", "localhost", server.port(), "/rpc"));
        BOOST_TEST((*failed == errc::stream_truncated || *failed == errc::peer_closed),
                   answer << ": " << failed->message());
    }
    const std::string event = events + "\r\ndata: " + reply + "\n\n";
    cutting_server late(*this, event); // the event had come to its end
    BOOST_TEST(!*call(at("https", "localhost", late.port(), "/rpc")));
}

BOOST_AUTO_TEST_CASE(fetches_documents_from_whom_it_trusts)
{
    const auto fetch = [&](const std::string& answer, const std::string& host) {
        cutting_server source(*this, answer);
        std::optional<std::string> told;
        const auto fetcher = http::make_document_fetcher(context.get_executor(), how().tls);
        fetcher({at("https", host, source.port(), "/keys"), true},
                [&](const std::string& text, const std::string& failure) { told = text + '|' + failure; });
        run_until([&] { return told.has_value(); });
        return *told;
    };
    const std::string head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
    BOOST_TEST(fetch(head + "Content-Length: 2\r\n\r\n{}", "localhost") == "{}|");
    BOOST_TEST(fetch(head + "Content-Length: 2\r\n\r\n{}", "127.0.0.1") == "{}|");
    BOOST_TEST(fetch(head + "\r\n{}", "localhost").starts_with('|')); // perhaps not the whole
    client_options.ca_file.clear();
    BOOST_TEST(fetch(head + "Content-Length: 2\r\n\r\n{}", "localhost").starts_with('|'));
}

BOOST_AUTO_TEST_SUITE_END()
