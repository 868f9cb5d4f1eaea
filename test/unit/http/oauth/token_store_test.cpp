#include "http/oauth/token_store.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <optional>
#include <string>

using namespace std::literals;
using namespace partyline::http;

BOOST_AUTO_TEST_SUITE(http_oauth_token_store)

BOOST_AUTO_TEST_CASE(tokens_are_read_as_they_were_written)
{
    held_tokens tokens;
    tokens.issuer = "https://as.example/\"";
    tokens.client_id = "c";
    tokens.resource = "https://mcp.example";
    tokens.metadata = "https://mcp.example/metadata";
    tokens.access = "a";
    tokens.refresh = "r";
    tokens.asked = scope_set::read("x y");
    tokens.granted = scope_set::read("y");
    tokens.usable_until = held_tokens::time_point(1'800'000'000s);
    const held_tokens read = read_tokens(to_text(tokens)).value();
    BOOST_TEST((read.issuer == tokens.issuer && read.client_id == "c" && read.resource == tokens.resource));
    BOOST_TEST((read.metadata == tokens.metadata && read.access == "a" && read.refresh == "r"));
    BOOST_TEST((read.asked.text() == "x y" && read.granted.text() == "y"));
    BOOST_TEST((read.usable_until == tokens.usable_until));
    held_tokens least;
    least.issuer = least.resource = "https://a";
    BOOST_TEST(to_text(least) == R"({"issuer":"https://a","resource":"https://a"})");
    BOOST_TEST(!read_tokens(to_text(least))->usable_until);
}

BOOST_AUTO_TEST_CASE(a_text_that_is_broken_is_no_entry)
{
    for (const char* wrong : {"", "{", "[]", "{}", R"({"issuer":"https://a"})", R"({"issuer":1,"resource":"b"})"})
        BOOST_TEST(!read_tokens(wrong), wrong);
    for (const char* until : {"-1", "1e18", "\"x\"", "9000000000"}) {
        const std::string text = R"({"issuer":"i","resource":"r","usable_until":)"s + until + "}";
        BOOST_TEST(!read_tokens(text)->usable_until, until);
    }
}

BOOST_AUTO_TEST_CASE(an_identity_is_that_at_its_issuer_alone)
{
    client_identity who;
    who.issuer = "https://as.example";
    who.id = "i";
    who.secret = "s";
    who.method = client_authentication::post;
    who.redirect_uri = "http://127.0.0.1:4000/callback";
    who.until = 1'900'000'000;
    const std::string text = to_text(who);
    const client_identity read = read_identity(text, "https://as.example").value();
    BOOST_TEST((read.issuer == who.issuer && read.id == "i" && read.secret == "s"));
    BOOST_TEST((read.method == client_authentication::post && read.redirect_uri == who.redirect_uri));
    BOOST_TEST(read.until.value() == 1'900'000'000);
    BOOST_TEST(!read_identity(text, "https://as.example/"));
    BOOST_TEST(!read_identity(text, "https://evil.example"));
    for (const char* wrong :
         {"", "{}", R"({"issuer":"https://as.example"})", R"({"issuer":"https://as.example","client_id":"i"})"})
        BOOST_TEST(!read_identity(wrong, "https://as.example"), wrong);
    BOOST_TEST(identity_name("x") != tokens_name("x"));
}

BOOST_AUTO_TEST_SUITE_END()
