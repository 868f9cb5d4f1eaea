// Keys come and tokens are judged while one allocation fails, each in turn: OpenSSL's and ours.

#include "access/jwt/issuers.hpp"
#include "faults/allocation_faults.hpp"
#include "support/jwt_signer.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace partyline::access;
using partyline::authentication_outcome;
using partyline::test::armed_allocations;
using partyline::test::jwks;
using partyline::test::jwt_signer;

namespace {

constexpr std::chrono::system_clock::time_point noon{std::chrono::seconds(1'800'000'000)};
constexpr const char* claims = R"({"iss":"https://as.example.org","aud":["https://rpc.example.org/mcp"],"sub":"alice",)"
                               R"("scope":"a-long-scope-with-many-words b","exp":1800000300})";

std::vector<issuer_settings> settings()
{
    std::vector<issuer_settings> list(1);
    list[0].claims.issuer = "https://as.example.org";
    list[0].claims.audiences = {"https://rpc.example.org/mcp"};
    list[0].jwks.url = "https://as.example.org/keys";
    return list;
}

// Calls it with each of its allocations failing. Returns how many these are.
template <class Step>
std::size_t fail_each_allocation_of(Step step)
{
    for (std::size_t n = 1;; ++n) {
        const armed_allocations armed({.fails_at = n});
        step();
        if (armed.failed() == 0)
            return n - 1;
    }
}

// An issuer that answers at once.
issuers with_keys(const std::string& keys)
{
    const auto services = std::make_shared<issuer_services>();
    services->fetch = [keys](const partyline::document_request&, const partyline::document_receiver& done) {
        done(keys, "");
    };
    return issuers(settings(), services, nullptr);
}

} // namespace

BOOST_AUTO_TEST_SUITE(jwt_fault_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(no_memory_admits_nobody_and_ends_nothing)
{
    auto now = noon;
    for (const char* const algorithm : {"RS256", "PS256", "ES256", "ES384", "EdDSA"}) {
        const jwt_signer key(algorithm);
        const std::string good = key.token(claims);
        const std::string bad = jwt_signer(algorithm).token(claims);
        const issuers all = with_keys(jwks({key.jwk()}));
        all.fetch_keys(now);
        const auto outcome = [&](const std::string& token) {
            now += std::chrono::milliseconds(10); // so that the process has signatures left
            const std::optional<token_verdict> verdict = all.verify(token, now);
            return verdict ? verdict->outcome : authentication_outcome::invalid;
        };
        BOOST_CHECK(outcome(good) == authentication_outcome::admitted);
        BOOST_TEST(fail_each_allocation_of([&] { outcome(good); }) > 10U);
        bool was_admitted = false;
        fail_each_allocation_of(
            [&] { was_admitted = was_admitted || outcome(bad) == authentication_outcome::admitted; });
        BOOST_TEST(!was_admitted);
        BOOST_CHECK(outcome(good) == authentication_outcome::admitted);
    }
}

BOOST_AUTO_TEST_CASE(keys_for_which_there_was_no_memory_are_fetched_again)
{
    const jwt_signer key("ES256");
    const std::string good = key.token(claims);
    const std::string keys = jwks({key.jwk(), jwt_signer("EdDSA", "k2").jwk()});
    std::vector<issuers> all;
    for (int i = 0; i != 1000; ++i)
        all.push_back(with_keys(keys));
    auto next = all.begin();
    BOOST_TEST(fail_each_allocation_of([&] { (next++)->fetch_keys(noon); }) > 10U);
    auto later = noon + std::chrono::seconds(61);
    for (auto one = all.begin(); one != next; ++one) {
        later += std::chrono::milliseconds(10);
        one->fetch_keys(later);
        one->verify(good, later); // fetches a key that alone had no memory
        const std::optional<token_verdict> verdict = one->verify(good, later);
        BOOST_REQUIRE(verdict);
        BOOST_CHECK(verdict->outcome == authentication_outcome::admitted);
    }
}

BOOST_AUTO_TEST_SUITE_END()
