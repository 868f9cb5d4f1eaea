// A document that a server makes for each request, such as metrics.

#include "http_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>

using partyline::test::http_client;
using partyline::test::http_response;

namespace {

struct page_fixture : partyline::test::http_fixture {
    int made = 0;

    http_client begin()
    {
        if (port() == 0) {
            served().add_page("/metrics", "text/plain; version=0.0.4", [this] {
                if (++made == 3)
                    throw std::runtime_error("the third one can't be made");
                return "page " + std::to_string(made) + '\n';
            });
            start();
        }
        return connect();
    }
    http_response get(std::string_view path, std::string_view method = "GET", std::string_view fields = {})
    {
        http_client client = begin();
        client.request(method, path, fields);
        return client.response();
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_page, page_fixture, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(it_is_made_for_each_request_and_has_its_type)
{
    const http_response first = get("/metrics");
    BOOST_TEST(first.status == 200);
    BOOST_TEST(first.field("content-type") == "text/plain; version=0.0.4");
    BOOST_TEST(first.field("cache-control") == "no-store");
    BOOST_TEST(first.body == "page 1\n");
    BOOST_TEST(get("/metrics?name=x").body == "page 2\n");
}

BOOST_AUTO_TEST_CASE(other_paths_are_not_found_and_other_methods_not_allowed)
{
    BOOST_TEST(get("/").status == 404);
    BOOST_TEST(get("/metrics/").status == 404);
    const http_response posted = get("/metrics", "POST", "Content-Length: 0\r\n");
    BOOST_TEST(posted.status == 405);
    BOOST_TEST(posted.field("allow") == "get, head, options");
    BOOST_TEST(made == 0);
}

BOOST_AUTO_TEST_CASE(one_that_cannot_be_made_is_unavailable)
{
    get("/metrics");
    get("/metrics");
    BOOST_TEST(get("/metrics").status == 503);
    BOOST_TEST(get("/metrics").body == "page 4\n");
}

BOOST_AUTO_TEST_CASE(pages_of_foreign_sites_do_not_read_it)
{
    BOOST_TEST(get("/metrics", "GET", "Origin: https://foreign.example\r\n").status == 403);
    BOOST_TEST(made == 0);
}

BOOST_AUTO_TEST_CASE(an_empty_function_makes_none)
{
    BOOST_CHECK_THROW(served().add_page("/metrics", "text/plain", {}), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
