// The signers of an access file, and what a gate makes of their proofs.

#include "gate_fixture.hpp"
#include "proof/proof_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

using namespace partyline::access;
using namespace std::chrono_literals;
using partyline::access_answer;
using partyline::authentication;
using partyline::authentication_outcome;
using partyline::peer_identity;
using partyline::proof_verdict;
using proof_outcome = partyline::proof_verdict::outcome;

namespace {

const new_key agent = make_key("agent-7");
const new_key other = make_key("agent-8");

std::string entry(const new_key& of, std::string_view principal, std::string_view more = {})
{
    return R"({"principal":")" + std::string(principal) + R"(","jwk":)" + of.public_jwk + std::string(more) + '}';
}

std::string text_with(std::string_view signers, std::string_view rules = R"({"methods":["add"],"proof":true})")
{
    return R"({"anonymous":true,"tokens":[{"principal":"agent-7","sha256":")" + gate_fixture::sha256("good") +
           R"("}],"signers":[)" + std::string(signers) + R"(],"rules":[)" + std::string(rules) + "]}";
}

/// A gate of the real time, as views have it.
struct signed_gate : gate_fixture {
    signed_gate() : gate_fixture(text_with(entry(agent, "agent-7") + ',' + entry(other, "agent-8"))) {}

    static std::string params_of(const new_key& key, std::string_view method = "add", const std::string& params = "{}")
    {
        return proof_fixture::signed_params(params, make_proof(private_key_of(key.private_jwk), method,
                                                               digest_of_params(params).value(),
                                                               std::chrono::system_clock::now()));
    }
    proof_verdict check(const authentication& found, const std::string& params, std::string_view method = "add")
    {
        signer.reset();
        partyline::unproven_call call;
        call.method = method;
        call.params = partyline::json_view::checked(params);
        call.peer = found.grant->peer.get();
        call.consent = [this](const std::shared_ptr<const partyline::access_grant>& by) {
            signer = by;
            return consents;
        };
        return found.grant->view->check_proof(call);
    }
    authentication anonymous() { return tested.authenticate({}, {}, now); }

    std::shared_ptr<const partyline::access_grant> signer; // as the last check has told
    bool consents = true;
};

bool is_read(const std::string& text)
{
    try {
        const gate_fixture unused(text);
        return true;
    } catch (const std::runtime_error&) {
        return false;
    }
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(signers_suite, signed_gate, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_rule_asks_for_a_proof_of_whom_it_fits)
{
    BOOST_TEST(show("good").grant->view->judge("add", {}).is == access_answer::needs_proof);
    BOOST_TEST(show("good").grant->view->judge("sub", {}).is == access_answer::hidden);
    BOOST_TEST(anonymous().grant->view->judge("add", {}).is == access_answer::needs_proof);
    BOOST_TEST((check(show("good"), params_of(agent)).is == proof_outcome::valid));
}

BOOST_AUTO_TEST_CASE(a_rule_without_a_proof_allows_before_one_with_it)
{
    reload(text_with(entry(agent, "agent-7"), R"({"methods":["a*"],"proof":true},{"methods":["add"],"scopes":["s"]},
                                                 {"methods":["adder"]},{"methods":["b"],"scopes":["s"],"proof":true})"));
    const auto view = show("good").grant->view;
    BOOST_TEST(view->judge("adder", {}).is == access_answer::allowed);
    BOOST_TEST(view->judge("add", {}).is == access_answer::needs_proof); // and not: lacks a scope
    BOOST_TEST(view->judge("b", {}).is == access_answer::lacks_scope);
    BOOST_TEST(view->judge("ping", {}).is == access_answer::allowed);
    BOOST_TEST(view->judge("c", {}).is == access_answer::hidden);
}

BOOST_AUTO_TEST_CASE(rules_for_signers_alone_exist_for_who_may_prove_to_be_one)
{
    reload(text_with(entry(agent, "agent-7"), R"({"methods":["mine"],"principals":["agent-7"],"proof":true},
        {"methods":["theirs"],"principals":["bob"],"proof":true},{"methods":["open"],"principals":["agent-7"]})"));
    const auto view = anonymous().grant->view;
    BOOST_TEST(view->judge("mine", {}).is == access_answer::needs_proof);
    BOOST_TEST(view->judge("theirs", {}).is == access_answer::hidden);
    BOOST_TEST(view->judge("open", {}).is == access_answer::hidden);
    reload(text_with(entry(other, "agent-8"), R"({"methods":["mine"],"principals":["agent-7"],"proof":true},
        {"methods":["theirs"],"principals":["bob"],"proof":true},{"methods":["open"],"principals":["agent-7"]})"));
    BOOST_TEST(anonymous().grant->view->judge("mine", {}).is == access_answer::hidden);
}

BOOST_AUTO_TEST_CASE(a_foreign_signer_is_refused)
{
    const proof_verdict found = check(show("good"), params_of(other));
    BOOST_TEST((found.is == proof_outcome::refused));
    BOOST_TEST(found.reason == "key");
}

BOOST_AUTO_TEST_CASE(a_peer_that_shows_nothing_has_the_grant_of_its_signer_for_a_call)
{
    BOOST_TEST_REQUIRE((check(anonymous(), params_of(agent)).is == proof_outcome::valid));
    BOOST_TEST_REQUIRE(signer);
    BOOST_TEST(signer->peer->principal == "agent-7");
    BOOST_TEST(signer->peer->source == "proof");
    BOOST_TEST(signer->view->judge("add", {}).is == access_answer::needs_proof);
    const auto first = signer;
    check(anonymous(), params_of(other));
    BOOST_TEST_REQUIRE(signer);
    BOOST_TEST(signer->peer->principal == "agent-8");
    check(anonymous(), params_of(agent));
    BOOST_TEST((signer == first)); // one for all its calls
    check(show("good"), params_of(agent));
    BOOST_TEST(!signer);
}

BOOST_AUTO_TEST_CASE(a_proof_that_the_session_does_not_consent_to_is_not_used)
{
    const std::string params = params_of(agent);
    consents = false;
    BOOST_TEST((check(anonymous(), params).is != proof_outcome::valid));
    BOOST_TEST((check(show("good"), params).is != proof_outcome::valid));
    consents = true;
    BOOST_TEST((check(show("good"), params).is == proof_outcome::valid));
    consents = false;
    BOOST_TEST(check(anonymous(), params).reason == "replayed");
    BOOST_TEST(!signer); // nobody was asked
}

BOOST_AUTO_TEST_CASE(a_signer_has_the_scopes_and_the_end_of_its_entry)
{
    reload(text_with(entry(agent, "agent-7", R"(,"scopes":["s"],"until":"2100-01-01T00:00:00Z")"),
                     R"({"methods":["add"],"proof":true},{"methods":["open"],"scopes":["s"]})"));
    check(anonymous(), params_of(agent));
    BOOST_TEST_REQUIRE(signer);
    BOOST_TEST(signer->view->judge("open", {}).is == access_answer::allowed);
    BOOST_TEST(signer->peer->until.has_value());
    reload(text_with(entry(agent, "agent-7", R"(,"until":"2020-01-01T00:00:00Z")")));
    BOOST_TEST(check(anonymous(), params_of(agent)).reason == "key");
    BOOST_TEST(check(show("good"), params_of(agent)).reason == "key");
}

BOOST_AUTO_TEST_CASE(a_signer_that_is_taken_away_counts_no_more_from_then_on)
{
    const authentication found = show("good");
    const authentication nobody = anonymous();
    reload(text_with(entry(other, "agent-8")));
    BOOST_TEST(check(found, params_of(agent)).reason == "key"); // by the view that it has still
    BOOST_TEST(check(nobody, params_of(agent)).reason == "key");
    reload(text_with(entry(agent, "agent-7")));
    BOOST_TEST((check(found, params_of(agent)).is == proof_outcome::valid));
}

BOOST_AUTO_TEST_CASE(another_key_that_takes_the_id_of_a_signer_is_who_the_file_says)
{
    check(anonymous(), params_of(agent));
    BOOST_TEST_REQUIRE(signer);
    BOOST_TEST(signer->peer->principal == "agent-7");
    const new_key another = make_key("agent-7");
    reload(text_with(entry(another, "bob")));
    BOOST_TEST(check(anonymous(), params_of(agent)).reason == "signature");
    BOOST_TEST((check(anonymous(), params_of(another)).is == proof_outcome::valid));
    BOOST_TEST_REQUIRE(signer);
    BOOST_TEST(signer->peer->principal == "bob");
}

BOOST_AUTO_TEST_CASE(a_proof_stays_used_when_the_file_is_read_again)
{
    const std::string params = params_of(agent);
    BOOST_TEST((check(show("good"), params).is == proof_outcome::valid));
    reload(text_with(entry(other, "agent-8")));
    reload(text_with(entry(agent, "agent-7")));
    BOOST_TEST(check(show("good"), params).reason == "replayed");
    const partyline::access::gate another(file.path()); // of the same process
    BOOST_TEST(check(show("good"), params).reason == "replayed");
}

BOOST_AUTO_TEST_CASE(a_view_that_outlives_its_gate_takes_no_proof)
{
    authentication found;
    {
        partyline::access::gate short_lived(file.path());
        found = short_lived.authenticate({}, bearer("good"), now);
    }
    BOOST_TEST(check(found, params_of(agent)).reason == "key");
}

BOOST_AUTO_TEST_CASE(keys_are_read_from_files_too)
{
    const partyline::test::jwt_signer key("ES256", "k1");
    const auto write = [&](const char* name, const std::string& text, int mode) {
        const auto path = std::filesystem::path(file.path()).parent_path() / name;
        std::ofstream(path) << text;
        std::filesystem::permissions(path, std::filesystem::perms(mode));
    };
    write("agent.pem", key.pem(), 0644);
    write("agent.jwk", key.jwk(), 0644);
    write("open.jwk", secret_jwk, 0644);
    write("secret.jwk", secret_jwk, 0600);
    write("private.pem", key.private_pem(), 0600);
    write("loose.pem", key.pem(), 0666);
    const auto text = [](const std::string& name) {
        return text_with(R"({"principal":"agent-7","key_file":")" + name + "\"}");
    };
    for (const char* const good : {"agent.pem", "agent.jwk", "secret.jwk"})
        BOOST_CHECK_NO_THROW(reload(text(good)));
    for (const char* const bad : {"open.jwk", "private.pem", "loose.pem", "none.pem"})
        BOOST_CHECK_THROW(reload(text(bad)), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(a_secret_in_the_file_is_for_its_owner_alone)
{
    file.write(text_with(R"({"principal":"agent-7","jwk":)" + secret_jwk + '}'));
    BOOST_CHECK_NO_THROW(tested.reload());
    std::filesystem::permissions(file.path(), std::filesystem::perms(0640));
    BOOST_CHECK_EXCEPTION(tested.reload(), std::runtime_error, [](const std::runtime_error& failed) {
        return std::string(failed.what()).ends_with("signers: others can read the secret of a key here: chmod go-r");
    });
}

BOOST_AUTO_TEST_CASE(two_signers_have_two_ids)
{
    BOOST_TEST(!is_read(text_with(entry(agent, "a") + ',' + entry(agent, "b"))));
    BOOST_TEST(is_read(text_with(entry(agent, "a") + ',' + entry(other, "a")))); // a key that takes the other's place
}

BOOST_AUTO_TEST_CASE(a_call_that_needs_a_proof_is_explained)
{
    peer_identity who;
    who.principal = "agent-7";
    const explanation found = tested.explain(who, "add");
    BOOST_TEST(found.answer == access_answer::needs_proof);
    BOOST_TEST(found.text == "needs a proof: rules[0]");
}

BOOST_AUTO_TEST_SUITE_END()
