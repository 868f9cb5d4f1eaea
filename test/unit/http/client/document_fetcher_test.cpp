// Documents that are fetched from servers of which nobody knows whether they mean well.

#include "client/client_fixture.hpp"
#include "client/fickle_server.hpp"
#include "connect_rule.hpp"
#include "http/connections/fetch_document.hpp"

#include <partyline/http/document_fetcher.hpp>
#include <partyline/protocol/errc.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace std::literals;
namespace asio = boost::asio;
using namespace partyline;
using namespace partyline::test;
using boost::asio::ip::tcp;

namespace {

const error_code refused_address = asio::error::access_denied;
constexpr std::size_t most = 1000;

document_request request_of(std::string url, bool allow_private = true)
{
    return {std::move(url), allow_private, most};
}

// Answers whoever connects first with this again and again, for as long as that is read.
class endless_server {
public:
    endless_server(asio::io_context& context, std::string head, std::string again, std::chrono::milliseconds pause)
        : acceptor_(context, {asio::ip::make_address("127.0.0.1"), 0})
    {
        asio::co_spawn(context, serve(std::move(head), std::move(again), pause), asio::detached);
    }
    std::string address() const
    {
        return "http://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()) + "/keys";
    }
    std::size_t sent() const { return sent_; }
    bool is_left() const { return is_left_; }

private:
    asio::awaitable<void> serve(std::string head, std::string again, std::chrono::milliseconds pause)
    {
        tcp::socket socket = co_await acceptor_.async_accept(asio::use_awaitable);
        std::string read;
        co_await asio::async_read_until(socket, asio::dynamic_buffer(read), "\r\n\r\n", asio::use_awaitable);
        try {
            co_await asio::async_write(socket, asio::buffer(head), asio::use_awaitable);
            while (true) {
                asio::steady_timer timer(socket.get_executor(), pause);
                co_await timer.async_wait(asio::use_awaitable);
                sent_ += co_await asio::async_write(socket, asio::buffer(again), asio::use_awaitable);
            }
        } catch (const boost::system::system_error&) {
            is_left_ = true;
        }
    }

    tcp::acceptor acceptor_;
    std::size_t sent_ = 0;
    bool is_left_ = false;
};

struct document_fixture {
    asio::io_context context;
    scripted_server server{context};

    std::string address(const std::string& host = "127.0.0.1", const std::string& scheme = "http") const
    {
        return scheme + "://" + host + ':' + std::to_string(server.port()) + "/keys?x=1";
    }
    started<std::string> fetch(document_request wanted, http::time_limit until = std::chrono::steady_clock::now() + 20s)
    {
        return started<std::string>(context,
                                    http::fetch_document(context.get_executor(), {}, std::move(wanted), until));
    }
    // What comes of a server that answers so.
    started<std::string> fetch_of(std::string answer)
    {
        sources.push_back(std::make_unique<fickle_server>(
            context, [answer = std::move(answer)](const asked_request&) { return answer; },
            fickle_server::after_answer::close));
        return fetch(request_of(sources.back()->address()));
    }

    std::vector<std::unique_ptr<fickle_server>> sources;
};

std::string typed_answer(const std::string& type, const std::string& body)
{
    return "HTTP/1.1 200 OK\r\n" + type + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_document_fetcher, document_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_document_is_asked_for_by_get_and_nothing_else_is_told)
{
    auto asked = fetch(request_of(address()));
    scripted_end end = server.accept();
    BOOST_TEST(end.read_request() == "GET /keys?x=1 HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server.port()) +
                                         "\r\nAccept: application/json, application/jwk-set+json\r\n\r\n");
    end.say(typed_answer("Content-Type: application/json\r\n", R"({"keys":[]})"));
    BOOST_TEST(asked.get() == R"({"keys":[]})");
    BOOST_TEST(end.is_closed());
}

BOOST_AUTO_TEST_CASE(a_document_is_json_or_a_key_set)
{
    for (const std::string& type :
         {"application/json"s, "application/jwk-set+json"s, "Application/JSON; charset=utf-8"s})
        BOOST_TEST(fetch_of(typed_answer("Content-Type: " + type + "\r\n", "{}")).get() == "{}");
    for (const std::string& type : {"Content-Type: text/html\r\n"s, "Content-Type: application/jwk+json\r\n"s, ""s,
                                    "Content-Type: application/json\r\nContent-Encoding: gzip\r\n"s}) {
        auto asked = fetch_of(typed_answer(type, "{}"));
        BOOST_TEST((asked.failure() == errc::bad_reply), type);
        BOOST_TEST(asked.words.find("JSON is expected") != asked.words.npos, asked.words);
    }
}

BOOST_AUTO_TEST_CASE(a_document_may_come_in_chunks_or_until_the_end)
{
    BOOST_TEST(fetch_of("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                        "1\r\n{\r\n1\r\n}\r\n0\r\n\r\n")
                   .get() == "{}");
    BOOST_TEST(fetch_of("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{}").get() == "{}");
}

BOOST_AUTO_TEST_CASE(another_status_is_no_document)
{
    for (const int status : {201, 204, 400, 401, 404, 500, 503}) {
        auto asked = fetch_of(status == 204 ? "HTTP/1.1 204 No\r\n\r\n" : json_answer(status, R"({"keys":[]})"));
        BOOST_TEST((asked.failure() == errc::http_status), std::to_string(status));
        BOOST_TEST(asked.words.find("HTTP status " + std::to_string(status)) != asked.words.npos, asked.words);
    }
}

BOOST_AUTO_TEST_CASE(redirects_are_not_followed)
{
    for (const std::string& status : {"301"s, "302"s, "303"s, "307"s, "308"s}) {
        auto asked = fetch(request_of(address()));
        scripted_end end = server.accept();
        end.read_request();
        end.say("HTTP/1.1 " + status + " X\r\nLocation: " + address("169.254.169.254") +
                "\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}");
        BOOST_TEST((asked.failure() == errc::bad_reply), status);
        BOOST_TEST(end.is_closed());
    }
    auto asked = fetch(request_of(address()));
    scripted_end end = server.accept();
    end.read_request();
    end.say("HTTP/1.1 302 X\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n");
    BOOST_TEST((asked.failure() == errc::bad_reply));
    BOOST_TEST(!server.is_asked());
}

BOOST_AUTO_TEST_CASE(what_is_no_answer_is_no_document)
{
    for (const std::string& answer : {"\x15\x03\x01\x00\x02\x02\x28"s, "220 mail.example ESMTP\r\n\r\n"s,
                                      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}"s,
                                      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                                      "Transfer-Encoding: chunked\r\n\r\nzz\r\n"s})
        BOOST_TEST((fetch_of(answer).failure() == errc::bad_reply), answer);
    const std::string cut = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{}";
    BOOST_TEST((fetch_of(cut).failure() == errc::peer_closed));
}

BOOST_AUTO_TEST_CASE(no_more_than_the_bound_is_read)
{
    const std::string type = "Content-Type: application/json\r\n";
    BOOST_TEST(fetch_of(typed_answer(type, std::string(most, ' '))).get().size() == most);
    BOOST_TEST((fetch_of(typed_answer(type, std::string(most + 1, ' '))).failure() == errc::message_too_large));
    BOOST_TEST((fetch_of(typed_answer(type, std::string(10'000'000, ' '))).failure() == errc::message_too_large));
}

BOOST_AUTO_TEST_CASE(an_endless_body_is_left)
{
    endless_server source(context,
                          "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
                          "400\r\n" + std::string(1024, ' ') + "\r\n", 0ms);
    BOOST_TEST((fetch(request_of(source.address())).failure() == errc::message_too_large));
    run_until(context, [&] { return source.is_left(); });
}

BOOST_AUTO_TEST_CASE(a_slow_body_is_left_when_the_time_is_over)
{
    endless_server source(context, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n",
                          " ", 20ms);
    auto asked = fetch(request_of(source.address()), std::chrono::steady_clock::now() + 300ms);
    BOOST_TEST((asked.failure() == errc::timeout));
    run_until(context, [&] { return source.is_left(); });
    BOOST_TEST(source.sent() < 900U);
}

BOOST_AUTO_TEST_CASE(a_head_that_never_ends_is_left)
{
    endless_server slow(context, "HTTP/1.1 200 OK\r\n", "A: b\r\n", 20ms);
    BOOST_TEST(
        (fetch(request_of(slow.address()), std::chrono::steady_clock::now() + 300ms).failure() == errc::timeout));
    endless_server fast(context, "HTTP/1.1 200 OK\r\nA: ", std::string(1024, 'b'), 0ms);
    BOOST_TEST((fetch(request_of(fast.address())).failure() == errc::bad_reply));
    endless_server interim(context, "", "HTTP/1.1 102 Wait\r\n\r\n", 0ms);
    BOOST_TEST((fetch(request_of(interim.address())).failure() == errc::bad_reply));
}

BOOST_AUTO_TEST_CASE(addresses_that_are_not_public_are_not_connected_to)
{
    for (const std::string& host :
         {"127.0.0.1"s, "localhost"s, "[::1]"s, "[::ffff:127.0.0.1]"s, "169.254.169.254"s, "10.0.0.1"s, "0.0.0.0"s,
          "[fd00::1]"s, "2130706433"s, "0x7f000001"s, "127.1"s, "017700000001"s}) {
        const auto tls = [](int, const std::string&) -> std::unique_ptr<partyline::detail::secure_layer> {
            throw std::logic_error("it was connected to");
        };
        started<std::string> asked(context, http::fetch_document(context.get_executor(), tls,
                                                                 request_of(address(host, "https"), false),
                                                                 std::chrono::steady_clock::now() + 20s));
        BOOST_TEST((asked.failure() == refused_address), host);
        BOOST_TEST(asked.words.find("which is not public") != asked.words.npos, asked.words);
    }
    BOOST_TEST(!server.is_asked());
}

BOOST_AUTO_TEST_CASE(plain_http_is_for_loopback_alone)
{
    BOOST_CHECK_THROW(fetch(request_of(address(), false)).get(), std::invalid_argument);
    for (const std::string& host : {"10.0.0.1"s, "8.8.8.8"s, "0.0.0.0"s, "[::ffff:127.0.0.1]"s}) {
        auto asked = fetch(request_of(address(host)));
        BOOST_TEST((asked.failure() == refused_address), host);
        BOOST_TEST(asked.words.find("which is not loopback") != asked.words.npos, asked.words);
    }
    for (const char* other : {"ws://localhost/", "wss://localhost/", "ftp://localhost/", "file:///etc/passwd",
                              "https://user@localhost/", "//localhost/", ""})
        BOOST_CHECK_THROW(fetch(request_of(other)).get(), std::invalid_argument);
    BOOST_CHECK_THROW(fetch(request_of(address("127.0.0.1", "https"))).get(), std::invalid_argument); // without TLS
}

BOOST_AUTO_TEST_CASE(a_host_of_which_one_address_is_refused_is_not_connected_to)
{
    std::vector<asio::ip::address> seen;
    const auto connect = [&](bool allowed) {
        std::optional<error_code> result;
        const auto rule = [&, allowed](const asio::ip::address& each) {
            seen.push_back(each);
            return allowed;
        };
        async_connect_tcp_by(context.get_executor(), "localhost", server.port(), rule,
                             [&](error_code failed, tcp_socket) { result = failed; });
        run_until(context, [&] { return result.has_value(); });
        return *result;
    };
    BOOST_TEST(connect(false) == refused_address);
    BOOST_TEST(!server.is_asked());
    BOOST_TEST(!connect(true));
    BOOST_TEST(server.is_asked());
    BOOST_TEST(seen.size() >= 2U);
}

BOOST_AUTO_TEST_CASE(a_fetcher_serves_any_thread_and_tells_once)
{
    fickle_server source(context, [](const asked_request& asked) {
        return asked.head.starts_with("GET /good ") ? json_answer(200, "{}") : json_answer(200, "");
    });
    std::vector<std::string> told;
    std::thread elsewhere([&] {
        const document_fetcher fetcher = http::make_document_fetcher(context.get_executor(), {});
        for (const std::string& path : {"/good"s, "/empty"s})
            fetcher(request_of(source.address(path)),
                    [&](std::string text, std::string failure) { told.push_back(text + '|' + failure); });
        fetcher(request_of("http://x\n/", true),
                [&](std::string text, std::string failure) { told.push_back(text + '|' + failure); });
    });
    elsewhere.join();
    BOOST_TEST(told.empty());
    run_until(context, [&] { return told.size() == 3; });
    std::sort(told.begin(), told.end());
    BOOST_TEST(told[0] == "{}|");
    BOOST_TEST((told[1].starts_with("|'http://x?/' is no address") && told[1].find('\n') == told[1].npos), told[1]);
    BOOST_TEST(told[2] == "|the document is empty");
}

BOOST_AUTO_TEST_CASE(a_fetch_that_has_ended_keeps_nothing_running)
{
    asio::io_context of_fetches;
    std::string told;
    http::make_document_fetcher(of_fetches.get_executor(), {})(
        request_of(address()), [&](std::string text, std::string) { told = std::move(text); });
    std::thread running([&] { of_fetches.run(); });
    scripted_end end = server.accept();
    end.read_request();
    end.say(typed_answer("Content-Type: application/json\r\n", "{}"));
    running.join();
    BOOST_TEST(told == "{}");
}

BOOST_AUTO_TEST_SUITE_END()
