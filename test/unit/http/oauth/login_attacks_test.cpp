// Servers and authorization servers that don't mean well, or are broken: no token, no code and no secret reaches them,
// nothing is without end, and the failure is told.

#include "oauth/login_fixture.hpp"
#include "oauth/refused.hpp"

#include <partyline/http/client_errc.hpp>
#include <partyline/protocol/errc.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

using namespace std::literals;
using namespace partyline;
using namespace partyline::test;

namespace {

struct attack_fixture : login_fixture {
    // All of these at one address of the issuer or the server.
    std::optional<std::string> answer;
    std::string at;

    attack_fixture()
    {
        const auto answering = [this](const asked_request& asked) {
            return asked.head.starts_with(at + ' ') ? answer : std::nullopt;
        };
        at_issuer = answering;
        at_server = answering;
    }

    std::string failure_at(const std::string& line, const std::string& with)
    {
        at = line;
        answer = with;
        restart();
        kept.clear();
        token_forms.clear();
        return failure_words();
    }
    bool has_asked_issuer(const std::string& line) const
    {
        return std::find(asked_issuer.begin(), asked_issuer.end(), line) != asked_issuer.end();
    }
};

const std::vector<std::string> lines = {"GET /.well-known/oauth-protected-resource/mcp",
                                        "GET /.well-known/oauth-authorization-server", "POST /register", "POST /token"};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_oauth_login_attacks, attack_fixture, *boost::unit_test::timeout(120))

// rule: security.login.addresses
BOOST_AUTO_TEST_CASE(no_redirect_is_followed)
{
    for (const std::string& line : lines) {
        for (const int status : {301, 302, 307, 308}) {
            const std::string to = "Location: " + issuer_address("/elsewhere") + "\r\n";
            const std::string why =
                failure_at(line, "HTTP/1.1 " + std::to_string(status) + " X\r\n" + to + "Content-Length: 0\r\n\r\n");
            BOOST_TEST(has(why, "which leads to"), line + ": " + why);
        }
    }
    BOOST_TEST(!has_asked_issuer("GET /elsewhere"));
    BOOST_TEST(!has_asked_issuer("POST /elsewhere"));
}

BOOST_AUTO_TEST_CASE(errors_and_pages_in_place_of_documents_are_told)
{
    for (const std::string& line : lines) {
        const bool is_get = line.starts_with("GET");
        const std::string down = failure_at(line, bare_answer(500));
        BOOST_TEST(has(down, "HTTP status 500"), line + ": " + down);
        const std::string html =
            failure_at(line, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>");
        BOOST_TEST(has(html, is_get ? "is no JSON object" : (line == "POST /token" ? "no access_token" : "register")),
                   line + ": " + html);
    }
}

BOOST_AUTO_TEST_CASE(documents_are_no_longer_than_64_kib)
{
    for (const std::string& line : lines) {
        const std::string why = failure_at(line, json_answer(200, std::string(10'000'000, ' ')));
        BOOST_TEST(has(why, "longer than 65536 bytes"), line + ": " + why);
    }
}

BOOST_AUTO_TEST_CASE(an_answer_of_another_issuer_brings_no_code_to_this_one)
{
    for (const std::string& told : {"https://evil.example"s, issuer_address("/"), ""s}) {
        restart();
        iss = told;
        const std::string why = failure_words();
        BOOST_TEST(has(why, told.empty() ? "does not say which authorization server" : "the answer to the login is of"),
                   why);
    }
    BOOST_TEST(token_forms.empty());
    iss.reset();
    BOOST_TEST(token() == "access-1");
}

BOOST_AUTO_TEST_CASE(metadata_of_another_server_or_issuer_is_not_used)
{
    resource = "https://evil.example/mcp";
    BOOST_TEST(has(failure_words(), "its resource is 'https://evil.example/mcp'"));
    BOOST_TEST(asked_issuer.empty());
    resource = server_address();
    members["issuer"] = R"("https://attacker.example")";
    BOOST_TEST(has(failure_words(), "is about another one, 'https://attacker.example'"));
    BOOST_TEST((logins.empty() && registrations.empty() && token_forms.empty()));
}

BOOST_AUTO_TEST_CASE(nobody_logs_in_where_a_code_could_be_stolen)
{
    for (const char* methods : {"", "[]", R"(["plain"])", R"("S256")"}) {
        members["code_challenge_methods_supported"] = methods;
        BOOST_TEST(has(failure_words(), "PKCE with S256"), methods);
    }
    BOOST_TEST((logins.empty() && registrations.empty()));
}

BOOST_AUTO_TEST_CASE(pages_that_are_no_addresses_of_https_are_not_shown)
{
    for (const char* page : {"javascript:alert(1)", "file:///bin/sh", "http://evil.example/login",
                             "https://evil.example/`id`", "https://evil.example/ -x"}) {
        members["authorization_endpoint"] = '"' + std::string(page) + '"';
        BOOST_TEST(has(failure_words(), "the authorization_endpoint of the authorization server is not used"), page);
    }
    BOOST_TEST(logins.empty());
}

BOOST_AUTO_TEST_CASE(what_is_not_the_answer_is_told_so_and_the_answer_is_waited_for)
{
    is_person_there = false;
    started<std::string> asked = ask(refusal());
    run_until(context, [&] { return !logins.empty(); });
    const std::string right = answer_address();
    const std::string redirect = *logins.back().find("redirect_uri");
    std::vector<std::string> wrong = {redirect + "?code=stolen&iss=" + issuer_address(),
                                      redirect + "?code=stolen&state=guessed&iss=" + issuer_address(),
                                      redirect.substr(0, redirect.rfind('/')) + "/favicon.ico",
                                      redirect.substr(0, redirect.rfind('/')) + right.substr(right.find('?'))};
    for (const std::string& one : wrong)
        co_spawn(context, visit(one), boost::asio::detached);
    run_until(context, [&] { return pages.size() == wrong.size(); });
    for (const std::string& page : pages)
        BOOST_TEST(page.starts_with("HTTP/1.1 400 "), page);
    BOOST_TEST(!asked.is_done());
    co_spawn(context, visit(right), boost::asio::detached);
    BOOST_TEST(asked.get() == "access-1");
    BOOST_TEST(token_form(0).find("code").value() == "code-1");
}

BOOST_AUTO_TEST_CASE(a_code_is_used_once)
{
    is_person_there = false;
    started<std::string> asked = ask(refusal());
    run_until(context, [&] { return !logins.empty(); });
    for (int i = 0; i < 8; ++i)
        co_spawn(context, visit(answer_address()), [](std::exception_ptr) {}); // later ones find nobody there
    BOOST_TEST(asked.get() == "access-1");
    context.restart();
    context.poll();
    BOOST_TEST(token_forms.size() == 1U);
    BOOST_TEST(std::count_if(pages.begin(), pages.end(),
                             [](const std::string& page) { return page.starts_with("HTTP/1.1 200 "); }) <= 1);
}

BOOST_AUTO_TEST_CASE(a_person_may_refuse)
{
    login_error = "access_denied";
    BOOST_TEST(has(failure_words(), "the login was refused: 'access_denied'"));
    run_until(context, [&] { return !pages.empty(); });
    BOOST_TEST(has(pages.at(0), "The login has failed"));
    BOOST_TEST(token_forms.empty());
}

BOOST_AUTO_TEST_CASE(a_login_that_nobody_answers_ends)
{
    is_person_there = false;
    options.login_timeout = 50ms;
    started<std::string> asked = ask(refusal());
    BOOST_TEST((asked.failure() == errc::timeout));
    BOOST_TEST(has(asked.words, "nobody has logged in"));
}

BOOST_AUTO_TEST_CASE(a_login_ends_with_its_last_request)
{
    is_person_there = false;
    started<std::string> one = ask(refusal());
    started<std::string> other = ask(refusal());
    run_until(context, [&] { return !logins.empty(); });
    one.cancel();
    BOOST_TEST((one.failure() == boost::asio::error::operation_aborted));
    BOOST_TEST(!other.is_done());
    other.cancel();
    BOOST_TEST((other.failure() == boost::asio::error::operation_aborted));
    bool is_refused = false; // nobody listens any more
    co_spawn(context, visit(answer_address()), [&](std::exception_ptr failed) { is_refused = bool(failed); });
    run_until(context, [&] { return is_refused; });
    is_person_there = true;
    BOOST_TEST(token() == "access-1");
    BOOST_TEST(logins.size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_client_that_is_destroyed_leaves_nobody_waiting)
{
    is_person_there = false;
    started<std::string> asked = ask(refusal());
    run_until(context, [&] { return !logins.empty(); });
    restart();
    BOOST_TEST((asked.failure() == boost::asio::error::operation_aborted));
    bool is_refused = false; // nobody listens any more
    co_spawn(context, visit(answer_address()), [&](std::exception_ptr failed) { is_refused = bool(failed); });
    run_until(context, [&] { return is_refused; });
}

BOOST_AUTO_TEST_CASE(a_context_may_be_destroyed_while_somebody_logs_in)
{
    is_person_there = false;
    started<std::string> asked = ask(refusal());
    run_until(context, [&] { return !logins.empty(); });
    co_spawn(context, visit(answer_address()), boost::asio::detached); // an answer under way
    BOOST_TEST(!asked.is_done());
}

BOOST_AUTO_TEST_CASE(a_server_that_refuses_every_token_gets_three_logins)
{
    has_refresh_tokens = false;
    std::string refused;
    for (int i = 0; i < 3; ++i)
        refused = token(401, refused, "a");
    BOOST_TEST(refused == "access-3");
    const std::string why = failure_words(401, refused, "a");
    BOOST_TEST(has(why, "status 401"), why);
    BOOST_TEST(has(why, "3 logins for the same scopes"), why);
    BOOST_TEST(logins.size() == 3U);
}

// rule: security.login.addresses
BOOST_AUTO_TEST_CASE(tokens_go_to_loopback_or_over_https)
{
    const auto make = [&](const std::string& server) { http::oauth_client(context.get_executor(), server, options); };
    for (const char* server : {"http://mcp.example", "ws://mcp.example", "http://10.0.0.1/mcp", "ftp://x", "mcp"})
        BOOST_CHECK_THROW(make(server), std::invalid_argument);
    for (const char* server : {"https://mcp.example", "wss://mcp.example/x", "http://localhost:1", "http://[::1]:1/x"})
        BOOST_CHECK_NO_THROW(make(server));
}

BOOST_AUTO_TEST_CASE(a_server_leads_nobody_into_the_network_of_its_client)
{
    const auto words = [&](const std::string& named, bool allow_private) {
        http::oauth_options how = options;
        how.allow_private = allow_private;
        how.tls = [](int, const std::string&) -> std::unique_ptr<partyline::detail::secure_layer> {
            throw std::runtime_error("it was connected to");
        };
        http::oauth_client away(context.get_executor(), "https://mcp.example/mcp", how);
        http::challenge after = refusal();
        after.resource_metadata = named;
        try {
            started<std::string>(context, away.token(after)).get();
        } catch (const std::exception& e) {
            return std::string(e.what());
        }
        return std::string("it has succeeded");
    };
    const std::string inside = "https" + server_address().substr(4);
    BOOST_TEST(has(words(inside, false), "has the address 127.0.0.1, which is not public"));
    BOOST_TEST(has(words(server_address(), false), "https is expected"));
    BOOST_TEST(has(words("http://10.0.0.1/x", true), "https is expected"));
    BOOST_TEST(asked_server.empty());
    BOOST_TEST(words(inside, true) == "it was connected to");
}

BOOST_AUTO_TEST_CASE(addresses_of_https_are_reached_through_a_proxy_and_plain_ones_are_not)
{
    std::vector<std::string> asked_proxy;
    fickle_server proxy(context, [&](const asked_request& asked) {
        asked_proxy.push_back(asked.head.substr(0, asked.head.find(" HTTP/")));
        return bare_answer(403);
    });
    options.proxy = [&](const std::string&) { return proxy.address(""); };
    options.tls = [](int, const std::string&) { return nullptr; };
    BOOST_TEST(token() == "access-1"); // on loopback
    BOOST_TEST(asked_proxy.empty());
    http::oauth_client away(context.get_executor(), "https://mcp.example/mcp", options);
    const auto words = [&](const std::string& named) {
        http::challenge after = refusal();
        after.resource_metadata = named;
        started<std::string> asked(context, away.token(after));
        asked.failure();
        return asked.words;
    };
    BOOST_TEST(has(words(""), "the proxy does not connect to mcp.example"));
    BOOST_TEST(has(words("https://169.254.169.254/x"), "has the address 169.254.169.254, which is not public"));
    BOOST_TEST(has(words("https://[::1]/x"), "which is not public"));
    BOOST_TEST(asked_proxy == std::vector{"CONNECT mcp.example:443"s}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(options_that_nothing_comes_of_are_refused)
{
    const auto is_refused = [&](auto change) {
        http::oauth_options how = options;
        change(how);
        try {
            http::oauth_client(context.get_executor(), server_address(), how);
        } catch (const std::invalid_argument&) {
            return true;
        }
        return false;
    };
    BOOST_TEST(!is_refused([](http::oauth_options&) {}));
    BOOST_TEST(is_refused([](http::oauth_options& how) { how.client_secret = "s"; }));
    BOOST_TEST(is_refused([](http::oauth_options& how) { how.open_page = nullptr; }));
    BOOST_TEST(is_refused([](http::oauth_options& how) { how.metadata_url = "http://127.0.0.1/x"; }));
    BOOST_TEST(is_refused([](http::oauth_options& how) { how.store.load = nullptr; }));
    BOOST_TEST(is_refused([](http::oauth_options& how) {
        how.client_id = "i";
        how.client_key = "no key";
    }));
}

BOOST_AUTO_TEST_SUITE_END()
