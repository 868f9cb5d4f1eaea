// Clients that go away behind more than is read while they are served.

#include "serve/rpc_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <vector>

using partyline::test::http_client;
using partyline::test::rpc_fixture;

namespace {

// More than a connection reads while it answers.
const std::string many_bytes(65'536 + 16'384, 'x');

struct gone_fixture : rpc_fixture {
    // It has sent more than is read for now, and nothing of that is a request.
    http_client wait_behind_bytes(int id)
    {
        http_client client = begin();
        client.post("/rpc", call(id, "wait"));
        client.send(many_bytes);
        run_until([&] { return waiting == id; });
        for (int i = 0; i < 20; ++i) { // all that is read is read
            context.restart();
            context.poll();
        }
        return client;
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_gone_clients, gone_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_client_that_closes_behind_unread_bytes_cancels_its_call)
{
    wait_behind_bytes(1).close();
    run_until([this] { return waiting == 0 && served().connections() == 0; });
    BOOST_TEST(was_cancelled);
}

BOOST_AUTO_TEST_CASE(a_client_that_is_reset_behind_unread_bytes_cancels_its_call)
{
    wait_behind_bytes(1).reset();
    run_until([this] { return waiting == 0 && served().connections() == 0; });
    BOOST_TEST(was_cancelled);
}

BOOST_AUTO_TEST_CASE(one_that_stays_behind_unread_bytes_is_answered)
{
    options.times.first_bytes = std::chrono::milliseconds(1);
    http_client client = wait_behind_bytes(1);
    for (int i = 0; i < 2; ++i) // these are looked at when the other one is
        BOOST_TEST(connect().is_closed());
    BOOST_TEST(waiting == 1);
    release();
    BOOST_TEST(client.response().body == reply(1, "7"));
}

BOOST_AUTO_TEST_CASE(a_handler_that_stops_the_server_is_cancelled_with_its_connection)
{
    http_client client = begin();
    client.post("/rpc", call(1, "stop"));
    BOOST_TEST(client.is_closed());
    run_until([this] { return waiting == 0 && ended.has_value(); });
    BOOST_TEST(was_cancelled);
}

// rule: security.access.gone
BOOST_AUTO_TEST_CASE(clients_that_have_gone_keep_nobody_out)
{
    options.max_connections = 4;
    {
        std::vector<http_client> gone;
        for (int i = 1; i <= 4; ++i)
            gone.push_back(wait_behind_bytes(i));
    }
    BOOST_TEST(connect().ask("/rpc", call(5, "add", "[1,1]")).body == reply(5, "2"));
}

BOOST_AUTO_TEST_SUITE_END()
