// Whose a log line is that does not say so.

#include "compared_clients.hpp"
#include "gateway/log_recipients.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using gateway::log_recipients;
using partyline::test::compared_client;

namespace {

using outcome = log_recipients::outcome;

constexpr log_recipients::request_traits plain{};
constexpr log_recipients::request_traits with_level{.is_subscription = false, .asks = true};
constexpr log_recipients::request_traits subscription{.is_subscription = true, .asks = false};

// "client.request", "client" where it is told whatever it has asked, or "nobody".
std::string found(const log_recipients& by)
{
    const auto to = by.find();
    if (!to)
        return "nobody";
    std::string text;
    for (int i = 0; i != 4; ++i)
        text += to->client == &compared_client(i) ? std::to_string(i) : "";
    return to->request ? text + '.' + std::to_string(*to->request) : text;
}

struct two_clients {
    two_clients()
    {
        one.on_server_start();
        one.on_attach(compared_client(0));
        one.on_attach(compared_client(1));
    }
    log_recipients one;
};

} // namespace

BOOST_AUTO_TEST_SUITE(gateway_log_recipients)

BOOST_AUTO_TEST_CASE(a_client_that_has_set_a_level_hears_all_while_it_has_been_alone)
{
    log_recipients one;
    one.on_server_start();
    one.on_attach(compared_client(0));
    BOOST_TEST(found(one) == "nobody"); // which has not greeted the server
    one.on_level();
    BOOST_TEST(found(one) == "0");
    one.on_request(compared_client(0), 1, plain);
    one.on_end(compared_client(0), 1, outcome::unknown); // its own
    BOOST_TEST(found(one) == "0");
    one.on_attach(compared_client(1));
    BOOST_TEST(found(one) == "nobody");
}

BOOST_AUTO_TEST_CASE(whoever_is_left_has_not_been_alone_until_the_server_starts_again)
{
    two_clients a;
    a.one.on_level();
    a.one.on_detach(compared_client(1));
    BOOST_TEST(found(a.one) == "nobody");
    a.one.on_server_start();
    BOOST_TEST(found(a.one) == "0");
    a.one.on_detach(compared_client(0));
    BOOST_TEST(found(a.one) == "nobody");
    a.one.on_attach(compared_client(2));
    BOOST_TEST(found(a.one) == "nobody");
}

BOOST_FIXTURE_TEST_CASE(the_one_request_that_asks_hears_while_no_other_client_has_one, two_clients)
{
    one.on_request(compared_client(0), 1, with_level);
    one.on_request(compared_client(0), 2, plain);
    one.on_request(compared_client(1), 1, subscription);
    BOOST_TEST(found(one) == "0.1");
    one.on_request(compared_client(1), 2, plain);
    BOOST_TEST(found(one) == "nobody");
    one.on_end(compared_client(1), 2, outcome::answered);
    BOOST_TEST(found(one) == "0.1");
    one.on_end(compared_client(0), 1, outcome::answered);
    BOOST_TEST(found(one) == "nobody");
}

BOOST_FIXTURE_TEST_CASE(it_may_be_the_request_of_the_client_that_came_last, two_clients)
{
    one.on_request(compared_client(1), 7, with_level);
    BOOST_TEST(found(one) == "1.7");
    one.on_request(compared_client(0), 1, plain);
    BOOST_TEST(found(one) == "nobody");
}

BOOST_FIXTURE_TEST_CASE(where_two_requests_ask_neither_hears, two_clients)
{
    one.on_request(compared_client(0), 1, with_level);
    one.on_request(compared_client(0), 2, with_level);
    BOOST_TEST(found(one) == "nobody");
    one.on_end(compared_client(0), 2, outcome::answered);
    BOOST_TEST(found(one) == "0.1");
}

BOOST_FIXTURE_TEST_CASE(after_a_request_was_cancelled_nobody_hears_until_the_server_starts_again, two_clients)
{
    one.on_request(compared_client(1), 1, subscription);
    one.on_end(compared_client(1), 1, outcome::unknown); // which logs nothing
    one.on_request(compared_client(0), 1, with_level);
    BOOST_TEST(found(one) == "0.1");
    one.on_request(compared_client(1), 2, plain);
    one.on_end(compared_client(1), 2, outcome::unknown);
    BOOST_TEST(found(one) == "nobody");
    one.on_server_start();
    BOOST_TEST(found(one) == "0.1");
}

BOOST_FIXTURE_TEST_CASE(a_level_that_somebody_has_set_makes_no_line_a_requests, two_clients)
{
    one.on_request(compared_client(0), 1, with_level);
    one.on_level();
    BOOST_TEST(found(one) == "nobody");
}

BOOST_AUTO_TEST_SUITE_END()
