// Sessions that talk over TLS.

#include "tls_fixture.hpp"

#include <partyline/rpc/args.hpp>
#include <partyline/rpc/method_table.hpp>
#include <partyline/session.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>

namespace asio = boost::asio;
using namespace partyline;
using namespace partyline::test;

namespace {

std::shared_ptr<const method_table> make_methods(int& cancelled)
{
    auto methods = std::make_shared<method_table>();
    methods->add("echo", [](std::string text) { return text; });
    methods->add("add", [](int a, int b) { return a + b; });
    methods->add("wait", [&cancelled](request_context& ctx) -> asio::awaitable<int> {
        asio::steady_timer never(ctx.get_executor(), asio::steady_timer::time_point::max());
        try {
            co_await never.async_wait(asio::use_awaitable);
        } catch (const boost::system::system_error&) {
            ++cancelled;
            throw;
        }
        co_return 1;
    });
    return methods;
}

// Two sessions over a connection of our client with our server.
struct session_fixture : tls_fixture {
    int cancelled = 0;
    std::optional<session> client;
    std::optional<session> server_session;
    std::optional<error_code> client_end;
    std::optional<error_code> server_end;

    session_fixture()
    {
        handshake_outcome client_side;
        handshake_outcome server_side;
        connect("localhost", client_side, server_side);
        BOOST_TEST_REQUIRE(!*client_side.failed);
        BOOST_TEST_REQUIRE(!*server_side.failed);
        client.emplace(std::move(*client_side.stream), make_methods(cancelled));
        server_session.emplace(std::move(*server_side.stream), make_methods(cancelled));
        client->async_run([this](error_code result) { client_end = result; });
        server_session->async_run([this](error_code result) { server_end = result; });
    }

    bool both_end()
    {
        return run_until([&] { return client_end && server_end; });
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(tls_session, session_fixture, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(both_sides_call_each_other)
{
    int sum = 0;
    const auto add = [&sum](error_code failed, call_result<int> result) {
        if (!failed)
            sum += result.value();
    };
    for (int i = 0; i < 100; ++i) {
        client->call<int>("add", args(i, 1))(add);
        server_session->call<int>("add", args(i, -1))(add);
    }
    BOOST_TEST(run_until([&] { return sum == 9900; }));
    client->close();
    BOOST_TEST(both_end());
    BOOST_TEST(*client_end == error_code());
    BOOST_TEST(*server_end == error_code());
}

BOOST_AUTO_TEST_CASE(long_messages_pass_each_other)
{
    const std::string text(4 << 20, 'x');
    int returned = 0;
    const auto check = [&](error_code failed, call_result<std::string> result) {
        returned += !failed && result.value() == text ? 1 : 0;
    };
    client->call<std::string>("echo", args(text))(check);
    server_session->call<std::string>("echo", args(text))(check);
    BOOST_TEST(run_until([&] { return returned == 2; }));
    server_session->close();
    BOOST_TEST(both_end());
    BOOST_TEST(*client_end == error_code());
    BOOST_TEST(*server_end == error_code());
}

BOOST_AUTO_TEST_CASE(a_call_is_cancelled_on_the_other_side)
{
    asio::cancellation_signal signal;
    std::optional<error_code> failed;
    client->call<int>("wait", args())(
        asio::bind_cancellation_slot(signal.slot(), [&](error_code result, call_result<int>) { failed = result; }));
    BOOST_TEST(run_until([&] { return server_session->counters().in_flight == 1; }));
    signal.emit(asio::cancellation_type::terminal);
    BOOST_TEST(run_until([&] { return failed && cancelled == 1; }));
    BOOST_TEST((failed == asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(a_session_that_is_stopped_tells_its_end)
{
    client->stop();
    BOOST_TEST(both_end());
    BOOST_TEST((client_end == asio::error::operation_aborted));
    BOOST_TEST(*server_end == error_code());
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

// A session, and a foreign client of it.
struct foreign_fixture : tls_fixture {
    int cancelled = 0;
    std::unique_ptr<foreign_client> client = make_foreign_client();
    std::optional<session> served;
    std::optional<error_code> end;

    foreign_fixture()
    {
        handshake_outcome server_side;
        shake(*client, server_side);
        served.emplace(std::move(*server_side.stream), make_methods(cancelled));
        served->async_run([this](error_code result) { end = result; });
    }
    void say(const std::string& text)
    {
        bool is_said = false;
        asio::async_write(client->stream, asio::buffer(text), [&](error_code, std::size_t) { is_said = true; });
        BOOST_TEST_REQUIRE(run_until([&] { return is_said; }));
    }
    error_code ends()
    {
        BOOST_TEST_REQUIRE(run_until([&] { return end.has_value(); }));
        return *end;
    }
};

constexpr const char* call = R"({"jsonrpc":"2.0","id":1,"method":"add","params":[1,2]})";

} // namespace

BOOST_FIXTURE_TEST_SUITE(tls_session_end, foreign_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_connection_that_is_cut_off_between_messages_is_at_its_end)
{
    say(std::string(call) + "\n");
    client->stream.next_layer().shutdown(asio::socket_base::shutdown_send);
    BOOST_TEST(ends() == error_code());
    BOOST_TEST(served->counters().messages_in == 1u);
}

BOOST_AUTO_TEST_CASE(within_a_message_it_is_cut_off)
{
    say(call); // all of it, but who knows?
    client->stream.next_layer().shutdown(asio::socket_base::shutdown_send);
    BOOST_TEST((ends() == errc::stream_truncated));
    BOOST_TEST(served->counters().messages_in == 0u);
}

BOOST_AUTO_TEST_CASE(who_says_that_it_is_the_end_needs_no_end_of_line)
{
    say(call);
    client->stream.async_shutdown([](error_code) {});
    BOOST_TEST(ends() == error_code());
    BOOST_TEST(served->counters().messages_in == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
