// Keys of issuers as they come over HTTP, from servers that may be broken or hostile, and tokens meanwhile.

#include "client/fickle_server.hpp"
#include "gate_fixture.hpp"
#include "jwt/jwt_fixture.hpp"
#include "support/http_client.hpp"

#include <partyline/http/document_fetcher.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

using namespace partyline::access;
using namespace std::chrono_literals;
using partyline::authentication_outcome;
using partyline::test::asked_request;
using partyline::test::bare_answer;
using partyline::test::fickle_server;
using partyline::test::json_answer;
using partyline::test::jwks;
using partyline::test::jwt_signer;
using partyline::test::key_of;

namespace {

constexpr std::string_view claims =
    R"({"iss":"https://as.example.org","aud":"https://rpc.example.org/mcp","sub":"alice","exp":4000000000})";

/// A gate whose issuer has its keys at a server that answers as the test says.
struct fetching_gate : gate_fixture {
    fetching_gate() : gate_fixture("{}")
    {
        now = std::chrono::system_clock::now(); // as the first fetch has it
        tested.log_to([this](std::string_view line) { lines.emplace_back(line); });
        tested.fetch_by(partyline::http::make_document_fetcher(context.get_executor(), no_tls));
        reload(text(source.address("/keys"), true));
    }

    static std::string text(const std::string& address, bool allow_private)
    {
        return R"({"issuers": [{"issuer": "https://as.example.org", "audiences": ["https://rpc.example.org/mcp"],
                   "jwks_uri": ")" +
               address + R"(", "allow_private": )" + (allow_private ? "true" : "false") +
               R"(}], "rules": [{"methods": ["m"]}]})";
    }
    authentication_outcome show_one(const std::string& shown) { return show(shown).outcome; }
    // Whether keys were fetched so often, or could not be, and no fetch is under way.
    void wait_for_fetches(long count)
    {
        partyline::test::run_until(context, [&] { return source.count("GET") == count; });
        context.restart();
        context.poll();
    }

    static std::unique_ptr<partyline::detail::secure_layer> no_tls(int, const std::string&)
    {
        throw std::logic_error("it was connected to");
    }

    boost::asio::io_context context;
    std::string answer = bare_answer(404);
    fickle_server source{context, [this](const asked_request&) { return answer; }, fickle_server::after_answer::close};
    std::vector<std::string> lines;
    const std::string token = key_of("ES256").token(claims);
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(fetched_keys_suite, fetching_gate, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(tokens_are_unavailable_until_the_keys_have_come)
{
    answer = json_answer(200, jwks({key_of("ES256").jwk()}));
    BOOST_TEST(show_one(token) == authentication_outcome::unavailable);
    partyline::test::run_until(context, [&] { return show_one(token) == authentication_outcome::admitted; });
    BOOST_TEST(source.count("GET") == 1);
    BOOST_TEST(lines.empty());
}

BOOST_AUTO_TEST_CASE(a_hostile_or_broken_source_makes_tokens_unavailable_and_is_asked_again_later)
{
    const std::string good = json_answer(200, jwks({key_of("ES256").jwk()}));
    const std::string deep(100'000, '[');
    long asked = 0;
    for (const std::string& bad :
         {json_answer(200, std::string(10'000'000, ' ')), json_answer(200, std::string(65'537, ' ')),
          "HTTP/1.1 302 X\r\nLocation: http://169.254.169.254/latest\r\nContent-Length: 0\r\n\r\n" + std::string(),
          "HTTP/1.1 200 X\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>" + std::string(),
          json_answer(500, jwks({key_of("ES256").jwk()})), bare_answer(204), json_answer(200, "garbage"),
          json_answer(200, ""), json_answer(200, "{}"), json_answer(200, deep.substr(0, 60'000)),
          json_answer(200, R"({"keys":[{"kty":"oct","k":"AAAA","kid":"k1"}]})"), std::string("SSH-2.0-x\r\n\r\n")}) {
        answer = bad;
        BOOST_TEST(show_one(token) == authentication_outcome::unavailable, bad.substr(0, 100));
        wait_for_fetches(++asked);
        BOOST_TEST(show_one(token) == authentication_outcome::unavailable, bad.substr(0, 100));
        now += 6min;
    }
    BOOST_TEST(!lines.empty());
    answer = good;
    show_one(token);
    partyline::test::run_until(context, [&] { return show_one(token) == authentication_outcome::admitted; });
    BOOST_TEST(source.count("GET") == asked + 1);
}

BOOST_AUTO_TEST_CASE(a_private_address_is_not_asked_unless_the_file_allows_it)
{
    std::string address = source.address("/keys");
    reload(text(address.replace(0, 4, "https"), false));
    BOOST_TEST(show_one(token) == authentication_outcome::unavailable);
    partyline::test::run_until(context, [&] { return !lines.empty(); });
    BOOST_TEST(show_one(token) == authentication_outcome::unavailable);
    BOOST_TEST(source.count("GET") == 0);
    BOOST_TEST(lines.front().find("which is not public") != std::string::npos, lines.front());
}

BOOST_AUTO_TEST_CASE(keys_that_rotate_refuse_nobody)
{
    answer = json_answer(200, jwks({key_of("ES256").jwk()}));
    show_one(token);
    partyline::test::run_until(context, [&] { return show_one(token) == authentication_outcome::admitted; });
    const jwt_signer second("ES256", "second");
    answer = json_answer(200, jwks({key_of("ES256").jwk(), second.jwk()}));
    const std::string newer = second.token(claims);
    BOOST_TEST(show_one(newer) == authentication_outcome::unavailable);
    partyline::test::run_until(context, [&] {
        const authentication_outcome is = show_one(newer);
        BOOST_TEST((is == authentication_outcome::unavailable || is == authentication_outcome::admitted));
        BOOST_TEST(show_one(token) == authentication_outcome::admitted);
        return is == authentication_outcome::admitted;
    });
}

BOOST_AUTO_TEST_CASE(old_keys_serve_while_their_source_fails)
{
    answer = json_answer(200, jwks({key_of("ES256").jwk()}));
    show_one(token);
    partyline::test::run_until(context, [&] { return show_one(token) == authentication_outcome::admitted; });
    answer = bare_answer(500);
    now += 11min;
    BOOST_TEST(show_one(token) == authentication_outcome::admitted);
    wait_for_fetches(2);
    BOOST_TEST(show_one(token) == authentication_outcome::admitted);
}

BOOST_AUTO_TEST_SUITE_END()
