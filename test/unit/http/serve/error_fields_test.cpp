// The fields that stand beside an error reply, by what it says.

#include "http/serve/error_fields.hpp"
#include "support/fake_access.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

using partyline::http::error_fields;

namespace {

std::string error_reply(int code, std::string_view data)
{
    return R"({"jsonrpc":"2.0","id":1,"error":{"code":)" + std::to_string(code) + R"(,"message":"no","data":)" +
           std::string(data) + "}}";
}

std::string scopes_told(std::string_view data)
{
    return error_fields(403, error_reply(-31003, data), nullptr);
}

std::string seconds_told(std::string_view data)
{
    return error_fields(429, error_reply(-31002, data), nullptr);
}

} // namespace

BOOST_AUTO_TEST_SUITE(http_error_fields)

BOOST_AUTO_TEST_CASE(scopes_that_a_call_takes_stand_in_the_challenge)
{
    const std::string begin = "WWW-Authenticate: Bearer error=\"insufficient_scope\"";
    BOOST_TEST(scopes_told(R"({"required":["files:read","files:write"]})") ==
               begin + ", scope=\"files:read files:write\"\r\n");
    for (const std::string_view data :
         {R"({"required":[]})", R"({"required":"a"})", R"({"required":[1]})", R"({"required":["a\r\nX: y"]})",
          R"({"required":["\ud800"]})", R"({"other":["a"]})", R"(["a"])", R"("a")", "null"})
        BOOST_TEST(scopes_told(data) == begin + "\r\n", data);
    const std::string long_one = R"({"required":["a"],"more":")" + std::string(100'000, 'x') + "\"}";
    BOOST_TEST(scopes_told(long_one) == begin + "\r\n");
    BOOST_TEST(error_fields(403, R"({"jsonrpc":"2.0","id":1,"result":{"data":{"required":["a"]}}})", nullptr) ==
               begin + "\r\n");
}

BOOST_AUTO_TEST_CASE(a_server_that_is_described_names_its_metadata)
{
    partyline::test::fake_access access;
    access.publish({"https://a.example/mcp", {}, {}});
    BOOST_TEST(error_fields(403, error_reply(-31003, R"({"required":["a"]})"), &access) ==
               "WWW-Authenticate: Bearer error=\"insufficient_scope\", scope=\"a\", "
               "resource_metadata=\"https://a.example/.well-known/oauth-protected-resource/mcp\"\r\n");
}

BOOST_AUTO_TEST_CASE(milliseconds_are_rounded_up_to_seconds)
{
    const struct {
        std::string_view ms;
        std::string_view seconds;
    } rows[] = {
        {"0", "1"},    {"1", "1"},  {"999", "1"},      {"1000", "1"},  {"1001", "2"},
        {"2000", "2"}, {"-5", "1"}, {"\"7000\"", "1"}, {"1.5e3", "1"}, {"9223372036854775807", "9223372036854776"}};
    for (const auto& row : rows) {
        const std::string told = seconds_told("{\"retry_after_ms\":" + std::string(row.ms) + '}');
        BOOST_TEST(told == "Retry-After: " + std::string(row.seconds) + "\r\n");
    }
}

BOOST_AUTO_TEST_CASE(a_busy_server_says_when_to_try_again_and_other_errors_say_nothing)
{
    BOOST_TEST(error_fields(503, {}, nullptr) == "Retry-After: 1\r\n");
    for (const int status : {200, 400, 404})
        BOOST_TEST(error_fields(status, error_reply(-31003, R"({"required":["a"]})"), nullptr).empty());
}

BOOST_AUTO_TEST_SUITE_END()
