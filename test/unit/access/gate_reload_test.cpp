#include "gate_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

using namespace partyline::access;
using namespace std::chrono_literals;
using partyline::access_answer;
using partyline::access_grant;
using partyline::authentication;
using partyline::authentication_outcome;
using partyline::peer_identity;

namespace {

std::string token_list(std::initializer_list<std::pair<const char*, const char*>> all)
{
    std::string text;
    for (const auto& [token, rest] : all)
        text += std::string(text.empty() ? "" : ", ") + R"({"sha256": ")" + gate_fixture::sha256(token) + "\", " +
                rest + "}";
    return "\"tokens\": [" + text + "]";
}

const std::string as_alice = R"("principal": "alice", "scopes": ["x"])";
const std::string as_bob = R"("principal": "bob")";
const std::string both_tokens = token_list({{"a", as_alice.c_str()}, {"b", as_bob.c_str()}});
const std::string two_rules =
    R"("rules": [{"methods": ["m"], "scopes": ["x"]}, {"methods": ["n"], "principals": ["bob"]}])";

struct two_users : gate_fixture {
    two_users() : gate_fixture("{" + both_tokens + ", " + two_rules + "}") {}

    authentication renewed(const authentication& before) { return tested.renew(before.grant, now); }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(gate_reload_suite, two_users)

BOOST_AUTO_TEST_CASE(a_grant_stays_where_nothing_has_changed)
{
    const authentication found = show("a");
    const auto view = found.grant->view;
    reload("{" + both_tokens + ", " + two_rules + "}");
    BOOST_TEST((renewed(found).grant == found.grant));
    BOOST_TEST((show("a").grant == found.grant));
    BOOST_TEST((found.grant->view == view));
}

BOOST_AUTO_TEST_CASE(a_view_stays_where_only_others_rights_have_changed)
{
    const authentication a = show("a");
    const authentication b = show("b");
    reload("{" + both_tokens +
           R"(, "rules": [{"methods": ["new"], "principals": ["bob"]}, {"methods": ["m"], "scopes": ["x"]}]})");
    BOOST_TEST((renewed(a).grant == a.grant));
    const authentication other = renewed(b);
    BOOST_TEST_REQUIRE(other.outcome == authentication_outcome::admitted);
    BOOST_TEST((other.grant != b.grant));
    BOOST_TEST(other.grant->view->judge("new", {}).is == access_answer::allowed);
    BOOST_TEST(other.grant->view->judge("n", {}).is == access_answer::hidden);
    BOOST_TEST((show("b").grant == other.grant));
    BOOST_TEST((renewed(b).grant == other.grant));
}

BOOST_AUTO_TEST_CASE(other_scopes_are_another_grant_of_the_same_peer)
{
    const authentication found = show("a");
    reload("{" + token_list({{"a", R"("principal": "alice", "scopes": [])"}}) + ", " + two_rules + "}");
    const authentication other = renewed(found);
    BOOST_TEST_REQUIRE(other.outcome == authentication_outcome::admitted);
    BOOST_TEST(other.grant->peer->principal == "alice");
    BOOST_TEST(other.grant->view->judge("m", {}).is == access_answer::lacks_scope);
    BOOST_TEST(found.grant->view->judge("m", {}).is == access_answer::allowed); // grants do not change
}

BOOST_AUTO_TEST_CASE(a_token_that_is_taken_away_ends)
{
    const authentication found = show("a");
    reload("{" + token_list({{"b", as_bob.c_str()}}) + ", " + two_rules + "}");
    BOOST_TEST(renewed(found).outcome == authentication_outcome::invalid);
    BOOST_TEST(show("a").outcome == authentication_outcome::invalid);
    reload("{" + both_tokens + ", " + two_rules + "}");
    BOOST_TEST(show("a").outcome == authentication_outcome::admitted);
}

BOOST_AUTO_TEST_CASE(a_token_that_becomes_somebody_elses_ends)
{
    const authentication found = show("a");
    reload("{" + token_list({{"a", R"("principal": "eve", "scopes": ["x"])"}}) + ", " + two_rules + "}");
    BOOST_TEST(renewed(found).outcome == authentication_outcome::invalid);
    BOOST_TEST(show("a").grant->peer->principal == "eve");
    BOOST_TEST(renewed(found).outcome == authentication_outcome::invalid);
}

BOOST_AUTO_TEST_CASE(certificates_users_and_anonymous_peers_are_taken_away_as_well)
{
    peer_identity user;
    user.local = peer_identity::credentials{1, 7, 1};
    peer_identity agent;
    agent.principal = "CN=a";
    reload(R"({"anonymous": true, "users": [{"uid": 7, "principal": "u"}], "certificates": [{"subject": "CN=a",
               "principal": "a"}], "rules": [{"methods": ["m"], "principals": ["anonymous"]}]})");
    std::vector<authentication> all;
    for (const peer_identity& from : {user, agent, peer_identity()})
        all.push_back(tested.authenticate(from, {}, now));
    for (const authentication& one : all)
        BOOST_TEST(one.outcome == authentication_outcome::admitted);
    BOOST_TEST(all[2].grant->peer->principal == "");
    BOOST_TEST(all[2].grant->view->judge("m", {}).is == access_answer::allowed);
    BOOST_TEST(all[0].grant->view->judge("m", {}).is == access_answer::hidden);
    BOOST_TEST(show("wrong").outcome == authentication_outcome::invalid); // which is not the same as nothing
    reload(R"({"anonymous": true, "rules": [{"methods": ["m"], "principals": ["anonymous"]}]})");
    BOOST_TEST(renewed(all[0]).outcome == authentication_outcome::invalid); // it does not become anonymous
    BOOST_TEST(renewed(all[1]).outcome == authentication_outcome::invalid);
    BOOST_TEST(renewed(all[2]).outcome == authentication_outcome::admitted);
    reload("{}");
    BOOST_TEST(renewed(all[2]).outcome == authentication_outcome::invalid);
}

BOOST_AUTO_TEST_CASE(rules_that_go_are_a_view_that_goes)
{
    const authentication found = show("a");
    reload("{" + both_tokens + "}");
    const authentication other = renewed(found);
    BOOST_TEST_REQUIRE(other.outcome == authentication_outcome::admitted);
    BOOST_TEST(!other.grant->view);
    BOOST_TEST((other.grant != found.grant));
}

// rule: security.access.file
BOOST_AUTO_TEST_CASE(a_wrong_file_changes_nothing)
{
    const authentication found = show("a");
    const std::string path = file.path();
    for (const char* const wrong : {"", "{", R"({"rules": [{}]})", R"({"tokens": []} x)"}) {
        BOOST_CHECK_THROW(reload(wrong), std::runtime_error);
        BOOST_TEST((renewed(found).grant == found.grant));
    }
    std::filesystem::remove(path);
    BOOST_CHECK_EXCEPTION(tested.reload(), std::runtime_error, [&](const std::runtime_error& failed) {
        return failed.what() == path + ": No such file or directory";
    });
    BOOST_TEST((show("a").grant == found.grant));
}

BOOST_AUTO_TEST_CASE(limits_that_change_are_another_quota)
{
    reload("{" + both_tokens + R"(, "limits": [{"at_once": 5}]})");
    const authentication a = show("a");
    const authentication b = show("b");
    BOOST_TEST(a.grant->quota);
    BOOST_TEST(a.grant->quota != b.grant->quota);
    reload("{" + both_tokens + R"(, "limits": [{"at_once": 5}, {"principals": ["bob"], "at_once": 6}]})");
    BOOST_TEST((renewed(a).grant == a.grant));
    BOOST_TEST(renewed(b).grant->quota->limits().at_once == 6u);
}

BOOST_AUTO_TEST_CASE(two_tokens_of_a_principal_share_its_quota)
{
    reload("{" + token_list({{"a", as_alice.c_str()}, {"b", as_alice.c_str()}}) + R"(, "limits": [{"at_once": 5}]})");
    BOOST_TEST((show("a").grant->quota == show("b").grant->quota));
    BOOST_TEST((show("a").grant != show("b").grant));
}

// Alice's rights alternate, bob's stay. Whoever asks gets one of both views of alice, and always the same grant of bob.
BOOST_AUTO_TEST_CASE(a_thousand_reloads_refuse_nobody_and_mix_nothing)
{
    const auto with = [](const char* method) {
        return "{" + both_tokens + R"(, "rules": [{"methods": [")" + method +
               R"("], "principals": ["alice"]}, {"methods": ["n"], "principals": ["bob"]}]})";
    };
    reload(with("m"));
    const std::shared_ptr<const access_grant> of_bob = show("b").grant;
    std::atomic<bool> is_over = false;
    std::atomic<int> wrong = 0;
    std::vector<std::thread> readers;
    for (int i = 0; i < 3; ++i)
        readers.emplace_back([&] {
            std::shared_ptr<const access_grant> mine = show("a").grant;
            while (!is_over) {
                const authentication a = show("a");
                const authentication b = show("b");
                if (!a.grant || a.grant->peer->principal != "alice" || !b.grant || b.grant != of_bob) {
                    ++wrong;
                    continue;
                }
                const bool has_m = a.grant->view->judge("m", {}).is == access_answer::allowed;
                const bool has_k = a.grant->view->judge("k", {}).is == access_answer::allowed;
                const authentication renewed = tested.renew(mine, now);
                wrong += has_m == has_k || !renewed.grant || show("c").outcome != authentication_outcome::invalid;
                if (renewed.grant)
                    mine = renewed.grant;
            }
        });
    for (int i = 0; i < 1'000; ++i)
        reload(with(i % 2 == 0 ? "k" : "m"));
    is_over = true;
    for (std::thread& one : readers)
        one.join();
    BOOST_TEST(wrong == 0);
    BOOST_TEST((show("b").grant == of_bob));
}

BOOST_AUTO_TEST_SUITE_END()
