#include "access/proof/seen.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstring>
#include <ostream>
#include <string>

using namespace partyline::access;
using namespace std::chrono_literals;
using result = seen_nonces::result;
using time_point = seen_nonces::clock::time_point;

namespace partyline::access {

std::ostream& boost_test_print_type(std::ostream& out, seen_nonces::result one)
{
    static constexpr const char* names[] = {"is_new", "replayed", "outdated", "full"};
    return out << names[static_cast<std::size_t>(one)];
}

} // namespace partyline::access

namespace {

proof_nonce nonce(std::uint64_t number)
{
    proof_nonce made = {};
    std::memcpy(made.data(), &number, sizeof number);
    return made;
}

struct nonces {
    /// Of a proof that was made at `issued`.
    result enter(std::string_view signer, std::uint64_t number, time_point issued)
    {
        return tested.enter(signer, nonce(number), issued + 60s, now);
    }

    seen_nonces tested;
    time_point now{std::chrono::seconds(1'800'000'000)};
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(seen_suite, nonces, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(a_nonce_is_good_once_for_each_signer)
{
    BOOST_TEST(enter("a", 1, now) == result::is_new);
    BOOST_TEST(enter("a", 1, now) == result::replayed);
    BOOST_TEST(enter("b", 1, now) == result::is_new);
    BOOST_TEST(enter("a", 2, now) == result::is_new);
    BOOST_TEST(enter("b", 1, now) == result::replayed);
}

BOOST_AUTO_TEST_CASE(a_nonce_is_remembered_as_long_as_its_proof_is_good)
{
    const time_point issued = now + 5s; // the clock of the signer is ahead
    BOOST_TEST(enter("a", 1, issued) == result::is_new);
    for (const auto passed : {1s, 59s, 60s, 61s, 64s, 65s}) {
        now = time_point(std::chrono::seconds(1'800'000'000)) + passed;
        BOOST_TEST(enter("a", 1, issued) == result::replayed);
    }
    now += 2s; // from here on the proof is too old by its time
    BOOST_TEST(enter("a", 2, now) == result::is_new);
    BOOST_TEST(tested.size() == 1u);
}

BOOST_AUTO_TEST_CASE(what_was_forgotten_stays_refused_when_the_clock_is_set_back)
{
    const time_point issued = now;
    BOOST_TEST(enter("a", 1, issued) == result::is_new);
    now += 1h;
    BOOST_TEST(enter("a", 2, now) == result::is_new);
    now = issued + 10s;
    BOOST_TEST(enter("a", 1, issued) == result::outdated);
    BOOST_TEST(enter("a", 3, issued) == result::outdated); // it may have been seen as well
    BOOST_TEST(enter("a", 4, now) == result::is_new);      // made after what was forgotten
}

BOOST_AUTO_TEST_CASE(a_signer_has_4096_and_others_are_not_affected)
{
    for (std::uint64_t i = 0; i < seen_nonces::max_of_signer; ++i)
        BOOST_TEST_REQUIRE(enter("a", i, now) == result::is_new);
    BOOST_TEST(enter("a", 4096, now) == result::full);
    BOOST_TEST(enter("a", 4095, now) == result::replayed);
    BOOST_TEST(enter("b", 0, now) == result::is_new);
    now += 62s;
    BOOST_TEST(enter("a", 4096, now) == result::is_new);
    BOOST_TEST(tested.size() == 1u);
}

// rule: security.proof.once
BOOST_AUTO_TEST_CASE(the_65537th_nonce_finds_no_room_and_none_is_forgotten_for_it)
{
    for (int signer = 0; signer < 16; ++signer)
        for (std::uint64_t i = 0; i < seen_nonces::max_of_signer; ++i)
            BOOST_TEST_REQUIRE(enter("s" + std::to_string(signer), i, now) == result::is_new);
    BOOST_TEST(tested.size() == seen_nonces::max_nonces);
    BOOST_TEST(enter("s16", 0, now) == result::full);
    for (int signer = 0; signer < 16; ++signer)
        BOOST_TEST(enter("s" + std::to_string(signer), 7, now) == result::replayed);
    now += 62s;
    BOOST_TEST(enter("s16", 0, now) == result::is_new);
    BOOST_TEST(tested.size() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
