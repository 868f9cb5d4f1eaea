// Authentication and authorization over HTTP: each refusal to the byte, and rights that are those of one request.

#include "serve/rpc_fixture.hpp"
#include "support/fake_access.hpp"
#include "support/text_search.hpp"
#include "without_date.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace json = boost::json;
using partyline::access_answer;
using partyline::request_context;
using partyline::test::allow_others;
using partyline::test::bearer;
using partyline::test::contains;
using partyline::test::fake_access;
using partyline::test::http_client;
using partyline::test::http_response;
using auth = partyline::authentication_outcome;

namespace {

const std::string told_metadata =
    R"(resource_metadata="https://rpc.example.org/.well-known/oauth-protected-resource/rpc")";

struct access_fixture : partyline::test::rpc_fixture {
    access_fixture()
    {
        options.access = access;
        options.access_log = [this](std::string_view line) { records.emplace_back(line); };
        methods.add("who", [](request_context& own) { return own.peer().principal; });
        methods.add("hidden", [] { return 1; });
        methods.add("lacking", [] { return 1; });
        methods.add("demanding", [] {
            const std::vector<std::string> scopes{"files:admin"};
            throw partyline::rpc_error(partyline::insufficient_scope(scopes));
            return 1;
        });
        methods.add("own_error", [] {
            throw partyline::rpc_error(-31002, "of my own");
            return 1;
        });
        access->publish({"https://rpc.example.org/rpc", {"https://as.example.org"}, {"build", "files:read"}});
        access->admit("alice", "alice",
                      allow_others({{"hidden", access_answer::hidden}, {"lacking", access_answer::lacks_scope}}));
        access->admit("bob", "bob");
        access->refuse("old", auth::expired);
        access->refuse("foreign", auth::wrong_audience);
        access->refuse("early", auth::unavailable);
    }

    // The answer to a request with these fields, without its date.
    std::string answer(std::string_view fields, std::string_view body = who, std::string_view path = "/rpc")
    {
        http_client client = begin();
        client.post(path, body, std::string(fields) + "Connection: close\r\n");
        return partyline::test::without_date(client.read_to_end());
    }
    // Sends all of a request but the end of its body, which follows when the server has authenticated it.
    void begin_who(http_client& client, std::string_view token)
    {
        const std::size_t before = access->attempts();
        client.send("POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + bearer(token) +
                    "Content-Length: " + std::to_string(who.size()) + "\r\n\r\n" + std::string(who.substr(0, 5)));
        run_until([&] { return access->attempts() != before; });
    }
    static std::string expected(std::string_view status, std::string_view fields, std::string_view error)
    {
        const std::string body = R"({"jsonrpc":"2.0","error":)" + std::string(error) + '}';
        return "HTTP/1.1 " + std::string(status) +
               "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
               "\r\nConnection: close\r\n" + std::string(fields) + "\r\n" + body;
    }

    static constexpr std::string_view who = R"({"jsonrpc":"2.0","id":1,"method":"who"})";
    const std::shared_ptr<fake_access> access = std::make_shared<fake_access>();
    std::vector<std::string> records;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_access, access_fixture, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(each_refusal_is_exact)
{
    const std::string challenge = "WWW-Authenticate: Bearer ";
    const std::string invalid = challenge + "error=\"invalid_token\", ";
    const struct {
        std::string fields;
        std::string status;
        std::string told;
        std::string error;
    } rows[] = {
        {"", "401 Unauthorized", challenge + told_metadata + ", scope=\"build files:read\"\r\n",
         R"({"code":-31005,"message":"Authentication required"})"},
        {bearer("unknown"), "401 Unauthorized", invalid + told_metadata + "\r\n",
         R"({"code":-31005,"message":"The token is not valid"})"},
        {bearer("old"), "401 Unauthorized", invalid + "error_description=\"expired\", " + told_metadata + "\r\n",
         R"({"code":-31005,"message":"The token has expired"})"},
        {bearer("foreign"), "401 Unauthorized", invalid + "error_description=\"audience\", " + told_metadata + "\r\n",
         R"({"code":-31005,"message":"The token is for another server"})"},
        {bearer("early"), "503 Service Unavailable", "Retry-After: 1\r\n",
         R"({"code":-31001,"message":"Server busy"})"},
    };
    for (const auto& row : rows)
        BOOST_TEST(answer(row.fields) == expected(row.status, row.told, row.error));
    access->refuse_all(auth::throttled);
    BOOST_TEST(answer(bearer("alice")) ==
               expected("429 Too Many Requests", "Retry-After: 10\r\n",
                        R"({"code":-31002,"message":"Too many requests","data":{"retry_after_ms":10000}})"));
}

BOOST_AUTO_TEST_CASE(all_but_one_bearer_token_is_malformed)
{
    const std::string refused = expected("400 Bad Request", "WWW-Authenticate: Bearer error=\"invalid_request\"\r\n",
                                         R"({"code":-31005,"message":"Authorization is to be one Bearer token"})");
    for (const std::string& fields :
         {bearer("alice") + bearer("alice"), bearer("alice") + "authorization: Basic YTpi\r\n",
          bearer("alice, Bearer bob"), bearer("alice,bob"), bearer("al\tice"), bearer("\xe4lice"),
          std::string("Authorization: Bearer\talice\r\n"), std::string("Authorization: Basic YTpi\r\n"),
          std::string("Authorization: alice\r\n"), std::string("Authorization:\r\n"),
          std::string("Authorization: Bearer \r\n"), bearer(std::string((std::size_t(8) << 10) + 1, 'a'))})
        BOOST_TEST(answer(fields) == refused, fields.substr(0, 60));
    BOOST_TEST(answer(bearer("alice"), who, "/rpc?access_token=alice") == refused);
    BOOST_TEST(answer("", who, "/rpc?a=b&access_token=alice") == refused);
}

BOOST_AUTO_TEST_CASE(a_token_is_shown_in_the_field_alone_in_whatever_case)
{
    for (const std::string& fields : {bearer("alice"), std::string("authorization: bearer alice\r\n"),
                                      std::string("AUTHORIZATION:BEARER   alice \t\r\n")}) {
        http_client client = begin();
        BOOST_TEST(client.ask("/rpc", who, fields).body == reply(1, "\"alice\""));
    }
    http_client client = begin();
    for (const std::string fields :
         {"Cookie: Authorization=Bearer alice; access_token=alice\r\n", "Sec-WebSocket-Protocol: bearer, alice\r\n",
          "X-Access-Token: alice\r\n", "Proxy-Authorization: Bearer alice\r\n", "X-Forwarded-User: alice\r\n"})
        BOOST_TEST(client.ask("/rpc", who, fields).status == 401);
}

BOOST_AUTO_TEST_CASE(the_longest_token_is_taken)
{
    const std::string token(std::size_t(8) << 10, 'a');
    access->admit(token, "long");
    http_client client = begin();
    BOOST_TEST(client.ask("/rpc", who, bearer(token)).body == reply(1, "\"long\""));
}

BOOST_AUTO_TEST_CASE(public_facts_are_told_to_all)
{
    http_client client = begin();
    client.request("GET", "/healthz");
    BOOST_TEST(client.response().status == 200);
    client.request("OPTIONS", "/rpc");
    BOOST_TEST(client.response().status == 204);
    client.request("GET", "/rpc");
    BOOST_TEST(client.response().status == 405);
    client.request("GET", "/nothing");
    BOOST_TEST(client.response().status == 404);
    client.send("POST /rpc HTTP/1.1\r\nHost: foreign.example\r\nContent-Length: 0\r\n\r\n");
    BOOST_TEST(client.response().status == 403);
    BOOST_TEST(access->attempts() == 0u);
}

BOOST_AUTO_TEST_CASE(a_request_that_is_not_admitted_is_refused_before_its_body)
{
    http_client client = begin();
    client.send("POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 1000000\r\n"
                "Expect: 100-continue\r\n\r\n");
    const http_response got = client.response();
    BOOST_TEST(got.status == 401);
    BOOST_TEST(got.field("connection") == "close");
    BOOST_TEST(client.is_closed());
    http_client other = begin();
    other.send("POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n" +
               bearer("alice") + "\r\n[]");
    BOOST_TEST(other.response().status == 415);
}

// rule: security.access.end
BOOST_AUTO_TEST_CASE(a_grant_that_ends_before_the_body_has_come_serves_nothing)
{
    const struct {
        auth how;
        int status;
        std::string_view told;
    } rows[] = {{auth::invalid, 401, "The token is not valid"},
                {auth::expired, 401, "The token has expired"},
                {auth::unavailable, 200, "alice"}}; // it can't be checked now
    for (const auto& row : rows) {
        access->admit("alice", "alice");
        http_client client = begin();
        begin_who(client, "alice");
        access->refuse("alice", row.how);
        client.send(who.substr(5));
        const http_response got = client.response();
        BOOST_TEST(got.status == row.status);
        BOOST_TEST(contains(got.body, row.told));
        BOOST_TEST(client.ask("/rpc", who, bearer("bob")).body == reply(1, "\"bob\"")); // over the same connection
    }
}

BOOST_AUTO_TEST_CASE(a_request_has_the_rights_of_when_its_body_has_come)
{
    http_client client = begin();
    begin_who(client, "alice");
    access->admit("alice", "alice", allow_others({{"who", access_answer::lacks_scope}}));
    client.send(who.substr(5));
    BOOST_TEST(client.response().status == 403);
    begin_who(client, "alice");
    access->admit("alice", "alice");
    client.send(who.substr(5));
    BOOST_TEST(client.response().body == reply(1, "\"alice\""));
    begin_who(client, "alice");
    access->admit("alice", "bob"); // the token is another peer's
    client.send(who.substr(5));
    BOOST_TEST(client.response().status == 401);
}

BOOST_AUTO_TEST_CASE(pages_may_read_the_challenge)
{
    options.allowed_origins = {"https://page.example"};
    http_client client = begin();
    const http_response got = client.ask("/rpc", who, "Origin: https://page.example\r\n");
    BOOST_TEST(got.status == 401);
    BOOST_TEST(got.field("access-control-allow-origin") == "https://page.example");
    BOOST_TEST(contains(got.field("access-control-expose-headers"), "www-authenticate"));
    client.request("OPTIONS", "/rpc",
                   "Origin: https://page.example\r\nAccess-Control-Request-Method: POST\r\n"
                   "Access-Control-Request-Headers: authorization\r\n");
    const http_response preflight = client.response();
    BOOST_TEST(preflight.status == 204);
    BOOST_TEST(contains(preflight.field("access-control-allow-headers"), "authorization"));
}

BOOST_AUTO_TEST_CASE(a_call_that_lacks_a_scope_is_answered_403)
{
    const std::string body = R"({"jsonrpc":"2.0","id":1,"error":{"code":-31003,"message":"Insufficient scope",)"
                             R"("data":{"required":["files:write"]}}})";
    const std::string expected =
        "HTTP/1.1 403 Forbidden\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
        "\r\nConnection: close\r\nWWW-Authenticate: Bearer error=\"insufficient_scope\", scope=\"files:write\", " +
        told_metadata + "\r\n\r\n" + body;
    BOOST_TEST(answer(bearer("alice"), call(1, "lacking")) == expected);
    http_client client = begin();
    const http_response by_handler = client.ask("/rpc", call(1, "demanding"), bearer("alice"));
    BOOST_TEST(by_handler.status == 403);
    BOOST_TEST(contains(by_handler.field("www-authenticate"), "scope=\"files:admin\""));
    BOOST_TEST(client.ask("/rpc", call(1, "lacking"), bearer("bob")).body == reply(1, "1")); // who has no view
}

BOOST_AUTO_TEST_CASE(in_a_batch_the_code_alone_is_told)
{
    http_client client = begin();
    const http_response got =
        client.ask("/rpc", '[' + call(1, "lacking") + ',' + call(2, "add", "[1,2]") + ']', bearer("alice"));
    BOOST_TEST(got.status == 200);
    BOOST_TEST(got.field("www-authenticate").empty());
    BOOST_TEST(contains(got.body, "-31003"));
    BOOST_TEST(contains(got.body, reply(2, "3")));
}

// rule: security.access.hidden
BOOST_AUTO_TEST_CASE(a_hidden_method_is_answered_as_one_that_there_is_not)
{
    const auto of = [](std::string text, std::string_view name) {
        for (std::size_t at = 0; (at = text.find(name)) != text.npos;)
            text.replace(at, name.size(), "NAME");
        return text;
    };
    const std::string hidden = of(answer(bearer("alice"), call(1, "hidden")), "hidden");
    BOOST_TEST(hidden == of(answer(bearer("alice"), call(1, "absent")), "absent"));
    BOOST_TEST(contains(hidden, "-32601"));
    const std::string in_batch = of(answer(bearer("alice"), '[' + call(1, "hidden") + ']'), "hidden");
    BOOST_TEST(in_batch == of(answer(bearer("alice"), '[' + call(1, "absent") + ']'), "absent"));
    const std::string told = R"({"jsonrpc":"2.0","method":"hidden"})";
    BOOST_TEST(answer(bearer("alice"), told) == answer(bearer("alice"), R"({"jsonrpc":"2.0","method":"absent"})"));
}

BOOST_AUTO_TEST_CASE(a_quota_is_answered_429_and_says_when_to_come_again)
{
    access->admit("carol", "carol", {},
                  std::make_shared<partyline::request_quota>(partyline::quota_limits{0.25, 1, 0}));
    http_client client = begin();
    BOOST_TEST(client.ask("/rpc", who, bearer("carol")).status == 200);
    const http_response got = client.ask("/rpc", who, bearer("carol"));
    BOOST_TEST(got.status == 429);
    BOOST_TEST(got.field("retry-after") == "4");
    const json::value error = json::parse(got.body).at("error");
    BOOST_TEST(error.at("code").as_int64() == -31002);
    BOOST_TEST(client.ask("/rpc", call(1, "own_error"), bearer("alice")).status == 200); // the handler's own code
}

// rule: security.access.caller
BOOST_AUTO_TEST_CASE(users_in_turns_over_one_connection_are_told_apart)
{
    http_client client = begin();
    for (int i = 0; i < 3; ++i) {
        BOOST_TEST(client.ask("/rpc", who, bearer("alice")).body == reply(1, "\"alice\""));
        BOOST_TEST(client.ask("/rpc", call(1, "lacking"), bearer("alice")).status == 403);
        BOOST_TEST(client.ask("/rpc", who, bearer("bob")).body == reply(1, "\"bob\""));
        BOOST_TEST(client.ask("/rpc", call(1, "lacking"), bearer("bob")).status == 200);
        BOOST_TEST(client.ask("/rpc", who).status == 401);
    }
    BOOST_TEST(served().connections() == 1u);
}

BOOST_AUTO_TEST_CASE(rights_that_change_hold_for_the_next_request)
{
    http_client client = begin();
    BOOST_TEST(client.ask("/rpc", call(1, "add", "[1,2]"), bearer("bob")).status == 200);
    access->admit("bob", "bob", allow_others({{"add", access_answer::lacks_scope}}));
    BOOST_TEST(client.ask("/rpc", call(1, "add", "[1,2]"), bearer("bob")).status == 403);
    access->refuse("bob", auth::invalid);
    BOOST_TEST(client.ask("/rpc", call(1, "add", "[1,2]"), bearer("bob")).status == 401);
}

BOOST_AUTO_TEST_CASE(a_request_that_has_begun_is_answered_although_its_token_expires)
{
    http_client client = begin();
    client.post("/rpc", call(1, "wait"), bearer("bob"));
    run_until([this] { return waiting == 1; });
    access->refuse("bob", auth::expired);
    release();
    BOOST_TEST(client.response().body == reply(1, "7"));
    BOOST_TEST(!was_cancelled);
    BOOST_TEST(client.ask("/rpc", who, bearer("bob")).status == 401);
}

BOOST_AUTO_TEST_CASE(others_are_a_peer_of_their_own_where_they_are_admitted)
{
    access->admit_others(allow_others({{"add", access_answer::lacks_scope}}));
    http_client client = begin();
    BOOST_TEST(client.ask("/rpc", who).body == reply(1, "\"anonymous\""));
    BOOST_TEST(client.ask("/rpc", call(1, "add", "[1,2]")).status == 403);
    BOOST_TEST(client.ask("/rpc", who, bearer("unknown")).status == 401); // what is shown and wrong is refused
    BOOST_TEST(client.ask("/rpc", who, bearer("alice")).body == reply(1, "\"alice\""));
}

// rule: security.access.tokens
BOOST_AUTO_TEST_CASE(the_access_log_names_peers_and_no_tokens)
{
    http_client client = begin();
    client.ask("/rpc", who, bearer("alice"));
    client.ask("/rpc", who, bearer("secret-and-wrong"));
    BOOST_TEST_REQUIRE(records.size() == 2u);
    BOOST_TEST(json::parse(records[0]).at("principal").as_string() == "alice");
    BOOST_TEST((json::parse(records[1]).as_object().if_contains("principal") == nullptr));
    BOOST_TEST(json::parse(records[1]).at("status").as_int64() == 401);
    for (const std::string& line : records)
        BOOST_TEST(!contains(line, "secret"));
}

BOOST_AUTO_TEST_SUITE_END()
