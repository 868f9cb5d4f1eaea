// A server that wants tokens says where they are to be had (RFC 9728).

#include "http_fixture.hpp"
#include "support/fake_access.hpp"
#include "support/text_search.hpp"

#include <partyline/rpc/method_table.hpp>

#include <boost/test/unit_test.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

using partyline::test::contains;
using partyline::test::fake_access;
using partyline::test::http_client;
using partyline::test::http_response;

namespace {

constexpr std::string_view metadata_at = "/.well-known/oauth-protected-resource";

struct described_fixture : partyline::test::http_fixture {
    described_fixture() { options.access = access; }

    http_client begin()
    {
        if (port() == 0) {
            served().add_rpc("/rpc", partyline::method_table());
            served().add_rpc("/deep/rpc", partyline::method_table());
            start();
        }
        return connect();
    }
    http_response get(std::string_view of, std::string_view method = "GET", std::string_view fields = {})
    {
        http_client client = begin();
        client.request(method, std::string(metadata_at) + std::string(of), fields);
        if (method != "HEAD")
            return client.response();
        http_response head = client.head();
        BOOST_TEST(client.is_closed() == contains(fields, "close"));
        return head;
    }

    const std::shared_ptr<fake_access> access = std::make_shared<fake_access>();
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_protected_resource, described_fixture, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(its_metadata_are_public_and_may_be_cached)
{
    access->publish({"https://rpc.example.org/rpc", {"https://as.example.org"}, {"build", "files:read"}});
    for (const std::string_view of : {"", "/rpc", "/deep/rpc"}) {
        const http_response got = get(of);
        BOOST_TEST(got.status == 200);
        BOOST_TEST(got.field("content-type") == "application/json");
        BOOST_TEST(got.field("cache-control") == "max-age=300");
        BOOST_TEST(got.field("access-control-allow-origin") == "*");
        BOOST_TEST(got.body == R"({"resource":"https://rpc.example.org/rpc",)"
                               R"("authorization_servers":["https://as.example.org"],)"
                               R"("scopes_supported":["build","files:read"],"bearer_methods_supported":["header"]})");
    }
    const http_response head = get("/rpc", "HEAD", "Connection: close\r\n");
    BOOST_TEST(head.status == 200);
    BOOST_TEST(head.field("content-length") == std::to_string(get("/rpc").body.size()));
    BOOST_TEST(access->attempts() == 0u);
}

BOOST_AUTO_TEST_CASE(members_without_values_are_left_out)
{
    access->publish({"https://rpc.example.org/", {}, {}});
    BOOST_TEST(get("").body == R"({"resource":"https://rpc.example.org/","bearer_methods_supported":["header"]})");
}

BOOST_AUTO_TEST_CASE(pages_of_all_origins_may_read_them)
{
    access->publish({"https://rpc.example.org/rpc", {}, {}});
    const std::string origin = "Origin: https://foreign.example\r\nSec-Fetch-Site: cross-site\r\n";
    BOOST_TEST(get("", "GET", origin).status == 200);
    const http_response preflight =
        get("/rpc", "OPTIONS",
            origin + "Access-Control-Request-Method: GET\r\nAccess-Control-Request-Headers: mcp-protocol-version\r\n");
    BOOST_TEST(preflight.status == 204);
    BOOST_TEST(preflight.field("access-control-allow-origin") == "*");
    BOOST_TEST(preflight.field("access-control-allow-methods") == "get, head, options");
    BOOST_TEST(contains(preflight.field("access-control-allow-headers"), "mcp-protocol-version"));
    BOOST_TEST(get("/rpc", "DELETE").status == 405);
    http_client client = begin();
    client.send("GET " + std::string(metadata_at) + " HTTP/1.1\r\nHost: foreign.example\r\n\r\n");
    BOOST_TEST(client.response().status == 403);
}

BOOST_AUTO_TEST_CASE(other_paths_have_none)
{
    access->publish({"https://rpc.example.org/outside/rpc", {}, {}});
    for (const std::string_view of : {"/", "/none", "x", "/rpc/", "/outside", "/deep"})
        BOOST_TEST(get(of).status == 404, of);
    BOOST_TEST(get("/outside/rpc").status == 200); // as a proxy in front has it
}

BOOST_AUTO_TEST_CASE(a_server_that_is_not_described_has_none)
{
    BOOST_TEST(get("").status == 404);
    BOOST_TEST(get("/rpc").status == 404);
    BOOST_CHECK_THROW(served().add_rpc(std::string(metadata_at) + "/mine", partyline::method_table()),
                      std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(without_authentication_the_path_is_like_any_other)
{
    options.access = nullptr;
    served().add_rpc(std::string(metadata_at), partyline::method_table());
    const http_response got = get("");
    BOOST_TEST(got.status == 405);
    BOOST_TEST(got.field("access-control-allow-origin").empty());
    BOOST_TEST(get("/rpc").status == 404);
}

BOOST_AUTO_TEST_SUITE_END()
