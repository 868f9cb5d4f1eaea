// Documents that are sent to servers of which nobody knows whether they answer.

#include "client/client_fixture.hpp"

#include <partyline/http/document_sender.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

using namespace std::literals;
namespace asio = boost::asio;
using namespace partyline;
using namespace partyline::test;

namespace {

struct sender_fixture {
    asio::io_context context;
    scripted_server server{context};
    std::optional<document_receipt> got;

    document_to_send document() const
    {
        document_to_send what;
        what.url = "http://127.0.0.1:" + std::to_string(server.port()) + "/v1/traces?x=1";
        what.type = "application/json";
        what.fields = {{"Authorization", "Bearer secret"}};
        what.body = std::make_shared<const std::string>("{\"a\":1}");
        what.timeout = 20s;
        return what;
    }
    void send(const document_to_send& what)
    {
        got.reset();
        http::make_document_sender(context.get_executor(), {})(what,
                                                               [this](document_receipt all) { got = std::move(all); });
    }
    const document_receipt& receipt()
    {
        const auto end = std::chrono::steady_clock::now() + 20s;
        context.restart();
        while (!got && std::chrono::steady_clock::now() < end)
            context.run_one_for(100ms);
        if (!got)
            throw std::runtime_error("there is no receipt");
        return *got;
    }
    const document_receipt& receipt_of(std::string_view answer)
    {
        send(document());
        scripted_end end = server.accept();
        end.read_request("{\"a\":1}");
        end.say(answer);
        return receipt();
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_document_sender, sender_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_document_is_posted_with_its_type_and_its_fields)
{
    send(document());
    scripted_end end = server.accept();
    BOOST_TEST(end.read_request("{\"a\":1}") ==
               "POST /v1/traces?x=1 HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server.port()) +
                   "\r\nContent-Type: application/json\r\nAuthorization: Bearer secret\r\nContent-Length: 7\r\n\r\n"
                   "{\"a\":1}");
    end.say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
    BOOST_TEST(receipt().status == 200);
    BOOST_TEST(got->answer == "{}");
    BOOST_TEST(got->failure.empty());
    BOOST_TEST(end.is_closed());
}

BOOST_AUTO_TEST_CASE(a_busy_server_says_when_to_come_again)
{
    BOOST_TEST(receipt_of("HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n").status == 503);
    BOOST_TEST((got->retry_after == 7s));
    BOOST_TEST(receipt_of("HTTP/1.1 500 No\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n").status == 500);
    BOOST_TEST(!got->retry_after);
}

BOOST_AUTO_TEST_CASE(an_endless_answer_is_not_read_to_its_end)
{
    const std::string much(std::size_t(200) << 10, 'x');
    BOOST_TEST(receipt_of("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n" + much).status == 200);
    BOOST_TEST(got->answer.empty());
}

BOOST_AUTO_TEST_CASE(a_server_that_says_nothing_is_left_after_the_time)
{
    document_to_send what = document();
    what.timeout = 50ms;
    send(what);
    scripted_end end = server.accept();
    end.read_request("{\"a\":1}");
    BOOST_TEST(receipt().status == 0);
    BOOST_TEST(!got->failure.empty());
    BOOST_TEST(end.is_closed());
}

BOOST_AUTO_TEST_CASE(a_server_that_is_not_there_or_no_server_is_told)
{
    const document_to_send what = document();
    server.stop();
    send(what);
    BOOST_TEST(receipt().status == 0);
    BOOST_TEST(!got->failure.empty());
}

BOOST_AUTO_TEST_CASE(redirects_are_not_followed)
{
    BOOST_TEST(receipt_of("HTTP/1.1 302 X\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n").status == 0);
    BOOST_TEST(got->failure.find("302") != std::string::npos, got->failure);
    BOOST_TEST(!server.is_asked());
}

BOOST_AUTO_TEST_CASE(fields_that_would_break_the_request_are_not_sent)
{
    document_to_send what = document();
    what.fields = {{"X", "a\r\nY: b"}};
    send(what);
    BOOST_TEST(receipt().status == 0);
    BOOST_TEST(!got->failure.empty());
}

BOOST_AUTO_TEST_SUITE_END()
