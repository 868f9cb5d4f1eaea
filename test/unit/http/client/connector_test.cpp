// What stands between a socket and the first request: what encrypts, and a proxy.

#include "client/client_fixture.hpp"
#include "http/connections/connector.hpp"

#include <partyline/protocol/errc.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <unistd.h>

using namespace std::literals;
namespace asio = boost::asio;
using namespace partyline::http;
using namespace partyline::test;
using partyline::errc;

namespace {

// Says "hi" with the host's name, wants "ho", and then lets everything through as it is.
class polite_layer final : public partyline::detail::secure_layer {
public:
    polite_layer(int descriptor, std::string host) : descriptor_(descriptor), greeting_("hi " + std::move(host) + '\n')
    {
    }

    partyline::error_code handshake() override
    {
        if (!greeting_.empty() && ::write(descriptor_, greeting_.data(), greeting_.size()) > 0)
            greeting_.clear();
        char answer[3] = {};
        partyline::error_code failed;
        const std::size_t count = read_some(asio::buffer(answer), failed);
        if (!failed && std::string_view(answer, count) != "ho\n")
            failed = asio::error::access_denied;
        is_established_ = !failed;
        return failed;
    }
    bool is_established() const noexcept override { return is_established_; }
    std::size_t read_some(asio::mutable_buffer target, partyline::error_code& failed) override
    {
        return result_of(::read(descriptor_, target.data(), target.size()), failed);
    }
    std::size_t write_some(asio::const_buffer source, partyline::error_code& failed) override
    {
        return result_of(::write(descriptor_, source.data(), source.size()), failed);
    }
    need read_needs() const noexcept override { return need::read; }
    need write_needs() const noexcept override { return need::write; }
    bool has_pending() const noexcept override { return false; }
    void close_send() noexcept override { static_cast<void>(::write(descriptor_, "bye\n", 4)); }

private:
    static std::size_t result_of(ssize_t count, partyline::error_code& failed)
    {
        failed = {};
        if (count == 0)
            failed = asio::error::eof;
        else if (count < 0)
            failed = partyline::error_code(errno, boost::system::system_category());
        return count > 0 ? static_cast<std::size_t>(count) : 0;
    }

    int descriptor_;
    std::string greeting_;
    bool is_established_ = false;
};

asio::awaitable<std::string> ask_securely(connector& by, time_limit until)
{
    const std::unique_ptr<client_connection> opened = co_await by.open(until);
    client_request request;
    by.address(request);
    co_await opened->send(std::move(request), until);
    std::string body = co_await opened->read_some(until);
    const std::string rest = co_await opened->read_some(until);
    co_return opened->may_be_used_again() ? body + rest + " again" : body + rest;
}

struct connector_fixture {
    explicit connector_fixture(const std::function<void(connection_options&)>& change = {})
    {
        connection_options how;
        how.proxy = parse_url("http://127.0.0.1:" + std::to_string(server.port()));
        how.secure = [](int descriptor, const std::string& host) {
            return std::make_unique<polite_layer>(descriptor, host);
        };
        if (change)
            change(how);
        by.emplace(context.get_executor(), parse_url("https://far.example/"), how);
    }

    started<std::string> ask() { return started<std::string>(context, ask_securely(*by, no_time_limit)); }
    void settle() { server.is_asked(); }

    asio::io_context context;
    scripted_server server{context};
    std::optional<connector> by;
};

const partyline::error_code connector_aborted = asio::error::operation_aborted;

} // namespace

BOOST_AUTO_TEST_SUITE(http_connector, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_server_behind_a_proxy_is_spoken_to_encrypted)
{
    connector_fixture setup;
    auto asked = setup.ask();
    scripted_end end = setup.server.accept();
    BOOST_TEST(end.read_request() == "CONNECT far.example:443 HTTP/1.1\r\nHost: far.example:443\r\n\r\n");
    end.say("HTTP/1.1 200 Fine\r\n\r\n");
    BOOST_TEST(end.read_until("\n") == "hi far.example\n");
    end.say("ho\n");
    BOOST_TEST(end.read_request() == "GET / HTTP/1.1\r\nHost: far.example\r\n\r\n");
    end.say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    BOOST_TEST(asked.get() == "ok again");
    BOOST_TEST(end.read_until("bye\n") == "bye\n"); // the end that encryption has
    BOOST_TEST(end.is_closed());
}

BOOST_AUTO_TEST_CASE(a_server_may_be_spoken_to_encrypted_without_a_proxy)
{
    connector_fixture setup;
    connection_options how = setup.by->options();
    how.proxy.reset();
    setup.by.emplace(setup.context.get_executor(),
                     parse_url("https://127.0.0.1:" + std::to_string(setup.server.port())), how);
    auto asked = setup.ask();
    scripted_end end = setup.server.accept();
    BOOST_TEST(end.read_until("\n") == "hi 127.0.0.1\n");
    end.say("ho\n");
    end.read_request();
    end.say("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok");
    BOOST_TEST(asked.get() == "ok");
}

BOOST_AUTO_TEST_CASE(a_handshake_that_fails_is_told)
{
    connector_fixture setup;
    auto asked = setup.ask();
    scripted_end end = setup.server.accept();
    end.read_request();
    end.say("HTTP/1.1 200 Fine\r\n\r\n");
    end.read_until("\n");
    end.say("no\n");
    BOOST_TEST(asked.failure() == partyline::error_code(asio::error::access_denied));
    BOOST_TEST(asked.words.find("handshake with far.example") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_proxy_that_speaks_first_is_refused)
{
    connector_fixture setup;
    auto asked = setup.ask();
    scripted_end end = setup.server.accept();
    end.read_request();
    end.say("HTTP/1.1 200 Fine\r\n\r\nho\n");
    BOOST_TEST(asked.failure() == make_error_code(errc::bad_reply));
}

BOOST_AUTO_TEST_CASE(to_connect_has_a_time_wherever_that_stops)
{
    for (const bool has_answered : {false, true}) {
        connector_fixture setup([](connection_options& how) { how.connect_time = 50ms; });
        auto asked = setup.ask();
        scripted_end end = setup.server.accept();
        if (has_answered)
            end.say("HTTP/1.1 200 Fine\r\n\r\n");
        BOOST_TEST(asked.failure() == make_error_code(errc::timeout));
    }
}

BOOST_AUTO_TEST_CASE(to_connect_can_be_cancelled_wherever_that_waits)
{
    for (const bool has_answered : {false, true}) {
        connector_fixture setup;
        auto asked = setup.ask();
        scripted_end end = setup.server.accept();
        end.read_request();
        if (has_answered) {
            end.say("HTTP/1.1 200 Fine\r\n\r\n");
            end.read_until("\n");
        }
        setup.settle();
        asked.cancel();
        BOOST_TEST(asked.failure() == connector_aborted);
    }
}

BOOST_AUTO_TEST_SUITE_END()
