#include "proof/proof_fixture.hpp"
#include "support/dialogue.hpp"
#include "support/outcome.hpp"

#include <partyline/access/sign_calls.hpp>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <set>
#include <stdexcept>
#include <string>

using namespace partyline::access;
using namespace partyline::test;
using call_outcome = partyline::test::outcome;
using partyline::call_params;
using partyline::json_text;
using partyline::next_call;
using partyline::peer_call;
using partyline::response;
namespace json = boost::json;

namespace {

struct caller : dialogue {
    caller()
    {
        judge.signers = signer_set({{"agent-7", "agent-7", public_key(key.public_jwk), {}}});
        options.around_calls.add(sign_calls(signing_key(key.private_jwk)));
    }
    ~caller()
    {
        destroy_session();
        settle();
    }

    void call(call_outcome& into, std::string method, call_params params)
    {
        server().call(std::move(method), std::move(params))(into.handler());
    }
    // The message that was sent, and what a server makes of it.
    json::object heard()
    {
        const std::string line = receive();
        const json::object message = json::parse(line).as_object();
        judge.now = std::chrono::system_clock::now();
        verdict = judge.judge(std::string(message.at("method").as_string()), json::serialize(message.at("params")));
        return message;
    }
    std::string failure(call_params params)
    {
        told[3] = {};
        call(told[3], "add", std::move(params));
        run_until([&] { return told[3].is_there(); });
        return told[3].text();
    }

    call_outcome told[4]; // of calls that nobody answers, too
    const new_key key = make_key("agent-7");
    proof_fixture judge;
    std::string verdict;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(sign_calls_suite, caller, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(each_call_and_notification_has_a_proof_of_its_own)
{
    call(told[0], "add", json::object{{"b", 1.5}, {"a", "x\n\"\u20ac"}});
    json::object message = heard();
    BOOST_TEST(verdict == "valid");
    BOOST_TEST(message.at("params").at("b") == json::value(1.5));
    call(told[1], "add", nullptr);
    heard();
    BOOST_TEST(verdict == "valid");
    call(told[2], "add", json_text(R"({"_meta":{"progressToken":7},"n":[1.0,1e2],"o":{}})"));
    message = heard();
    BOOST_TEST(verdict == "valid");
    BOOST_TEST(message.at("params").at("_meta").at("progressToken") == json::value(7));
    server().notify("note", json::object{{"a", 1}})([](partyline::error_code, auto) {});
    heard();
    BOOST_TEST(verdict == "valid");
}

// The session puts the token there behind the middleware.
BOOST_AUTO_TEST_CASE(a_call_that_asks_for_progress_is_signed_as_one_that_does_not)
{
    partyline::call_options with_progress;
    with_progress.on_progress([](const json::value&) {});
    server().call("add", json::object{{"a", 1}}, with_progress)(told[0].handler());
    const json::object message = heard();
    BOOST_TEST(message.at("params").as_object().contains("workDoneToken"));
    BOOST_TEST(verdict == "valid");
}

BOOST_AUTO_TEST_CASE(what_can_not_be_signed_is_not_sent)
{
    const std::string refused = "failed: " + partyline::make_error_code(partyline::errc::bad_params).message();
    BOOST_TEST(failure(json::array{1, 2}) == refused);
    BOOST_TEST(failure(json::array{}) == refused);
    BOOST_TEST(failure(json::object{{"a", std::uint64_t(9007199254740993)}}) == refused);
    BOOST_TEST(failure(json_text(R"({"a":1,"a":2})")) == refused);
    BOOST_TEST(failure(json_text(R"({"a":"\ud800"})")) == refused);
    BOOST_TEST(failure(json_text(R"({"_meta":{},"_meta":{}})")) == refused);
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_call_that_is_tried_again_is_signed_again)
{
    partyline::call_middleware_list list;
    list.add([](peer_call&, next_call& next) -> boost::asio::awaitable<response> {
        response first = co_await next();
        if (!first.error())
            co_return first;
        co_return co_await next();
    });
    list.add(sign_calls(signing_key(key.private_jwk)));
    options.around_calls = list;
    call(told[0], "add", json::object{{"a", 1}});
    const json::object first = heard();
    BOOST_TEST(verdict == "valid");
    send(R"({"jsonrpc":"2.0","id":)" + json::serialize(first.at("id")) +
         R"(,"error":{"code":-31001,"message":"busy"}})");
    const json::object second = heard();
    BOOST_TEST(verdict == "valid");
    BOOST_TEST(first.at("params").at("_meta").at("partyline/proof") !=
               second.at("params").at("_meta").at("partyline/proof"));
}

BOOST_AUTO_TEST_CASE(a_protocol_without_metadata_has_no_place_for_a_proof)
{
    struct bare final : partyline::profile {
        bare() { metadata = {}; }
    };
    static const bare protocol;
    options.profile = &protocol;
    BOOST_TEST(failure(json::object{{"a", 1}}).starts_with("failed: "));
    expect_silence();
}

BOOST_AUTO_TEST_CASE(texts_that_are_no_private_key_are_refused)
{
    const jwt_signer agent("ES256", "k");
    const std::string texts[] = {"",
                                 " ",
                                 "x",
                                 "{}",
                                 "[]",
                                 key.public_jwk,
                                 agent.jwk(),
                                 agent.pem(),
                                 R"({"kty":"oct","k":"c2hvcnQ"})",
                                 R"({"kty":"OKP","crv":"Ed25519","d":"AAAA"})",
                                 R"({"kty":"OKP","crv":"X25519","d":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"})",
                                 "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"};
    for (const std::string& text : texts)
        BOOST_CHECK_EXCEPTION(signing_key{text}, std::runtime_error, [&](const std::runtime_error& failed) {
            const bool is_public = text == key.public_jwk || text == agent.jwk() || text == agent.pem();
            return std::string(failed.what())
                .starts_with(is_public ? "this is a public key: a private key is expected"
                                       : "a private key is expected");
        });
}

BOOST_AUTO_TEST_CASE(private_keys_are_read_as_jwk_and_as_pem)
{
    BOOST_CHECK_NO_THROW(signing_key{secret_jwk});
    BOOST_CHECK_NO_THROW(signing_key{key.private_jwk + "\n"});
    for (const char* const algorithm : {"EdDSA", "ES256", "ES384", "RS256"})
        BOOST_CHECK_NO_THROW(signing_key(jwt_signer(algorithm, "k").private_pem()));
    std::set<std::string> all;
    for (int i = 0; i < 100; ++i)
        all.insert(make_key("a").private_jwk);
    BOOST_TEST(all.size() == 100u);
}

BOOST_AUTO_TEST_SUITE_END()
