// What is no request is refused by the server as by its reader, and whatever stands behind it is not answered.

#include "http_fixture.hpp"
#include "requests/request_rows.hpp"

#include <partyline/rpc/method_table.hpp>

#include <boost/test/unit_test.hpp>

#include <string_view>

using partyline::test::http_client;
using partyline::test::http_response;
using partyline::test::request_row;

namespace {

constexpr std::string_view next_client = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";

struct refusing_fixture : partyline::test::http_fixture {
    refusing_fixture()
    {
        options.allowed_hosts = {"a"};
        options.requests.body_bytes = std::size_t(1) << 20; // as the rows have it
        served().add_rpc("/rpc", partyline::method_table());
        start();
    }

    // There is one answer, the refusal, and then the end.
    void check_refused(const request_row& row)
    {
        http_client client = connect();
        client.send(row.bytes);
        client.send(next_client);
        const http_response got = client.response();
        BOOST_TEST(got.status == row.status);
        BOOST_TEST(got.field("connection") == "close");
        BOOST_TEST(client.is_closed());
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_refusals, refusing_fixture, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(behind_a_refusal_nothing_is_answered)
{
    std::size_t count = 0;
    for (const request_row& row : partyline::test::all_request_rows()) {
        if (!row.is_refused())
            continue;
        BOOST_TEST_CONTEXT(row.name)
        {
            check_refused(row);
        }
        ++count;
    }
    BOOST_TEST(count >= 1400u);
    http_client client = connect();
    client.send(next_client); // the server is none the worse
    BOOST_TEST(client.response().status == 200);
}

BOOST_AUTO_TEST_SUITE_END()
