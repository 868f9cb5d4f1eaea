#include "access/jwt/issuer_keys.hpp"
#include "jwt/jwt_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using partyline::document_receiver;
using partyline::document_request;
using partyline::access::issuer_services;
using partyline::access::issuer_settings;
using partyline::access::issuers;
using namespace partyline::test;
using namespace std::chrono_literals;

namespace {

/// An issuer whose keys are fetched, and the other side, which answers when the test says so.
struct fetched_issuer {
    fetched_issuer()
    {
        services->fetch = [this](const document_request& wanted, document_receiver done) {
            asked.push_back(wanted);
            receivers.push_back(std::move(done));
        };
        services->log = [this](std::string_view line) { log.emplace_back(line); };
        services->signatures = &signatures;
        all = issuers(settings(), services, nullptr);
    }

    static std::vector<issuer_settings> settings()
    {
        std::vector<issuer_settings> list(1);
        list[0].claims = our_rules();
        list[0].jwks.url = "https://as.example.org/keys";
        return list;
    }

    std::string judge(const std::string& token, std::chrono::system_clock::time_point now = noon) const
    {
        return words(all.verify(token, now));
    }

    void answer(const std::string& text, const std::string& failure = "")
    {
        BOOST_REQUIRE(!receivers.empty());
        const document_receiver done = std::move(receivers.back());
        receivers.pop_back();
        done(text, failure);
    }

    std::vector<document_request> asked;
    std::vector<document_receiver> receivers;
    std::vector<std::string> log;
    partyline::access::signature_quota signatures;
    std::shared_ptr<issuer_services> services = std::make_shared<issuer_services>();
    issuers all;
};

const jwt_signer& old_key()
{
    return key_of("ES256");
}

const jwt_signer& rotated_key()
{
    static const jwt_signer key("ES256", "k2");
    return key;
}

std::string old_token()
{
    return old_key().token(claims_without("exp", R"(,"exp":1900000000)"));
}

std::string rotated_token()
{
    return rotated_key().token(claims_without("exp", R"(,"exp":1900000000)"));
}

} // namespace

BOOST_AUTO_TEST_SUITE(keys_that_are_fetched, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(keys_are_fetched_at_once_and_tokens_are_unavailable_until_then)
{
    fetched_issuer issuer;
    issuer.all.fetch_keys(noon);
    BOOST_REQUIRE(issuer.asked.size() == 1U);
    BOOST_TEST(issuer.asked[0].url == "https://as.example.org/keys");
    BOOST_TEST(!issuer.asked[0].allow_private);
    BOOST_TEST(issuer.asked[0].max_bytes == 65536U);
    BOOST_TEST(issuer.judge(old_token()) == "unavailable");
    issuer.all.fetch_keys(noon);
    BOOST_TEST(issuer.asked.size() == 1U);
    issuer.answer(jwks({old_key().jwk()}));
    BOOST_TEST(issuer.judge(old_token()) == "admitted");
    BOOST_TEST(issuer.log.empty());
}

BOOST_AUTO_TEST_CASE(without_a_fetcher_tokens_are_unavailable)
{
    fetched_issuer issuer;
    issuer.services->fetch = nullptr;
    issuer.all.fetch_keys(noon);
    BOOST_TEST(issuer.judge(old_token()) == "unavailable");
}

BOOST_AUTO_TEST_CASE(rotated_keys_are_found_without_a_refusal)
{
    fetched_issuer issuer;
    issuer.all.fetch_keys(noon);
    issuer.answer(jwks({old_key().jwk()}));
    BOOST_TEST(issuer.judge(rotated_token(), noon + 1s) == "unavailable");
    BOOST_TEST(issuer.judge(rotated_token(), noon + 1s) == "unavailable");
    BOOST_TEST(issuer.judge(old_token(), noon + 1s) == "admitted");
    BOOST_TEST(issuer.asked.size() == 2U);
    issuer.answer(jwks({old_key().jwk(), rotated_key().jwk()}));
    BOOST_TEST(issuer.judge(rotated_token(), noon + 2s) == "admitted");
    BOOST_TEST(issuer.judge(old_token(), noon + 2s) == "admitted");
}

// A stranger may have named an id that nobody has a moment before.
BOOST_AUTO_TEST_CASE(what_was_issued_after_the_keys_were_fetched_waits_for_the_next_fetch)
{
    fetched_issuer issuer;
    issuer.all.fetch_keys(noon);
    issuer.answer(jwks({old_key().jwk()}));
    BOOST_TEST(issuer.judge(rotated_token(), noon + 1s) == "unavailable");
    issuer.answer(jwks({old_key().jwk()}));
    const std::string claims = claims_without("iat", R"(,"iat":1800000002)"); // noon + 2s
    BOOST_TEST(issuer.judge(rotated_key().token(claims), noon + 3s) == "unavailable");
    BOOST_TEST(issuer.judge(rotated_token(), noon + 3s) == "invalid");
    BOOST_TEST(issuer.asked.size() == 2U);
    BOOST_TEST(issuer.judge(rotated_key().token(claims), noon + 31s) == "unavailable");
    BOOST_TEST(issuer.asked.size() == 3U);
    issuer.answer(jwks({rotated_key().jwk()}));
    BOOST_TEST(issuer.judge(rotated_key().token(claims), noon + 32s) == "admitted");
    BOOST_TEST(issuer.judge(old_key().token(claims), noon + 32s) == "invalid");
}

BOOST_AUTO_TEST_CASE(unknown_ids_cause_few_fetches)
{
    fetched_issuer issuer;
    issuer.all.fetch_keys(noon);
    issuer.answer(jwks({old_key().jwk()}));
    BOOST_TEST(issuer.judge(rotated_token(), noon + 1s) == "unavailable");
    issuer.answer(jwks({old_key().jwk()}));
    for (int i = 0; i != 1000; ++i)
        BOOST_REQUIRE(issuer.judge(rotated_token(), noon + 2s) == "invalid");
    BOOST_TEST(issuer.asked.size() == 2U);
    BOOST_TEST(issuer.judge(rotated_token(), noon + 31s) == "unavailable");
    BOOST_TEST(issuer.asked.size() == 3U);
}

BOOST_AUTO_TEST_CASE(tokens_that_are_wrong_anyhow_cause_no_fetch)
{
    fetched_issuer issuer;
    issuer.all.fetch_keys(noon);
    issuer.answer(jwks({old_key().jwk()}));
    BOOST_TEST(issuer.judge(rotated_key().token(claims_without("sub"))) == "invalid");
    BOOST_TEST(issuer.judge(rotated_key().token(claims_without("exp", R"(,"exp":1)"))) == "invalid");
    BOOST_TEST(issuer.judge(rotated_key().token(claims_without("aud"))) == "invalid");
    BOOST_TEST(issuer.judge(key_of("ES384").token(good_claims())) == "invalid"); // its id is known
    BOOST_TEST(issuer.asked.size() == 1U);
}

BOOST_AUTO_TEST_CASE(keys_are_fetched_again_while_the_old_ones_serve)
{
    fetched_issuer issuer;
    issuer.all.fetch_keys(noon);
    issuer.answer(jwks({old_key().jwk()}));
    BOOST_TEST(issuer.judge(old_token(), noon + 10min) == "admitted");
    BOOST_TEST(issuer.asked.size() == 2U);
    BOOST_TEST(issuer.judge(old_token(), noon + 10min) == "admitted");
    issuer.answer(jwks({rotated_key().jwk()}));
    BOOST_TEST(issuer.judge(rotated_token(), noon + 10min) == "admitted");
    BOOST_TEST(issuer.judge(old_token(), noon + 10min) == "unavailable"); // it may have come back
    issuer.answer(jwks({rotated_key().jwk()}));
    BOOST_TEST(issuer.judge(old_token(), noon + 10min) == "invalid");
}

BOOST_AUTO_TEST_CASE(answers_that_are_no_keys_keep_the_old_ones_and_are_logged_once)
{
    fetched_issuer issuer;
    issuer.all.fetch_keys(noon);
    issuer.answer(jwks({old_key().jwk()}));
    auto now = noon + 10min;
    const std::string large = jwks({old_key().jwk()}) + std::string(65536, ' ');
    for (const std::string& bad : {std::string("<html>"), std::string(), std::string(R"({"keys":[]})"), large,
                                   jwks({R"({"kty":"oct","k":"AAAA"})"})}) {
        BOOST_TEST(issuer.judge(old_token(), now) == "admitted");
        issuer.answer(bad);
        BOOST_TEST(issuer.judge(old_token(), now) == "admitted");
        now += 20s;
    }
    BOOST_REQUIRE(issuer.log.size() == 1U);
    BOOST_TEST(issuer.log[0] == "access: no keys from https://as.example.org/keys: is not a set of keys: a JSON object "
                                R"(with an array "keys")");
    now = noon + 21min;
    issuer.judge(old_token(), now);
    issuer.answer("", "status 500");
    BOOST_REQUIRE(issuer.log.size() == 2U);
    BOOST_TEST(issuer.log[1] == "access: no keys from https://as.example.org/keys: status 500");
}

BOOST_AUTO_TEST_CASE(where_fetching_fails_old_keys_serve_for_24_hours)
{
    fetched_issuer issuer;
    issuer.all.fetch_keys(noon);
    issuer.answer(jwks({old_key().jwk()}));
    issuer.judge(old_token(), noon + 10min);
    issuer.answer("", "connection refused");
    BOOST_TEST(issuer.judge(rotated_token(), noon + 10min) == "unavailable"); // nobody can know
    BOOST_TEST(issuer.judge(old_token(), noon + 24h - 1s) == "admitted");
    BOOST_TEST(issuer.judge(old_token(), noon + 24h) == "unavailable");
    issuer.answer(jwks({old_key().jwk()}));
    BOOST_TEST(issuer.judge(old_token(), noon + 24h) == "admitted");
}

BOOST_AUTO_TEST_CASE(a_fetcher_that_throws_has_failed)
{
    fetched_issuer issuer;
    issuer.services->fetch = [](const document_request&, const document_receiver&) {
        throw std::runtime_error("no descriptors left\n");
    };
    issuer.all.fetch_keys(noon);
    BOOST_TEST(issuer.judge(old_token()) == "unavailable");
    BOOST_REQUIRE(issuer.log.size() == 1U);
    BOOST_TEST(issuer.log[0] ==
               R"(access: no keys from https://as.example.org/keys: std::runtime_error: no descriptors left\u000a)");
}

BOOST_AUTO_TEST_CASE(a_fetcher_may_answer_at_once)
{
    fetched_issuer issuer;
    issuer.services->fetch = [](const document_request&, const document_receiver& done) {
        done(jwks({old_key().jwk()}), "");
    };
    BOOST_TEST(issuer.judge(old_token()) == "unavailable");
    BOOST_TEST(issuer.judge(old_token()) == "admitted");
}

BOOST_AUTO_TEST_CASE(another_reading_of_the_file_takes_the_keys_over)
{
    fetched_issuer issuer;
    issuer.all.fetch_keys(noon);
    issuer.answer(jwks({old_key().jwk()}));
    issuer.all = issuers(fetched_issuer::settings(), issuer.services, &issuer.all);
    issuer.all.fetch_keys(noon + 1s);
    BOOST_TEST(issuer.asked.size() == 1U);
    BOOST_TEST(issuer.judge(old_token(), noon + 1s) == "admitted");
    std::vector<issuer_settings> elsewhere = fetched_issuer::settings();
    elsewhere[0].jwks.allow_private = true;
    issuer.all = issuers(std::move(elsewhere), issuer.services, &issuer.all);
    issuer.all.fetch_keys(noon + 1s);
    BOOST_TEST(issuer.asked.size() == 2U);
}

BOOST_AUTO_TEST_CASE(an_answer_may_come_when_nobody_needs_it_any_more)
{
    fetched_issuer issuer;
    issuer.all.fetch_keys(noon);
    issuer.all = issuers();
    issuer.answer(jwks({old_key().jwk()}));
    BOOST_TEST(issuer.log.empty());
}

BOOST_AUTO_TEST_CASE(many_threads_verify_while_keys_are_exchanged)
{
    fetched_issuer issuer;
    std::mutex mutex;
    issuer.services->fetch = [&](const document_request&, const document_receiver& done) {
        const std::lock_guard lock(mutex);
        done(jwks({old_key().jwk(), rotated_key().jwk()}), "");
    };
    const std::string token = old_token();
    issuer.judge(token);
    std::atomic<int> admitted = 0;
    std::vector<std::jthread> threads;
    for (int thread = 0; thread != 4; ++thread)
        threads.emplace_back([&] {
            for (int i = 0; i != 50; ++i)
                admitted += issuer.judge(token, noon + 10min * i) == "admitted";
        });
    threads.clear();
    BOOST_TEST(admitted == 200);
}

BOOST_AUTO_TEST_SUITE_END()
