// What a client remembers of a server and its authorization server, and what of that has moved, or is gone.

#include "oauth/login_fixture.hpp"
#include "oauth/refused.hpp"

#include <partyline/http/client_errc.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

using namespace std::literals;
using namespace partyline;
using namespace partyline::test;

namespace {

struct moved_fixture : login_fixture {
    // Bound, so that nobody else gets the port between two logins, and not listening, so that a login does.
    boost::asio::ip::tcp::acceptor port{context};

    moved_fixture()
    {
        port.open(boost::asio::ip::tcp::v4());
        port.set_option(boost::asio::socket_base::reuse_address(true));
        port.bind({boost::asio::ip::make_address("127.0.0.1"), 0});
        options.redirect_port = port.local_endpoint().port();
    }
    std::string metadata() const
    {
        return json_answer(200, R"({"resource":")" + resource + R"(","authorization_servers":[")" + issuer + "\"]}");
    }
    // The server has its metadata here, and names the address.
    void serve_metadata_at(const std::string& path)
    {
        has_metadata = false;
        at_server = [this, line = "GET " + path + ' '](const asked_request& asked) -> std::optional<std::string> {
            return asked.head.starts_with(line) ? std::optional(metadata()) : std::nullopt;
        };
    }
    http::challenge naming(const std::string& address, const std::string& refused = {}) const
    {
        http::challenge named = refusal(401, refused);
        named.resource_metadata = address;
        return named;
    }
    // These in place of what the token endpoint answers, as long as there are any.
    void answer_tokens(std::vector<std::string> answers)
    {
        at_issuer = [all = std::move(answers)](const asked_request& asked) mutable -> std::optional<std::string> {
            if (!asked.head.starts_with("POST /token ") || all.empty())
                return std::nullopt;
            const std::string next = all.front();
            all.erase(all.begin());
            return next;
        };
    }
    // In the store, of a server that has named this address.
    void remember(const std::string& address)
    {
        kept[name].insert(1, R"("resource_metadata":")" + address + "\",");
        restart();
    }
    const std::string name = "tokens " + server_address();
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_oauth_login_moved, moved_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(metadata_that_has_moved_is_found_again_by_what_the_server_says)
{
    serve_metadata_at("/old.json");
    BOOST_TEST(ask(naming(server_address("/old.json"))).get() == "access-1");
    serve_metadata_at("/new.json");
    now += 2h;
    restart();
    BOOST_TEST(ask().get() == "access-1"); // which the server will refuse
    BOOST_TEST(client().known().value() == "access-1");
    BOOST_TEST(ask(naming(server_address("/new.json"), "access-1")).get() == "access-2");
    BOOST_TEST((logins.size() == 1U && registrations.size() == 1U));
    asked_server.clear();
    now += 2h;
    BOOST_TEST(ask().get() == "access-3"); // the new address is remembered
    BOOST_TEST(asked_server == std::vector{"GET /new.json"s}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(metadata_that_does_not_work_any_more_is_looked_for_at_the_usual_places)
{
    BOOST_TEST(token() == "access-1");
    const std::vector<std::string> wrong = {bare_answer(404), bare_answer(500), "no HTTP\r\n\r\n",
                                            json_answer(200, "[]"),
                                            json_answer(200, R"({"resource":"https://evil.example"})")};
    int count = 1;
    const auto refresh_with = [&](const std::string& remembered) {
        remember(remembered);
        now += 2h;
        BOOST_TEST(ask().get() == "access-" + std::to_string(++count));
        BOOST_TEST(!has(kept[name], "resource_metadata"));
    };
    for (const std::string& answer : wrong) {
        at_server = [answer](const asked_request& asked) -> std::optional<std::string> {
            return asked.head.starts_with("GET /old.json ") ? std::optional(answer) : std::nullopt;
        };
        refresh_with(server_address("/old.json"));
    }
    refresh_with("http://127.0.0.1:1/nobody.json");
    refresh_with("no address");
    BOOST_TEST(logins.size() == 1U);
}

BOOST_AUTO_TEST_CASE(what_has_moved_is_looked_for_once_for_each_refusal)
{
    BOOST_TEST(token() == "access-1");
    remember(server_address("/old.json"));
    has_metadata = false;
    now += 2h;
    const auto count_old = [&] { return std::count(asked_server.begin(), asked_server.end(), "GET /old.json"); };
    for (int i = 0; i < 5; ++i)
        BOOST_TEST(ask().get() == "access-1");
    BOOST_TEST(count_old() == 1);
    http::challenge named = refusal(401, "access-1");
    named.resource_metadata = server_address("/gone.json");
    started<std::string> asked = ask(named);
    BOOST_TEST((asked.failure() == http::client_errc::unauthorized));
    BOOST_TEST(has(asked.words, "there is no metadata of the server at '" + server_address("/gone.json")), asked.words);
    BOOST_TEST(std::count(asked_server.begin(), asked_server.end(), "GET /gone.json") == 1);
    now += 61s; // later it is looked for again
    BOOST_TEST(ask().get() == "access-1");
    BOOST_TEST(count_old() == 2);
    has_metadata = true;
    now += 61s;
    BOOST_TEST(ask().get() == "access-2");
    BOOST_TEST((logins.size() == 1U && registrations.size() == 1U));
}

BOOST_AUTO_TEST_CASE(a_server_that_names_nobody_for_a_while_costs_no_login)
{
    BOOST_TEST(token(401, {}, "a") == "access-1");
    now += 2h;
    has_metadata = false;                  // so that its origin stands for the issuer, which is none
    BOOST_TEST(ask().get() == "access-1"); // and not without a token: the server might serve strangers otherwise
    BOOST_TEST(client().known().value() == "access-1");
    BOOST_TEST(has(failure_words(401, "access-1"), "does not register this program: HTTP status 404"));
    has_metadata = true;
    BOOST_TEST(token(401, "access-1") == "access-2"); // sooner, for another refusal
    BOOST_TEST(token_form(1).find("refresh_token").value() == "refresh-1");
    now += 2h;
    has_metadata = false;
    BOOST_TEST(ask().get() == "access-2");
    has_metadata = true;
    BOOST_TEST(ask().get() == "access-2");
    now += 61s;
    BOOST_TEST(!client().known());
    BOOST_TEST(ask().get() == "access-3");
    BOOST_TEST(logins.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_pause_ends_when_the_clock_is_set_back)
{
    BOOST_TEST(token() == "access-1");
    now += 3h;
    has_metadata = false;
    BOOST_TEST(ask().get() == "access-1");
    has_metadata = true;
    now -= 1h;
    BOOST_TEST(ask().get() == "access-2");
}

BOOST_AUTO_TEST_CASE(an_issuer_that_is_away_is_one_clear_error_until_it_is_back)
{
    BOOST_TEST(token() == "access-1");
    now += 2h;
    const std::string there = issuer;
    issuer = "http://127.0.0.1:1";
    for (const auto& after : {std::optional<http::challenge>(), std::optional(refusal(401, "access-1"))}) {
        started<std::string> asked = ask(after);
        BOOST_TEST((asked.failure() == boost::asio::error::connection_refused));
        BOOST_TEST(has(asked.words, "can not connect to 127.0.0.1:1"), asked.words);
    }
    issuer = there;
    at_issuer = [](const asked_request&) { return std::optional(bare_answer(503)); };
    for (int i = 0; i < 3; ++i) {
        started<std::string> asked = ask();
        BOOST_TEST((asked.failure() == http::client_errc::unauthorized));
        BOOST_TEST(has(asked.words, "HTTP status 503"), asked.words);
    }
    at_issuer = nullptr;
    BOOST_TEST(ask().get() == "access-2");
    BOOST_TEST(logins.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_program_is_known_again_after_its_issuer_was_away)
{
    options.open_page = nullptr;
    options.client_id = "machine";
    options.client_secret = "s";
    options.issuer = issuer_address();
    BOOST_TEST(token() == "access-1");
    now += 2h;
    at_issuer = [](const asked_request&) { return std::optional(bare_answer(500)); };
    BOOST_TEST(has(failure_words(401, "access-1"), "HTTP status 500"));
    at_issuer = nullptr;
    BOOST_TEST(!client().known());
    BOOST_TEST(ask().get() == "access-2");
}

BOOST_AUTO_TEST_CASE(a_token_endpoint_that_is_something_else_leads_to_a_login_once_the_server_refuses)
{
    BOOST_TEST(token() == "access-1");
    now += 2h;
    answer_tokens({bare_answer(404), bare_answer(404)});
    BOOST_TEST(ask().get() == "access-1");
    BOOST_TEST((logins.size() == 1U && has(kept[name], "refresh-1")));
    BOOST_TEST(token(401, "access-1") == "access-2");
    BOOST_TEST(logins.size() == 2U);
    BOOST_TEST(registrations.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_registration_that_the_issuer_has_lost_is_made_anew_in_the_same_login)
{
    has_refresh_tokens = false;
    const char* error = "";
    std::string lost = "none";
    options.open_page = [&](const std::string& page) {
        login_error = has(page, "client_id=" + lost + '&') ? error : "";
        open(page);
    };
    BOOST_TEST(token() == "access-1");
    error = "invalid_client";
    lost = "client-1";
    BOOST_TEST(token(401, "access-1") == "access-2");
    BOOST_TEST((registrations.size() == 2U && logins.size() == 3U));
    error = "unauthorized_client";
    lost = "client-2";
    restart();
    BOOST_TEST(token(401, "access-2") == "access-3");
    BOOST_TEST((registrations.size() == 3U && logins.size() == 5U));
    restart();
    BOOST_TEST(token(401, "access-3") == "access-4"); // and kept
    BOOST_TEST((registrations.size() == 3U && logins.size() == 6U));
}

BOOST_AUTO_TEST_CASE(a_registration_that_the_token_endpoint_does_not_know_is_made_anew_in_the_same_login)
{
    has_refresh_tokens = false;
    BOOST_TEST(token() == "access-1");
    answer_tokens({json_answer(401, R"({"error":"invalid_client"})")});
    BOOST_TEST(token(401, "access-1") == "access-2");
    BOOST_TEST((registrations.size() == 2U && logins.size() == 3U));
    BOOST_TEST(token_form(1).find("client_id").value() == "client-2");
}

BOOST_AUTO_TEST_CASE(a_person_whom_nobody_waits_for_is_not_asked_again)
{
    has_refresh_tokens = false;
    BOOST_TEST(token() == "access-1");
    started<std::string> asked = ask(refusal(401, "access-1"));
    at_issuer = [&](const asked_request& request) -> std::optional<std::string> {
        if (!request.head.starts_with("POST /token "))
            return std::nullopt;
        asked.cancel();
        return json_answer(401, R"({"error":"invalid_client"})");
    };
    BOOST_TEST((asked.failure() == boost::asio::error::operation_aborted));
    run_until(context, [&] { return kept["client " + issuer_address()].empty(); });
    context.restart();
    context.poll();
    BOOST_TEST((logins.size() == 2U && registrations.size() == 1U));
}

BOOST_AUTO_TEST_CASE(an_issuer_that_knows_no_registration_at_all_gets_one_more)
{
    has_refresh_tokens = false;
    BOOST_TEST(token() == "access-1");
    const std::string lost = json_answer(401, R"({"error":"invalid_client"})");
    answer_tokens({lost, lost, lost});
    BOOST_TEST(has(failure_words(401, "access-1"), "issues no token: invalid_client"));
    BOOST_TEST((registrations.size() == 2U && logins.size() == 3U));
    BOOST_TEST(has(failure_words(401, "access-1"), "issues no token: invalid_client"));
    BOOST_TEST((registrations.size() == 3U && logins.size() == 4U));
    BOOST_TEST(token(401, "access-1") == "access-2");
}

BOOST_AUTO_TEST_CASE(a_login_that_has_had_no_answer_is_not_tried_with_the_same_registration)
{
    has_refresh_tokens = false;
    BOOST_TEST(token() == "access-1");
    is_person_there = false; // the issuer shows an error, and sends nobody back
    started<std::string> asked = ask(refusal(401, "access-1"));
    run_until(context, [&] { return logins.size() == 2U; });
    restart();
    BOOST_TEST((asked.failure() == boost::asio::error::operation_aborted));
    is_person_there = true;
    BOOST_TEST(token(401, "access-1") == "access-2");
    BOOST_TEST((registrations.size() == 2U && logins.at(2).find("client_id").value() == "client-2"));
    restart();
    BOOST_TEST(token(401, "access-2") == "access-3");
    BOOST_TEST(registrations.size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_registration_in_doubt_still_refreshes)
{
    BOOST_TEST(token() == "access-1");
    is_person_there = false;
    started<std::string> asked = ask(refusal(403, "access-1", "more"));
    run_until(context, [&] { return logins.size() == 2U; });
    restart();
    BOOST_TEST((asked.failure() == boost::asio::error::operation_aborted));
    now += 2h;
    BOOST_TEST(ask().get() == "access-2");
    BOOST_TEST(registrations.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_server_fills_no_store_with_registrations_at_which_nobody_logs_in)
{
    BOOST_TEST(token() == "access-1");
    const auto before = kept;
    for (int i = 0; i < 5; ++i) {
        login_error = ""; // the answer is of somebody else
        iss = "https://evil.example";
        issuer = issuer_address("/" + std::to_string(i));
        at_issuer = [&](const asked_request& asked) -> std::optional<std::string> {
            if (!asked.head.starts_with("GET /.well-known/oauth-authorization-server/"))
                return std::nullopt;
            return json_answer(200, R"({"issuer":")" + issuer + R"(","token_endpoint":")" + issuer_address("/token") +
                                        R"(","authorization_endpoint":")" + issuer_address("/authorize") +
                                        R"(","registration_endpoint":")" + issuer_address("/register") +
                                        R"(","code_challenge_methods_supported":["S256"]})");
        };
        BOOST_TEST(has(failure_words(401, "access-1"), "the answer to the login is of"));
    }
    BOOST_TEST(registrations.size() == 6U);
    std::erase_if(kept, [](const auto& entry) { return entry.second.empty(); });
    BOOST_TEST((kept == before));
}

BOOST_AUTO_TEST_SUITE_END()
