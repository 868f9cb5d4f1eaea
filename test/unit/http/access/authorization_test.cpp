// The credentials that a request shows, and its refusal where they do not suffice.

#include "http/access/authorization.hpp"
#include "http/wire/request_head.hpp"

#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace http = partyline::http;
using partyline::protected_resource;
using auth = partyline::authentication_outcome;

namespace {

http::shown_authorization shown_by(const std::vector<http::field>& fields, std::string_view query = {})
{
    http::request_head head;
    head.fields = fields;
    head.query = query;
    return http::read_authorization(head);
}

const protected_resource described{"https://rpc.example.org/mcp", {"https://as.example.org"}, {"build", "files:read"}};

struct refusal_row {
    auth how;
    int status;
    int code;
    std::string_view text;
    std::string_view fields;
};

void check(const refusal_row& row, const protected_resource* of)
{
    BOOST_TEST_CONTEXT(row.text)
    {
        const http::access_refusal told = http::refuse_authentication(row.how, of);
        BOOST_TEST(told.status == row.status);
        BOOST_TEST(told.error.code == row.code);
        BOOST_TEST(told.error.message == row.text);
        BOOST_TEST(told.fields == row.fields);
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(http_authorization)

BOOST_AUTO_TEST_CASE(the_value_of_the_one_field_is_shown_whatever_it_is)
{
    BOOST_TEST(!shown_by({{"Host", "a"}}).value.has_value());
    for (const std::string_view name : {"Authorization", "authorization", "AUTHORIZATION", "aUTHORIZATION"})
        BOOST_TEST(shown_by({{"Host", "a"}, {name, "Bearer x"}}).value.value() == "Bearer x");
    for (const std::string_view value : {"", "Basic YTpi", "Bearer\tx", "Bearer x, Bearer y", "\xe4\xf6"}) {
        const http::shown_authorization shown = shown_by({{"Authorization", value}});
        BOOST_TEST(shown.value.value() == value);
        BOOST_TEST(!shown.is_malformed);
    }
}

BOOST_AUTO_TEST_CASE(two_fields_are_malformed_also_where_they_say_the_same)
{
    BOOST_TEST(shown_by({{"Authorization", "Bearer x"}, {"authorization", "Bearer x"}}).is_malformed);
    BOOST_TEST(shown_by({{"Authorization", ""}, {"Authorization", ""}}).is_malformed);
    BOOST_TEST(!shown_by({{"Authorization", "Bearer x"}, {"Proxy-Authorization", "Bearer x"}}).is_malformed);
}

BOOST_AUTO_TEST_CASE(a_token_in_the_query_is_malformed)
{
    for (const std::string_view query : {"access_token=x", "a=b&access_token=x", "access_token", "&&access_token=&"})
        BOOST_TEST(shown_by({}, query).is_malformed, query);
    BOOST_TEST(shown_by({{"Authorization", "Bearer x"}}, "access_token=x").is_malformed);
    for (const std::string_view query : {"", "token=x", "xaccess_token=x", "a=access_token", "Access_Token=x"})
        BOOST_TEST(!shown_by({}, query).is_malformed, query);
}

BOOST_AUTO_TEST_CASE(cookies_and_subprotocols_are_not_looked_at)
{
    const http::shown_authorization shown = shown_by(
        {{"Cookie", "access_token=x; Authorization=Bearer x"}, {"Sec-WebSocket-Protocol", "bearer.x, access_token"}});
    BOOST_TEST(!shown.value.has_value());
    BOOST_TEST(!shown.is_malformed);
}

BOOST_AUTO_TEST_CASE(each_refusal_has_its_status_code_text_and_challenge)
{
    const std::string at = R"(resource_metadata="https://rpc.example.org/.well-known/oauth-protected-resource/mcp")";
    const std::string begin = "WWW-Authenticate: Bearer ";
    const std::string missing = begin + at + R"(, scope="build files:read")" + "\r\n";
    const std::string invalid = begin + R"(error="invalid_token", )" + at + "\r\n";
    const std::string expired = begin + R"(error="invalid_token", error_description="expired", )" + at + "\r\n";
    const std::string audience = begin + R"(error="invalid_token", error_description="audience", )" + at + "\r\n";
    const std::string malformed = begin + "error=\"invalid_request\"\r\n";
    const refusal_row rows[] = {
        {auth::missing, 401, -31005, "Authentication required", missing},
        {auth::malformed, 400, -31005, "Authorization is to be one Bearer token", malformed},
        {auth::invalid, 401, -31005, "The token is not valid", invalid},
        {auth::expired, 401, -31005, "The token has expired", expired},
        {auth::wrong_audience, 401, -31005, "The token is for another server", audience},
        {auth::unavailable, 503, -31001, "Server busy", "Retry-After: 1\r\n"},
        {auth::throttled, 429, -31002, "Too many requests", "Retry-After: 10\r\n"},
    };
    for (const refusal_row& row : rows)
        check(row, &described);
    BOOST_TEST(boost::json::serialize(http::refuse_authentication(auth::throttled, nullptr).error.data.value()) ==
               R"({"retry_after_ms":10000})");
}

BOOST_AUTO_TEST_CASE(a_server_that_is_not_described_names_no_metadata)
{
    for (const protected_resource& of : {protected_resource(), protected_resource{"https://a/\"\r\nX: y", {}, {}}}) {
        for (const protected_resource* each : {static_cast<const protected_resource*>(nullptr), &of}) {
            check({auth::missing, 401, -31005, "Authentication required", "WWW-Authenticate: Bearer\r\n"}, each);
            check({auth::invalid, 401, -31005, "The token is not valid",
                   "WWW-Authenticate: Bearer error=\"invalid_token\"\r\n"},
                  each);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_call_that_lacks_scopes_is_told_all_of_them)
{
    const std::vector<std::string> required{"files:read", "files:write"};
    BOOST_TEST(http::insufficient_scope_fields(required, nullptr) ==
               "WWW-Authenticate: Bearer error=\"insufficient_scope\", scope=\"files:read files:write\"\r\n");
    BOOST_TEST(http::insufficient_scope_fields(required, &described) ==
               "WWW-Authenticate: Bearer error=\"insufficient_scope\", scope=\"files:read files:write\", "
               "resource_metadata=\"https://rpc.example.org/.well-known/oauth-protected-resource/mcp\"\r\n");
}

BOOST_AUTO_TEST_CASE(a_scope_that_is_none_is_not_told)
{
    const std::string without = "WWW-Authenticate: Bearer error=\"insufficient_scope\"\r\n";
    for (const std::string& scope :
         {std::string("a\r\nSet-Cookie: b"), std::string("a\"b"), std::string("a b"), std::string("a\\"), std::string(),
          std::string("\xc3\xa4"), std::string(5000, 'a')}) {
        const std::vector<std::string> required{"files:read", scope};
        BOOST_TEST(http::insufficient_scope_fields(required, nullptr) == without);
    }
}

BOOST_AUTO_TEST_CASE(metadata_stands_between_the_origin_and_the_path)
{
    const struct {
        std::string_view resource;
        std::string_view url;
    } rows[] = {
        {"https://a.example", "https://a.example/.well-known/oauth-protected-resource"},
        {"https://a.example/", "https://a.example/.well-known/oauth-protected-resource"},
        {"https://a.example:8443/mcp", "https://a.example:8443/.well-known/oauth-protected-resource/mcp"},
        {"https://a.example/a/b/", "https://a.example/.well-known/oauth-protected-resource/a/b/"},
        {"https://a.example/mcp?k=v", "https://a.example/.well-known/oauth-protected-resource/mcp?k=v"},
        {"https://a.example?k=v", "https://a.example/.well-known/oauth-protected-resource?k=v"},
    };
    for (const auto& row : rows)
        BOOST_TEST(http::metadata_url(row.resource) == row.url);
}

BOOST_AUTO_TEST_SUITE_END()
