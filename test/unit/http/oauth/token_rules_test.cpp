#include "http/oauth/token_rules.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <optional>
#include <string>

using namespace std::literals;
using namespace partyline::http;

namespace {

const held_tokens::time_point now(1'800'000'000s);

held_tokens some_tokens()
{
    held_tokens tokens;
    tokens.issuer = "https://as.example";
    tokens.access = "access";
    tokens.refresh = "refresh";
    tokens.asked = scope_set::read("a b");
    tokens.granted = scope_set::read("a");
    tokens.usable_until = now + 1h;
    return tokens;
}

challenge refusal(int status, const std::string& refused = "access", const std::string& scope = {})
{
    challenge made;
    made.status = status;
    made.error = status == 403 ? "insufficient_scope" : "invalid_token";
    made.scope = scope;
    made.refused_token = refused;
    return made;
}

token_step step(const held_tokens& tokens, const std::optional<challenge>& after = std::nullopt,
                bool can_renew_alone = true, bool has_just_renewed = false)
{
    const token_situation is = {.now = now, .can_renew_alone = can_renew_alone, .has_just_renewed = has_just_renewed};
    return next_step(tokens, after, is);
}

held_tokens expired()
{
    held_tokens tokens = some_tokens();
    tokens.usable_until = now;
    return tokens;
}

std::string asked_scopes(const std::optional<challenge>& after, const held_tokens& tokens,
                         const std::string& supported = {}, const std::string& of_issuer = {},
                         bool wants_refresh = true, const std::string& by_user = {})
{
    server_metadata server;
    server.scopes_supported = scope_set::read(supported);
    issuer_metadata issuer;
    issuer.scopes_supported = scope_set::read(of_issuer);
    return scopes_to_ask(after, tokens, scope_set::read(by_user), server, issuer, wants_refresh).text();
}

} // namespace

BOOST_AUTO_TEST_SUITE(http_oauth_token_rules)

BOOST_AUTO_TEST_CASE(a_token_is_used_until_it_expires)
{
    BOOST_TEST((step(some_tokens()) == token_step::use));
    BOOST_TEST((step(expired()) == token_step::renew));
    BOOST_TEST((step(expired(), std::nullopt, false) == token_step::go_without));
    BOOST_TEST((step(held_tokens(), std::nullopt, false) == token_step::go_without));
    held_tokens without_end = some_tokens();
    without_end.usable_until.reset();
    BOOST_TEST((step(without_end) == token_step::use));
}

BOOST_AUTO_TEST_CASE(a_token_that_was_refused_is_not_used_again)
{
    BOOST_TEST((step(some_tokens(), refusal(401)) == token_step::renew));
    BOOST_TEST((step(held_tokens(), refusal(401, "")) == token_step::renew));
}

BOOST_AUTO_TEST_CASE(a_request_that_was_refused_for_another_token_uses_the_one_that_is_here)
{
    BOOST_TEST((step(some_tokens(), refusal(401, "older")) == token_step::use));
    BOOST_TEST((step(some_tokens(), refusal(401, "")) == token_step::use));
    BOOST_TEST((step(expired(), refusal(401, "older")) == token_step::renew));
    BOOST_TEST((step(some_tokens(), refusal(403, "older", "b")) == token_step::use));
    BOOST_TEST((step(some_tokens(), refusal(403, "older", "b c")) == token_step::renew));
}

BOOST_AUTO_TEST_CASE(a_token_that_was_just_got_is_used_whatever_its_end_is)
{
    BOOST_TEST((step(expired(), std::nullopt, true, true) == token_step::use));
    BOOST_TEST((step(expired(), refusal(401, "older"), true, true) == token_step::use));
    BOOST_TEST((step(expired(), refusal(401, "access"), true, true) == token_step::use)); // the issuer has repeated it
    BOOST_TEST((step(expired(), refusal(403, "access", "c"), true, true) == token_step::renew));
    BOOST_TEST((step(held_tokens(), std::nullopt, true, true) == token_step::go_without));
}

BOOST_AUTO_TEST_CASE(a_refusal_that_no_scope_helps_is_final)
{
    challenge forbidden = refusal(403);
    forbidden.error = "";
    BOOST_TEST((step(some_tokens(), forbidden) == token_step::refuse));
    forbidden.error = "access_denied";
    forbidden.scope = "a";
    BOOST_TEST((step(some_tokens(), forbidden) == token_step::refuse));
    forbidden.error = ""; // of servers that leave it out
    BOOST_TEST((step(some_tokens(), forbidden) == token_step::renew));
    challenge other = refusal(401);
    other.scheme = "Basic";
    BOOST_TEST((step(some_tokens(), other) == token_step::refuse));
    BOOST_TEST(words_of(other).find("asks for 'Basic'") != std::string::npos);
    other.scheme = "BEARER";
    BOOST_TEST((step(some_tokens(), other) == token_step::renew));
}

BOOST_AUTO_TEST_CASE(want_of_scopes_is_never_refreshed)
{
    BOOST_TEST(is_refresh_due(some_tokens(), std::nullopt, false));
    BOOST_TEST(is_refresh_due(some_tokens(), refusal(401), false));
    BOOST_TEST(!is_refresh_due(some_tokens(), refusal(401), true));
    BOOST_TEST(!is_refresh_due(some_tokens(), refusal(403), false));
    held_tokens without = some_tokens();
    without.refresh.clear();
    BOOST_TEST(!is_refresh_due(without, refusal(401), false));
}

BOOST_AUTO_TEST_CASE(a_login_asks_for_what_the_server_names_or_supports_or_for_nothing)
{
    BOOST_TEST(asked_scopes(refusal(401, "", "x y"), held_tokens(), "s t") == "x y");
    BOOST_TEST(asked_scopes(refusal(401, ""), held_tokens(), "s t") == "s t");
    BOOST_TEST(asked_scopes(refusal(401, ""), held_tokens()).empty());
    BOOST_TEST(asked_scopes(refusal(401, "", "x"), held_tokens(), "s", "", true, "u x") == "x u");
}

BOOST_AUTO_TEST_CASE(scopes_are_united_and_not_replaced)
{
    BOOST_TEST(asked_scopes(refusal(403, "access", "c"), some_tokens(), "s t") == "a b c");
    BOOST_TEST(asked_scopes(refusal(401, "access", "c"), some_tokens(), "s t") == "a b c");
    BOOST_TEST(asked_scopes(refusal(401), some_tokens(), "s t") == "a b");
    BOOST_TEST(asked_scopes(std::nullopt, some_tokens(), "s t") == "a b");
}

BOOST_AUTO_TEST_CASE(refresh_tokens_are_asked_for_where_the_issuer_knows_them_and_never_for_the_server)
{
    const challenge wants_it = refusal(401, "", "x offline_access");
    BOOST_TEST(asked_scopes(wants_it, held_tokens()) == "x");
    BOOST_TEST(asked_scopes(refusal(401, ""), held_tokens(), "s offline_access") == "s");
    BOOST_TEST(asked_scopes(refusal(401, "", "x"), held_tokens(), "", "x offline_access") == "x offline_access");
    BOOST_TEST(asked_scopes(refusal(401, "", "x"), held_tokens(), "", "x offline_access", false) == "x");
    BOOST_TEST(asked_scopes(refusal(401, ""), held_tokens(), "", "offline_access").empty());
    BOOST_TEST(asked_scopes(wants_it, held_tokens(), "", "", true, "offline_access") == "x offline_access");
}

BOOST_AUTO_TEST_CASE(tokens_are_used_sixty_seconds_less_than_they_live)
{
    BOOST_TEST((usable_until(now, 3600s).value() == now + 3540s));
    BOOST_TEST((usable_until(now, 120s).value() == now + 60s));
    BOOST_TEST((usable_until(now, 60s).value() == now + 30s)); // or half of it
    BOOST_TEST((usable_until(now, 1s).value() == now + 1s));
    BOOST_TEST((usable_until(now, 0s).value() == now));
    BOOST_TEST(!usable_until(now, std::nullopt));
}

BOOST_AUTO_TEST_CASE(three_logins_for_the_same_scopes_are_the_last_for_a_while)
{
    login_limit limit;
    const login_limit::time_point at{};
    const auto begin = [&](const std::string& scopes, std::chrono::seconds after) {
        if (!limit.allows(scope_set::read(scopes), at + after))
            return false;
        limit.count(scope_set::read(scopes), at + after);
        return true;
    };
    for (const char* same : {"a b", "b a", "a b"})
        BOOST_TEST(begin(same, 0s));
    BOOST_TEST(!begin("a b", 299s));
    BOOST_TEST(begin("a b c", 0s));
    BOOST_TEST(begin("a b", 300s));
    for (int i = 0; i < 1000; ++i) // a server that names another scope each time
        begin(std::to_string(i), 300s);
    BOOST_TEST(!begin("z", 300s));
    BOOST_TEST(begin("z", 600s));
}

BOOST_AUTO_TEST_CASE(a_refusal_is_told_in_the_words_of_the_server)
{
    challenge said = refusal(403, "secret-token", "a\x1b[2J");
    said.error_description = "no\nway" + std::string(8000, 'x');
    const std::string words = words_of(said);
    BOOST_TEST(words.starts_with("the server refuses the request: status 403, insufficient_scope: no\\u000away"));
    BOOST_TEST((words.find("'a\\u001b[2J'") != std::string::npos && words.size() < 1000U), words);
    BOOST_TEST(words.find("secret-token") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_words_of_a_refusal_do_not_repeat_the_token)
{
    const std::string token = "a-token-that-is-long-enough";
    challenge told = refusal(401, token, token);
    told.error = "invalid_token/" + token;
    told.error_description = token + token + " and " + std::string(280, 'x') + token; // one would be cut
    const std::string words = words_of(told);
    BOOST_TEST(words.find("a-token") == words.npos, words);
    BOOST_TEST(words.find("[redacted][redacted] and x") != words.npos, words);
    told.refused_token = "invalid"; // what is so short is no secret
    BOOST_TEST(words_of(told).find("invalid_token") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
