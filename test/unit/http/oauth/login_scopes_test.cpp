// Which token a request gets, over the network: complaints about other clients, each a test.

#include "oauth/login_fixture.hpp"
#include "oauth/refused.hpp"

#include <partyline/http/client_errc.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace std::literals;
using namespace partyline;
using namespace partyline::test;

BOOST_FIXTURE_TEST_SUITE(http_oauth_login_scopes, login_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(want_of_scopes_is_a_login_and_no_refresh)
{
    BOOST_TEST(token(401, {}, "basic") == "access-1");
    BOOST_TEST(token(403, "access-1", "write") == "access-2");
    BOOST_TEST(logins.size() == 2U);
    BOOST_TEST(logins.at(1).find("scope").value() == "basic write");
    for (std::size_t i = 0; i < token_forms.size(); ++i)
        BOOST_TEST(token_form(i).find("grant_type").value() == "authorization_code");
    now += 2h;
    BOOST_TEST(ask().get() == "access-3");
    BOOST_TEST(token_form(2).find("scope").value() == "basic write");
}

BOOST_AUTO_TEST_CASE(a_refresh_asks_for_what_was_granted)
{
    granted = "basic";
    BOOST_TEST(token(401, {}, "basic more") == "access-1");
    now += 2h;
    BOOST_TEST(ask().get() == "access-2");
    BOOST_TEST(token_form(1).find("scope").value() == "basic");
}

BOOST_AUTO_TEST_CASE(a_token_that_is_refused_is_refreshed_once_and_then_there_is_a_login)
{
    BOOST_TEST(token() == "access-1");
    BOOST_TEST(token(401, "access-1") == "access-2");
    BOOST_TEST(token_form(1).find("grant_type").value() == "refresh_token");
    BOOST_TEST(token(401, "access-2") == "access-3");
    BOOST_TEST(token_form(2).find("grant_type").value() == "authorization_code");
    BOOST_TEST(logins.size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_refresh_that_is_refused_is_a_login)
{
    BOOST_TEST(token(401, {}, "a b") == "access-1");
    at_issuer = [&](const asked_request& asked) -> std::optional<std::string> {
        if (asked.body.find("grant_type=refresh_token") == std::string::npos)
            return std::nullopt;
        return json_answer(400, R"({"error":"invalid_grant"})");
    };
    now += 2h;
    BOOST_TEST(ask().get() == "access-2");
    BOOST_TEST(logins.size() == 2U);
    BOOST_TEST(logins.at(1).find("scope").value() == "a b");
    BOOST_TEST(registrations.size() == 1U);
}

BOOST_AUTO_TEST_CASE(an_issuer_that_is_down_is_no_login)
{
    BOOST_TEST(token() == "access-1");
    bool is_down = true;
    at_issuer = [&](const asked_request& asked) {
        const bool is_token = asked.head.starts_with("POST /token ");
        return is_down && is_token ? std::optional(bare_answer(503)) : std::nullopt;
    };
    now += 2h;
    started<std::string> asked = ask();
    BOOST_TEST((asked.failure() == http::client_errc::unauthorized));
    BOOST_TEST(has(asked.words, "HTTP status 503"), asked.words);
    is_down = false;
    BOOST_TEST(ask().get() == "access-2");
    BOOST_TEST(logins.size() == 1U);
}

BOOST_AUTO_TEST_CASE(sixty_four_requests_share_one_refresh)
{
    BOOST_TEST(token() == "access-1");
    now += 2h;
    std::vector<started<std::string>> all;
    for (int i = 0; i < 32; ++i)
        all.push_back(ask());
    for (int i = 0; i < 32; ++i)
        all.push_back(ask(refusal(401, "access-1")));
    for (started<std::string>& one : all)
        BOOST_TEST(one.get() == "access-2");
    BOOST_TEST((token_forms.size() == 2U && logins.size() == 1U));
    BOOST_TEST(token(401, "access-1") == "access-2"); // whoever comes late
}

BOOST_AUTO_TEST_CASE(sixty_four_requests_share_one_login_and_one_failure)
{
    login_error = "access_denied";
    std::vector<started<std::string>> all;
    for (int i = 0; i < 64; ++i)
        all.push_back(ask(refusal()));
    for (started<std::string>& one : all)
        BOOST_TEST((one.failure() == http::client_errc::unauthorized));
    BOOST_TEST(logins.size() == 1U);
    login_error.clear();
    all.clear();
    for (int i = 0; i < 64; ++i)
        all.push_back(ask(refusal(401, {}, "a")));
    for (started<std::string>& one : all)
        BOOST_TEST(one.get() == "access-1");
    all.clear();
    for (int i = 0; i < 64; ++i)
        all.push_back(ask(refusal(403, "access-1", "b")));
    for (started<std::string>& one : all)
        BOOST_TEST(one.get() == "access-2");
    BOOST_TEST(logins.size() == 3U);
}

BOOST_AUTO_TEST_CASE(requests_that_want_other_scopes_log_in_one_after_the_other)
{
    BOOST_TEST(token(401, {}, "a") == "access-1");
    started<std::string> one = ask(refusal(403, "access-1", "b"));
    started<std::string> other = ask(refusal(403, "access-1", "c"));
    BOOST_TEST(one.get() == "access-2");
    BOOST_TEST(other.get() == "access-3");
    BOOST_TEST(logins.at(2).find("scope").value() == "a b c");
}

BOOST_AUTO_TEST_CASE(an_issuer_that_repeats_a_refused_token_is_asked_once_for_all)
{
    at_issuer = [&](const asked_request& asked) -> std::optional<std::string> {
        if (!asked.head.starts_with("POST /token "))
            return std::nullopt;
        token_forms.push_back(asked.body);
        return json_answer(200, R"({"access_token":"same","token_type":"Bearer","refresh_token":"r"})");
    };
    BOOST_TEST(token() == "same");
    std::vector<started<std::string>> all;
    for (int i = 0; i < 16; ++i)
        all.push_back(ask(refusal(401, "same")));
    for (started<std::string>& one : all)
        BOOST_TEST(one.get() == "same");
    BOOST_TEST(token_forms.size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_refresh_that_nobody_waits_for_any_more_is_not_lost)
{
    BOOST_TEST(token() == "access-1");
    now += 2h;
    started<std::string> asked = ask();
    at_issuer = [&](const asked_request& request) -> std::optional<std::string> {
        if (request.head.starts_with("POST /token "))
            asked.cancel(); // the issuer has the refresh token by now, which it takes once
        return std::nullopt;
    };
    BOOST_TEST((asked.failure() == boost::asio::error::operation_aborted));
    run_until(context, [&] { return client().known() == "access-2"; });
    BOOST_TEST(token_forms.size() == 2U);
    BOOST_TEST(has(kept.at("tokens " + server_address()), "refresh-2"));
}

BOOST_AUTO_TEST_CASE(tokens_that_expire_at_once_are_used_once)
{
    lifetime = 0;
    BOOST_TEST(token() == "access-1");
    BOOST_TEST(!client().known());
    BOOST_TEST(ask().get() == "access-2");
    BOOST_TEST(ask().get() == "access-3");
    BOOST_TEST(logins.size() == 1U);
}

BOOST_AUTO_TEST_CASE(tokens_that_another_process_has_refreshed_are_taken_over)
{
    BOOST_TEST(token() == "access-1");
    const auto before = kept;
    now += 2h;
    BOOST_TEST(ask().get() == "access-2"); // the other process
    const auto after = kept;
    kept = before;
    restart();
    BOOST_TEST(!client().known());
    kept = before;
    const std::string name = "tokens " + server_address();
    options.store.load = [&, reads = 0](const std::string& asked) mutable {
        return asked != name ? kept[asked] : (reads++ == 0 ? before : after).at(name);
    };
    restart();
    BOOST_TEST(ask().get() == "access-2");
    BOOST_TEST(token_forms.size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_scope_that_is_gone_is_not_asked_for_again)
{
    BOOST_TEST(token(401, {}, "a") == "access-1");
    login_error = "invalid_scope";
    BOOST_TEST(has(failure_words(403, "access-1", "b"), "invalid_scope"));
    BOOST_TEST(logins.at(1).find("scope").value() == "a b");
    login_error.clear();
    restart(); // the store knows it, too
    BOOST_TEST(token(403, "access-1", "b") == "access-2");
    BOOST_TEST(logins.at(2).find("scope").value() == "b");
}

BOOST_AUTO_TEST_CASE(a_refusal_that_no_token_helps_is_told_in_the_words_of_the_server)
{
    BOOST_TEST(token() == "access-1");
    http::challenge forbidden = refusal(403, "access-1");
    forbidden.error = "";
    forbidden.error_description = "not for you";
    started<std::string> asked = ask(forbidden);
    BOOST_TEST((asked.failure() == http::client_errc::unauthorized));
    BOOST_TEST(has(asked.words, "status 403: not for you"), asked.words);
    BOOST_TEST(logins.size() == 1U);
}

BOOST_AUTO_TEST_CASE(no_secret_is_in_the_words_of_a_failure)
{
    options.client_id = "known";
    options.client_secret = "the-secret";
    BOOST_TEST(token() == "access-1");
    at_issuer = [&](const asked_request& asked) -> std::optional<std::string> {
        if (!asked.head.starts_with("POST /token "))
            return std::nullopt;
        return json_answer(500, R"({"error":"server_error"})");
    };
    const std::string why = failure_words(401, "access-1");
    BOOST_TEST(has(why, "server_error"), why);
    for (const char* secret : {"the-secret", "access-1", "refresh-1", "code-"})
        BOOST_TEST(!has(why, secret), why);
}

BOOST_AUTO_TEST_CASE(secrets_that_an_issuer_repeats_are_not_in_the_words_of_a_failure)
{
    options.client_id = "known";
    options.client_secret = "the-secret";
    at_issuer = [&](const asked_request& asked) -> std::optional<std::string> {
        if (!asked.head.starts_with("POST /token "))
            return std::nullopt;
        const http::form_fields form = *http::form_fields::read(asked.body);
        return json_answer(503, R"({"error":"e","error_description":"the-secret )" +
                                    form.find("code_verifier").value_or("none") + ' ' +
                                    form.find("refresh_token").value_or("none") + "\"}");
    };
    const std::string why = failure_words();
    BOOST_TEST(has(why, "e: [redacted] [redacted] none"), why);
    at_issuer = nullptr;
    BOOST_TEST(token() == "access-1");
    at_issuer = [&](const asked_request& asked) -> std::optional<std::string> {
        if (!asked.head.starts_with("POST /token "))
            return std::nullopt;
        return json_answer(503, R"({"error":"e","error_description":"the-secret refresh-1"})");
    };
    const std::string refreshing = failure_words(401, "access-1");
    BOOST_TEST(has(refreshing, "e: [redacted] [redacted]"), refreshing);
}

BOOST_AUTO_TEST_CASE(a_secret_that_an_issuer_repeats_in_base64_is_not_in_the_words_of_a_failure)
{
    options.client_id = "known";
    options.client_secret = "the-secret";
    for (const bool is_sent_on : {false, true}) {
        std::string shown;
        at_issuer = [&](const asked_request& asked) -> std::optional<std::string> {
            if (!asked.head.starts_with("POST /token "))
                return std::nullopt;
            shown = asked.field("Authorization").substr("Basic "s.size());
            if (is_sent_on)
                return "HTTP/1.1 302 X\r\nContent-Length: 0\r\nLocation: http://127.0.0.1/?" + shown + "\r\n\r\n";
            return json_answer(401, R"({"error":"e","error_description":"not Basic )" + shown + "\"}");
        };
        const std::string why = failure_words();
        BOOST_TEST(has(why, "[redacted]"), why);
        BOOST_TEST((!shown.empty() && !has(why, shown)), why);
    }
}

BOOST_AUTO_TEST_CASE(secrets_that_an_issuer_sends_on_are_not_in_the_words_of_a_failure)
{
    options.client_id = "known";
    options.client_secret = "the-secret/of-it";
    members["token_endpoint_auth_methods_supported"] = R"(["client_secret_post"])";
    BOOST_TEST(token() == "access-1");
    at_issuer = [&](const asked_request& asked) -> std::optional<std::string> {
        if (!asked.head.starts_with("POST /token "))
            return std::nullopt;
        return "HTTP/1.1 302 X\r\nContent-Length: 0\r\nLocation: http://127.0.0.1/?" + asked.body + "\r\n\r\n";
    };
    const std::string why = failure_words(401, "access-1");
    BOOST_TEST(has(why, "which leads to"), why);
    for (const char* secret : {"the-secret", "refresh-1"})
        BOOST_TEST(!has(why, secret), why);
}

BOOST_AUTO_TEST_CASE(a_refresh_that_another_process_has_been_faster_with_leaves_its_tokens)
{
    BOOST_TEST(token() == "access-1");
    const std::string name = "tokens " + server_address();
    const auto before = kept;
    now += 2h;
    BOOST_TEST(ask().get() == "access-2"); // the other process
    const std::string after = kept.at(name);
    kept = before;
    restart();
    at_issuer = [&](const asked_request& asked) -> std::optional<std::string> {
        if (!asked.head.starts_with("POST /token "))
            return std::nullopt;
        kept[name] = after; // it saves them while we ask
        return json_answer(400, R"({"error":"invalid_grant"})");
    };
    BOOST_TEST(ask().get() == "access-2");
    BOOST_TEST(kept.at(name) == after);
    BOOST_TEST(logins.size() == 1U);
}

BOOST_AUTO_TEST_CASE(an_issuer_that_is_busy_is_no_login)
{
    BOOST_TEST(token() == "access-1");
    now += 2h;
    for (const auto& [status, code] : {std::pair{429, "e"}, {400, "temporarily_unavailable"}, {200, "server_error"}}) {
        const std::string answer = json_answer(status, R"({"error":")" + std::string(code) + "\"}");
        at_issuer = [answer](const asked_request& asked) {
            return asked.head.starts_with("POST /token ") ? std::optional(answer) : std::nullopt;
        };
        BOOST_TEST((ask().failure() == http::client_errc::unauthorized));
    }
    at_issuer = nullptr;
    BOOST_TEST(ask().get() == "access-2");
    BOOST_TEST(token_form(1).find("refresh_token").value() == "refresh-1");
    BOOST_TEST(logins.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_refresh_that_is_refused_when_nobody_waits_any_more_is_no_login)
{
    BOOST_TEST(token() == "access-1");
    now += 2h;
    started<std::string> asked = ask();
    at_issuer = [&](const asked_request& request) -> std::optional<std::string> {
        if (!request.head.starts_with("POST /token "))
            return std::nullopt;
        asked.cancel();
        return json_answer(400, R"({"error":"invalid_grant"})");
    };
    BOOST_TEST((asked.failure() == boost::asio::error::operation_aborted));
    run_until(context, [&] { return !has(kept.at("tokens " + server_address()), "refresh-1"); });
    context.restart();
    context.poll();
    BOOST_TEST(logins.size() == 1U);
    at_issuer = nullptr;
    BOOST_TEST(ask().get().empty());
    BOOST_TEST(token() == "access-2");
}

BOOST_AUTO_TEST_CASE(tokens_that_could_not_be_saved_are_not_exchanged_for_older_ones)
{
    bool is_full = false;
    options.store.save = [&](const std::string& name, const std::string& text) {
        if (is_full)
            throw std::runtime_error("no space left");
        kept[name] = text;
    };
    BOOST_TEST(token() == "access-1");
    now += 2h;
    is_full = true;
    BOOST_CHECK_THROW(ask().get(), std::runtime_error);
    BOOST_TEST(client().known().value() == "access-2");
    is_full = false;
    now += 2h;
    BOOST_TEST(ask().get() == "access-3");
    BOOST_TEST(token_form(2).find("refresh_token").value() == "refresh-2");
    BOOST_TEST(has(kept.at("tokens " + server_address()), "refresh-3"));
}

BOOST_AUTO_TEST_CASE(an_access_token_that_is_repeated_loses_no_refresh_token)
{
    int refreshes = 0;
    at_issuer = [&](const asked_request& asked) -> std::optional<std::string> {
        if (!asked.head.starts_with("POST /token "))
            return std::nullopt;
        token_forms.push_back(asked.body);
        return json_answer(200, R"({"access_token":"same","token_type":"Bearer","expires_in":3600,"refresh_token":"r)" +
                                    std::to_string(++refreshes) + "\"}");
    };
    const std::string name = "tokens " + server_address();
    BOOST_TEST(token() == "same");
    const auto before = kept;
    now += 2h;
    BOOST_TEST(ask().get() == "same");
    BOOST_TEST(token_form(1).find("refresh_token").value() == "r1");
    const auto after = kept;
    BOOST_TEST(has(after.at(name), "\"r2\""));
    // Another process has read what was there before, and finds what is there now.
    for (const bool is_refused : {false, true}) {
        options.store.load = [&, reads = 0](const std::string& asked) mutable {
            return asked != name ? kept[asked] : (reads++ == 0 ? before : after).at(name);
        };
        restart();
        const std::size_t count = token_forms.size();
        BOOST_TEST(ask(is_refused ? std::optional(refusal(401, "same")) : std::nullopt).get() == "same");
        BOOST_TEST(token_forms.size() == count + (is_refused ? 1 : 0));
        if (is_refused) // the token is of no use; its refresh token is
            BOOST_TEST(token_form(count).find("refresh_token").value() == "r2");
    }
    BOOST_TEST(logins.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_refresh_token_that_could_not_be_saved_is_not_exchanged_for_the_one_before)
{
    bool is_full = false;
    options.store.save = [&](const std::string& name, const std::string& text) {
        if (is_full)
            throw std::runtime_error("no space left");
        kept[name] = text;
    };
    int refreshes = 0;
    at_issuer = [&](const asked_request& asked) -> std::optional<std::string> {
        if (!asked.head.starts_with("POST /token "))
            return std::nullopt;
        token_forms.push_back(asked.body);
        return json_answer(200, R"({"access_token":"same","token_type":"Bearer","refresh_token":"r)" +
                                    std::to_string(++refreshes) + "\"}");
    };
    BOOST_TEST(token() == "same");
    is_full = true;
    started<std::string> asked = ask(refusal(401, "same"));
    BOOST_CHECK_THROW(asked.get(), std::runtime_error);
    is_full = false;
    now += 2h;
    asked_issuer.clear();
    BOOST_TEST(ask().get() == "same"); // does not expire
    http::challenge later = refusal(401, "same");
    BOOST_TEST(ask(later).get() == "same");
    BOOST_TEST(token_form(1).find("refresh_token").value() == "r1");
    for (std::size_t i = 2; i < token_forms.size(); ++i)
        BOOST_TEST(!has(token_forms[i], "refresh_token=r1"));
}

BOOST_AUTO_TEST_CASE(tokens_of_a_process_that_has_registered_anew_are_taken_over)
{
    BOOST_TEST(token() == "access-1");
    const auto before = kept;
    now += 2h;
    kept.clear();
    restart();
    BOOST_TEST(token() == "access-2"); // the other process
    BOOST_TEST(registrations.size() == 2U);
    const auto after = kept;
    kept = before;
    restart();
    at_server = [&](const asked_request&) -> std::optional<std::string> {
        kept = after;
        return std::nullopt;
    };
    BOOST_TEST(ask().get() == "access-2");
    BOOST_TEST(kept == after);
    BOOST_TEST((logins.size() == 2U && token_forms.size() == 2U));
}

BOOST_AUTO_TEST_SUITE_END()
