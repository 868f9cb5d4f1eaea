#include "proof/proof_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <thread>

using namespace partyline::access;
using namespace std::chrono_literals;

BOOST_FIXTURE_TEST_SUITE(proof_suite, proof_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_proof_of_the_call_by_its_peer_is_valid)
{
    BOOST_TEST(judge_with(proof("add", "{}")) == "valid");
    BOOST_TEST(by == "agent-7");
    BOOST_TEST(judge_with(proof("add", R"({"a":1,"b":"x"})"), "add", R"({"a":1,"b":"x"})") == "valid");
    peer.principal = "service";
    BOOST_TEST(judge_with(make_proof(private_key_of(secret_jwk), "add", *digest_of_params("{}"), now)) == "valid");
}

BOOST_AUTO_TEST_CASE(our_own_proofs_of_each_kind_of_key_are_valid)
{
    for (const char* const algorithm : {"EdDSA", "ES256", "ES384", "RS256"}) {
        const partyline::test::jwt_signer key(algorithm, "k");
        signers = signer_set({{"agent-7", "agent-7", public_key(key.jwk()), {}}});
        const private_key own = private_key_of(key.private_pem());
        BOOST_TEST(judge_with(make_proof(own, "add", *digest_of_params("{}"), now)) == "valid", algorithm);
    }
    const new_key made = make_key("agent-7");
    signers = signer_set({{"agent-7", "agent-7", public_key(made.public_jwk), {}}});
    const std::string made_proof = make_proof(private_key_of(made.private_jwk), "add", *digest_of_params("{}"), now);
    BOOST_TEST(judge_with(made_proof) == "valid");
    BOOST_TEST(made_proof.size() <= 320u);
}

BOOST_AUTO_TEST_CASE(a_call_without_a_proof_lacks_one)
{
    BOOST_TEST(judge("add", "") == "missing");
    BOOST_TEST(judge("add", "{}") == "missing");
    BOOST_TEST(judge("add", "[1]") == "missing");
    BOOST_TEST(judge("add", R"({"_meta":{"proof":"x"},"partyline/proof":"x"})") == "missing");
    BOOST_TEST(judge("add", R"({"_meta":"partyline/proof"})") == "missing");
    const std::string inside = R"([{"_meta":{"partyline/proof":")" + proof("add", "[]") + R"("}}])";
    BOOST_TEST(judge("add", inside) == "missing"); // params that are an array have no place for one
}

// rule: security.proof.once
BOOST_AUTO_TEST_CASE(a_proof_with_any_bit_flipped_is_refused)
{
    const std::string good = proof("add", "{}");
    for (std::size_t i = 0; i < good.size(); ++i)
        for (int bit = 0; bit < 8; ++bit) {
            std::string flipped = good;
            flipped[i] = static_cast<char>(flipped[i] ^ (1 << bit));
            if (flipped[i] == '"' || flipped[i] == '\\' || static_cast<unsigned char>(flipped[i]) < ' ')
                continue; // not this text in JSON
            BOOST_TEST_REQUIRE(judge_with(flipped) != "valid", flipped);
        }
    BOOST_TEST(judge_with(good) == "valid");
}

// rule: security.proof.once
BOOST_AUTO_TEST_CASE(a_proof_of_another_method_or_other_params_is_refused)
{
    BOOST_TEST(judge_with(proof("sub", "{}")) == "method");
    BOOST_TEST(judge_with(proof("Add", "{}")) == "method");
    BOOST_TEST(judge_with(proof("add", R"({"a":1})")) == "params");
    BOOST_TEST(judge_with(proof("add", R"({"a":1})"), "add", R"({"a":2})") == "params");
    BOOST_TEST(judge_with(proof("add", R"({"a":"1"})"), "add", R"({"a":1})") == "params");
    BOOST_TEST(judge_with(proof("add", R"({"a":[1]})"), "add", R"({"a":[1,null]})") == "params");
}

BOOST_AUTO_TEST_CASE(params_in_another_order_are_the_same)
{
    BOOST_TEST(judge_with(proof("add", R"({"a":1,"b":{"c":2,"d":3}})"), "add", R"({ "b": {"d":3,"c":2}, "a":1})") ==
               "valid");
}

BOOST_AUTO_TEST_CASE(numbers_of_one_value_are_the_same_and_those_that_no_double_holds_are_refused)
{
    for (const char* const number : {"1", "1.0", "1e0"})
        BOOST_TEST(judge_with(proof("add", R"({"a":1})"), "add", R"({"a":)" + std::string(number) + '}') == "valid");
    const std::string lost = R"({"a":9007199254740993})";
    BOOST_TEST(judge_with(proof("add", R"({"a":9007199254740992})"), "add", lost) == "params");
    BOOST_TEST(judge_with(proof("add", R"({"a":9007199254740992})"), "add", R"({"a":9007199254740993.0})") == "params");
    BOOST_TEST(judge_with(proof("add", R"({"a":1})"), "add", R"({"a":1,"a":1})") == "params");
}

BOOST_AUTO_TEST_CASE(ids_progress_tokens_and_traces_are_not_covered)
{
    const std::string shown = proof("add", R"({"a":1})");
    BOOST_TEST(
        judge("add", R"({"a":1,"_meta":{"progressToken":9007199254740993,"traceparent":"x","partyline/proof":")" +
                         shown + R"("}})") == "valid");
}

// rule: security.proof.once
BOOST_AUTO_TEST_CASE(a_proof_is_valid_once)
{
    const std::string shown = proof("add", "{}");
    BOOST_TEST(judge_with(shown) == "valid");
    BOOST_TEST(judge_with(shown) == "replayed");
    now += 59s;
    BOOST_TEST(judge_with(shown) == "replayed");
    now += 1s;
    BOOST_TEST(judge_with(shown) == "replayed");
    now += 1s;
    BOOST_TEST(judge_with(shown) == "time");
}

BOOST_AUTO_TEST_CASE(a_proof_that_is_refused_is_not_used_up)
{
    const std::string shown = proof("add", "{}");
    BOOST_TEST(judge_with(shown, "sub") == "method");
    peer.principal = "alice";
    BOOST_TEST(judge_with(shown) == "key");
    peer.principal = "agent-7";
    BOOST_TEST(judge_with(shown) == "valid");
}

BOOST_AUTO_TEST_CASE(another_front_with_a_memory_of_its_own_takes_a_proof_once_more)
{
    const std::string shown = proof("add", "{}");
    BOOST_TEST(judge_with(shown) == "valid");
    seen_nonces others;
    with.seen = &others;
    BOOST_TEST(judge_with(shown) == "valid");
    BOOST_TEST(judge_with(shown) == "replayed");
}

// rule: security.proof.once
BOOST_AUTO_TEST_CASE(a_proof_is_good_for_60_seconds_and_from_5_ahead)
{
    const auto at = [this](std::chrono::milliseconds age) {
        issued = now - std::chrono::ceil<std::chrono::seconds>(age);
        const auto before = now;
        now = issued + age;
        const std::string found = judge_with(proof("add", "{}"));
        now = before;
        return found;
    };
    BOOST_TEST(at(0s) == "valid");
    BOOST_TEST(at(59s) == "valid");
    BOOST_TEST(at(60s) == "valid");
    BOOST_TEST(at(60001ms) == "time");
    BOOST_TEST(at(61s) == "time");
    BOOST_TEST(at(-5s) == "valid");
    BOOST_TEST(at(-5001ms) == "time");
    BOOST_TEST(at(-24h) == "time");
}

BOOST_AUTO_TEST_CASE(times_and_nonces_that_are_none_are_refused)
{
    const std::string digest = digest_text("{}");
    const auto with_claims = [&](const std::string& more) {
        return judge_with(agent.token(header, R"({"m":"add","p":")" + digest + "\"," + more + '}'));
    };
    for (const char* const iat : {"\"1800000000\"", "null", "1e308", "-1", "1800000000000", "true", "1e400"})
        BOOST_TEST(with_claims("\"iat\":" + std::string(iat) + R"(,"jti":")" + nonce_text(1) + '"') == "time", iat);
    BOOST_TEST(with_claims(R"("jti":")" + nonce_text(1) + '"') == "time");
    for (const std::string& jti :
         {std::string("\"x\""), std::string("1"), std::string("null"), '"' + std::string(22, 'A') + "==\"",
          '"' + std::string(21, 'A') + "B\"", '"' + std::string(43, 'A') + '"'})
        BOOST_TEST(with_claims(R"("iat":1800000000,"jti":)" + jti) == "signature", jti);
    BOOST_TEST(with_claims(R"("iat":1800000000)") == "signature");
    BOOST_TEST(with_claims(R"("iat":1800000000.5,"jti":")" + nonce_text(2) + '"') == "valid");
}

BOOST_AUTO_TEST_CASE(claims_that_are_there_twice_or_are_no_texts_are_refused)
{
    BOOST_TEST(judge_with(proof("add", "{}", R"(,"m":"add")")) == "signature");
    BOOST_TEST(judge_with(proof("add", "{}", R"(,"p":1)")) == "signature");
    BOOST_TEST(judge_with(agent.token(header, R"({"m":["add"],"p":1,"iat":1,"jti":")" + nonce_text(3) + "\"}")) ==
               "method");
}

BOOST_AUTO_TEST_CASE(only_a_proof_is_one)
{
    const auto by_header = [this](const std::string& text) {
        return judge_with(agent.token(text, claims("add", "{}")));
    };
    for (const char* const header :
         {R"({"alg":"EdDSA","kid":"k1"})", R"({"alg":"EdDSA","typ":"JWT","kid":"k1"})",
          R"({"alg":"EdDSA","typ":"at+jwt","kid":"k1"})", R"({"alg":"EdDSA","typ":"dpop+jwt","kid":"k1"})",
          R"({"alg":"EdDSA","typ":"Partyline-Proof+JWT","kid":"k1"})",
          R"({"alg":"EdDSA","typ":"application/partyline-proof+jwt","kid":"k1"})",
          R"({"alg":"none","typ":"partyline-proof+jwt","kid":"k1"})",
          R"({"alg":"HS512","typ":"partyline-proof+jwt","kid":"k1"})",
          R"({"alg":"EdDSA","typ":"partyline-proof+jwt","kid":"k1","crit":["b64"],"b64":false})",
          R"({"alg":"EdDSA","typ":"partyline-proof+jwt","kid":7})"})
        BOOST_TEST(by_header(header) == "signature", header);
    const std::string shown = proof("add", "{}");
    BOOST_TEST(judge_with(shown + '=') == "signature");
    BOOST_TEST(judge_with(shown + ".x") == "signature");
    BOOST_TEST(judge_with(' ' + shown) == "signature");
    BOOST_TEST(judge_with(std::string(8193, 'a')) == "signature");
    BOOST_TEST(judge("add", R"({"_meta":{"partyline/proof":7}})") == "signature");
    BOOST_TEST(judge("add", R"({"_meta":{"partyline/proof":")" + shown + R"(","partyline/proof":")" + shown + "\"}}") ==
               "signature");
    BOOST_TEST(judge_with(shown) == "valid");
}

BOOST_AUTO_TEST_CASE(a_key_signs_by_its_own_algorithm_and_for_its_own_principal)
{
    BOOST_TEST(judge_with(agent.token(R"({"alg":"HS256","typ":"partyline-proof+jwt","kid":"k1"})",
                                      claims("add", "{}"))) == "key");
    BOOST_TEST(judge_with(agent.token(R"({"alg":"ES256","typ":"partyline-proof+jwt","kid":"k1"})",
                                      claims("add", "{}"))) == "key");
    BOOST_TEST(judge_with(agent.token(R"({"alg":"EdDSA","typ":"partyline-proof+jwt","kid":"k2"})",
                                      claims("add", "{}"))) == "key");
    BOOST_TEST(judge_with(make_proof(private_key_of(secret_jwk), "add", *digest_of_params("{}"), now)) ==
               "key"); // foreign
    const partyline::test::jwt_signer stranger("EdDSA", "k1");
    BOOST_TEST(judge_with(stranger.token(header, claims("add", "{}"))) == "signature");
}

BOOST_AUTO_TEST_CASE(a_proof_without_the_id_of_a_key_is_by_the_only_one_of_the_principal)
{
    const std::string no_id = R"({"alg":"EdDSA","typ":"partyline-proof+jwt"})";
    BOOST_TEST(judge_with(agent.token(no_id, claims("add", "{}"))) == "valid");
    peer.principal.clear();
    BOOST_TEST(judge_with(agent.token(no_id, claims("add", "{}"))) == "key"); // there are two
    signers =
        signer_set({{"agent-7", "k1", public_key(agent.jwk()), {}}, {"agent-7", "k2", public_key(secret_jwk), {}}});
    peer.principal = "agent-7";
    BOOST_TEST(judge_with(agent.token(no_id, claims("add", "{}"))) == "key");
    signers = signer_set({{"agent-7", "k1", public_key(agent.jwk()), {}}});
    peer.principal.clear();
    BOOST_TEST(judge_with(agent.token(no_id, claims("add", "{}"))) == "valid");
}

BOOST_AUTO_TEST_CASE(a_key_of_which_the_time_is_over_signs_no_more)
{
    signers = signer_set({{"agent-7", "k1", public_key(agent.jwk()), now + 1s}});
    BOOST_TEST(judge_with(proof("add", "{}")) == "valid");
    now += 1s;
    BOOST_TEST(judge_with(proof("add", "{}")) == "key");
}

BOOST_AUTO_TEST_CASE(a_peer_without_a_name_may_be_any_signer)
{
    peer.principal.clear();
    BOOST_TEST(judge_with(proof("add", "{}")) == "valid");
    BOOST_TEST(by == "agent-7");
    BOOST_TEST(judge_with(make_proof(private_key_of(secret_jwk), "add", *digest_of_params("{}"), now)) == "valid");
    BOOST_TEST(by == "service");
}

BOOST_AUTO_TEST_CASE(peers_without_a_name_cost_so_many_signatures_at_most)
{
    peer.principal.clear();
    std::string forged = proof("add", "{}");
    forged[forged.size() - 10] = forged[forged.size() - 10] == 'A' ? 'B' : 'A';
    int count = 0;
    while (judge_with(forged) == "signature")
        ++count;
    BOOST_TEST(count == 100);
    BOOST_TEST(judge_with(forged) == "busy");
    BOOST_TEST(judge_with(proof("add", "{}")) == "busy");
    peer.principal = "agent-7"; // who is bounded by its own quota
    BOOST_TEST(judge_with(proof("add", "{}")) == "valid");
}

BOOST_AUTO_TEST_CASE(proofs_and_tokens_do_not_share_their_signatures)
{
    signature_quota& of_tokens = signature_quota::of_process();
    BOOST_TEST((proof_services().signatures == &signature_quota::of_proofs()));
    BOOST_TEST((proof_services().signatures != &of_tokens));
    BOOST_TEST((issuer_services().signatures == &of_tokens));
}

BOOST_AUTO_TEST_CASE(a_proof_that_is_only_looked_at_is_not_used)
{
    const std::string params = signed_params("{}", proof("add", "{}"));
    partyline::unproven_call call;
    call.method = "add";
    call.params = partyline::json_view::checked(params);
    call.peer = &peer;
    for (int i = 0; i < 2; ++i)
        BOOST_TEST((check_proof(call, signers, with, now).verdict.is == partyline::proof_verdict::outcome::valid));
    const checked_proof one = check_proof(call, signers, with, now);
    const checked_proof other = check_proof(call, signers, with, now); // at the same time
    BOOST_TEST((use_proof(one, with, now).is == partyline::proof_verdict::outcome::valid));
    BOOST_TEST(use_proof(other, with, now).reason == "replayed");
    BOOST_TEST(check_proof(call, signers, with, now).verdict.reason == "replayed");
}

BOOST_AUTO_TEST_CASE(where_there_is_no_room_for_a_nonce_the_proof_can_not_be_checked_now)
{
    for (std::size_t i = 0; i < seen_nonces::max_of_signer; ++i) {
        proof_nonce nonce = {};
        nonce[15] = static_cast<unsigned char>(i % 256);
        nonce[14] = static_cast<unsigned char>(i / 256 + 1);
        BOOST_TEST_REQUIRE((seen.enter("agent-7", nonce, now + 60s, now) == seen_nonces::result::is_new));
    }
    BOOST_TEST(judge_with(proof("add", "{}")) == "busy");
    now += 62s;
    issued = now;
    BOOST_TEST(judge_with(proof("add", "{}")) == "valid");
}

BOOST_AUTO_TEST_SUITE_END()
