// Several clients with one store: one of them refreshes the tokens of a server at a time.

#include "oauth/login_fixture.hpp"
#include "oauth/refused.hpp"

#include <partyline/async/async_event.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace std::literals;
using namespace partyline;
using namespace partyline::test;
namespace asio = boost::asio;

namespace {

struct lock_fixture : login_fixture {
    const std::string name = "tokens " + server_address();
    std::vector<std::string> locked; // by name
    int held = 0;
    int most_held = 0;
    bool is_had = true; // else the wait for it ends without
    async_event freed{context.get_executor()};

    lock_fixture()
    {
        options.store.lock = [this](std::string of) { return lock(std::move(of)); };
    }
    asio::awaitable<std::shared_ptr<void>> lock(std::string of)
    {
        locked.push_back(std::move(of));
        if (!is_had)
            co_return nullptr;
        while (held > 0) {
            freed.reset();
            co_await freed.async_wait(asio::use_awaitable);
        }
        most_held = std::max(most_held, ++held);
        co_return std::shared_ptr<void>(&held, [this](void*) {
            --held;
            freed.set();
        });
    }
    // As other processes have one.
    std::unique_ptr<http::oauth_client> another()
    {
        return std::make_unique<http::oauth_client>(context.get_executor(), server_address(), options);
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_oauth_login_lock, lock_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(clients_with_one_store_refresh_once)
{
    BOOST_TEST(token() == "access-1");
    BOOST_TEST(locked.empty());
    now += 2h;
    std::vector<std::unique_ptr<http::oauth_client>> clients;
    std::vector<started<std::string>> all;
    for (int i = 0; i < 8; ++i) {
        clients.push_back(another());
        const auto after = i % 2 ? std::optional(refusal(401, "access-1")) : std::nullopt;
        all.emplace_back(context, clients.back()->token(after));
    }
    for (started<std::string>& one : all)
        BOOST_TEST(one.get() == "access-2");
    BOOST_TEST((token_forms.size() == 2U && logins.size() == 1U));
    BOOST_TEST(locked == std::vector(8, name), boost::test_tools::per_element());
    BOOST_TEST((held == 0 && most_held == 1));
}

BOOST_AUTO_TEST_CASE(a_refresh_token_that_is_used_up_is_shown_once)
{
    BOOST_TEST(token() == "access-1");
    now += 2h;
    is_person_there = false;
    int refreshes = 0;
    at_issuer = [&](const asked_request& asked) -> std::optional<std::string> {
        if (!has(asked.body, "grant_type=refresh_token"))
            return std::nullopt;
        ++refreshes;
        return json_answer(400, R"({"error":"invalid_grant"})");
    };
    std::vector<std::unique_ptr<http::oauth_client>> clients;
    std::vector<started<std::string>> all;
    for (int i = 0; i < 4; ++i) {
        clients.push_back(another());
        all.emplace_back(context, clients.back()->token(std::nullopt));
    }
    run_until(context, [&] { return logins.size() == 5U; });
    BOOST_TEST(refreshes == 1);
    BOOST_TEST(held == 0); // no lock while a person logs in
    clients.clear();
    for (started<std::string>& one : all)
        BOOST_TEST((one.failure() == asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(a_lock_that_is_not_to_be_had_holds_nobody_up)
{
    BOOST_TEST(token() == "access-1");
    now += 2h;
    is_had = false;
    BOOST_TEST(ask().get() == "access-2");
    BOOST_TEST(locked == std::vector{name}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_lock_is_free_after_each_failure)
{
    BOOST_TEST(token() == "access-1");
    now += 2h;
    at_issuer = [](const asked_request& asked) {
        return asked.head.starts_with("POST ") ? std::optional(bare_answer(503)) : std::nullopt;
    };
    BOOST_TEST(bool(ask().failure()));
    BOOST_TEST((locked.size() == 1U && held == 0));
    at_issuer = nullptr;
    BOOST_TEST(ask().get() == "access-2");
    BOOST_TEST(held == 0);
}

BOOST_AUTO_TEST_CASE(who_waits_for_the_lock_can_leave)
{
    BOOST_TEST(token() == "access-1");
    now += 2h;
    held = 1;
    started<std::string> asked = ask();
    run_until(context, [&] { return locked.size() == 1U; });
    asked.cancel();
    BOOST_TEST((asked.failure() == asio::error::operation_aborted));
    BOOST_TEST(token_forms.size() == 1U);
    held = 0;
    BOOST_TEST(ask().get() == "access-2");
}

BOOST_AUTO_TEST_SUITE_END()
