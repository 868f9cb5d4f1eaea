#include "session/redaction.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

using partyline::redacted;
using partyline::without_proofs;

namespace {

struct row {
    std::string_view text;
    std::string_view expected;
};

constexpr row rows[] = {
    // Fields of a head.
    {"Authorization: Bearer s3cret", "Authorization: [redacted]"},
    {"authorization:Basic czpj\r\nHost: localhost", "authorization:[redacted]\r\nHost: localhost"},
    {"PROXY-AUTHORIZATION: Basic czpj", "PROXY-AUTHORIZATION: [redacted]"},
    {"Cookie: a=1; b=2\nAccept: */*", "Cookie: [redacted]\nAccept: */*"},
    {"Set-Cookie: a=1; HttpOnly", "Set-Cookie: [redacted]"},
    {"Mcp-Session-Id: 0123456789", "Mcp-Session-Id: [redacted]"},
    {"Partyline-Proof: eyJ.eyJ.c2ln", "Partyline-Proof: [redacted]"},
    {"the field Authorization: is missing", "the field Authorization: [redacted]"},
    {"map[Authorization:[Bearer s3cret] Accept:[*/*]]", "map[Authorization:[redacted]"},
    // Parameters of queries and forms.
    {"/cb?code=s3cret&state=1", "/cb?code=[redacted]&state=1"},
    {"/cb?state=1&code=s3cret#top", "/cb?state=1&code=[redacted]#top"},
    {"code=s3cret&grant_type=authorization_code", "code=[redacted]&grant_type=authorization_code"},
    {"to 'http://a/?access_token=s3cret': use that", "to 'http://a/?access_token=[redacted]': use that"},
    {"refresh_token=s3cret client_secret=other", "refresh_token=[redacted] client_secret=[redacted]"},
    {"/?next=https%3A%2F%2Fa%3Fcode%3Ds3cret%26x%3D1&y=1", "/?next=https%3A%2F%2Fa%3Fcode%3D[redacted]%26x%3D1&y=1"},
    {"access_token: s3cret, more", "access_token: [redacted], more"},
    // Passwords of addresses.
    {"postgres://app:s3cret@db/x?a=b: refused", "postgres://app:[redacted]@db/x?a=b: refused"},
    {"to \"https://:s3c:r@et@[::1]:80\"", "to \"https://:[redacted]@[::1]:80\""},
    {R"({"url":"http:\/\/a:s3cret@b\/"})", R"({"url":"http:\/\/a:[redacted]@b\/"})"},
    // JSON, and JSON within JSON.
    {R"({"access_token":"s3cret","expires_in":60})", R"({"access_token":"[redacted]","expires_in":60})"},
    {R"({"refresh_token" : "s\"3cret"})", R"({"refresh_token" : "[redacted]"})"},
    {R"({"client_secret":"s3cret\\","x":1})", R"({"client_secret":"[redacted]","x":1})"},
    {R"({"code":"s3cret"})", R"({"code":"[redacted]"})"},
    {R"({"Authorization":"Bearer s3cret","x":1})", R"({"Authorization":"[redacted]","x":1})"},
    {R"("{\"access_token\":\"s3\\\"cret\",\"x\":1}")", R"("{\"access_token\":\"[redacted]\",\"x\":1}")"},
    {"{'cookie': 'a=1', 'x': 1}", "{'cookie': '[redacted]', 'x': 1}"},
    // No secrets.
    {R"({"code":-32601,"message":"Method not found"})", R"({"code":-32601,"message":"Method not found"})"},
    {"exit code=3, error code: 404, barcode=1", "exit code=3, error code: 404, barcode=1"},
    {"authorization_endpoint: https://a", "authorization_endpoint: https://a"},
    {"my_access_token_count=3", "my_access_token_count=3"},
    {"error_code=3&unicode=1", "error_code=3&unicode=1"},
    {"/cb?code=&state=1", "/cb?code=&state=1"},
    {"http://a:80/b@c, ws://user@host:80, a://b c:d@e", "http://a:80/b@c, ws://user@host:80, a://b c:d@e"},
    {"http://", "http://"},
    {"", ""},
};

} // namespace

BOOST_AUTO_TEST_SUITE(redaction)

BOOST_AUTO_TEST_CASE(leaves_out_the_values_that_let_others_in_and_nothing_else)
{
    for (const row& each : rows)
        BOOST_TEST(redacted(each.text) == each.expected);
}

BOOST_AUTO_TEST_CASE(of_what_is_redacted_changes_nothing)
{
    for (const row& each : rows)
        BOOST_TEST(redacted(each.expected) == each.expected);
}

BOOST_AUTO_TEST_CASE(has_no_text_of_which_it_reads_beyond_the_end)
{
    for (const row& each : rows) {
        for (std::size_t size = 0; size <= each.text.size(); ++size) {
            const std::string part(each.text.substr(0, size));
            BOOST_TEST(redacted(part).size() + 100 > part.size());
            BOOST_TEST(without_proofs(part) == part);
        }
    }
}

BOOST_AUTO_TEST_CASE(of_a_message_leaves_out_proofs_alone)
{
    const row messages[] = {
        {R"({"params":{"_meta":{"partyline/proof":"eyJ.eyJ.c2ln","progressToken":1},"access_token":"kept"}})",
         R"({"params":{"_meta":{"partyline/proof":"[redacted]","progressToken":1},"access_token":"kept"}})"},
        {R"([{"partyline\/proof" : "a"},{"\u0070artyline/proof":"b"}])",
         R"([{"partyline\/proof" : "[redacted]"},{"\u0070artyline/proof":"[redacted]"}])"},
        {R"({"x":"a\\","partyline/proof":"b\"c"})", R"({"x":"a\\","partyline/proof":"[redacted]"})"},
        {R"({"x":"partyline/proof","y":"kept","partyline/proof":1})",
         R"({"x":"partyline/proof","y":"kept","partyline/proof":1})"},
        {R"("partyline/proof":"cut)", R"("partyline/proof":"[redacted])"},
        {R"("partyline/proo\u00)", R"("partyline/proo\u00)"},
    };
    for (const row& each : messages)
        BOOST_TEST(without_proofs(each.text) == each.expected);
}

BOOST_AUTO_TEST_SUITE_END()
