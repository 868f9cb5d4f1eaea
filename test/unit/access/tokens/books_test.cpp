#include "access/tokens/bearer.hpp"
#include "access/tokens/failure_book.hpp"
#include "access/tokens/grant_book.hpp"
#include "access/tokens/refusal_book.hpp"
#include "access/tokens/refusal_log.hpp"
#include "gate_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace partyline::access;
using namespace std::chrono_literals;
using boost::asio::ip::make_address;
using partyline::authentication_outcome;
using partyline::peer_identity;

namespace {

const time_point test_day = std::chrono::sys_days(std::chrono::year(2026) / 11 / 27) + 12h;

credential numbered(int number)
{
    return make_credential(credential_kind::token, *digest_of(std::to_string(number)));
}

std::shared_ptr<const issued_grant> grant_for(int number, issued_grant::origin from = issued_grant::origin::file,
                                              std::optional<time_point> until = {})
{
    auto made = std::make_shared<issued_grant>();
    peer_identity peer;
    peer.until = until;
    made->peer = std::make_shared<const peer_identity>(peer);
    made->shown = numbered(number);
    made->from = from;
    made->epoch = 1;
    return made;
}

// How many refusals are noted until an address is throttled.
int refusals_until_throttled(failure_book& book, const char* address, time_point now)
{
    int count = 0;
    for (; !book.is_throttled(make_address(address), now) && count < 100; ++count)
        book.on_refusal(make_address(address), now);
    return count;
}

} // namespace

BOOST_AUTO_TEST_SUITE(failure_book_suite)

BOOST_AUTO_TEST_CASE(twenty_refusals_in_ten_seconds_throttle_an_address_for_ten_seconds)
{
    failure_book book;
    BOOST_TEST(refusals_until_throttled(book, "192.0.2.1", test_day) == 20);
    BOOST_TEST(!book.is_throttled(make_address("192.0.2.2"), test_day));
    BOOST_TEST(book.is_throttled(make_address("192.0.2.1"), test_day + 10s - 1ns));
    BOOST_TEST(!book.is_throttled(make_address("192.0.2.1"), test_day + 10s));
    BOOST_TEST(refusals_until_throttled(book, "192.0.2.1", test_day + 10s) == 20);
}

BOOST_AUTO_TEST_CASE(refusals_while_it_is_throttled_do_not_make_it_longer)
{
    failure_book book;
    refusals_until_throttled(book, "192.0.2.1", test_day);
    book.on_refusal(make_address("192.0.2.1"), test_day + 9s);
    BOOST_TEST(!book.is_throttled(make_address("192.0.2.1"), test_day + 10s));
}

BOOST_AUTO_TEST_CASE(refusals_that_lie_apart_are_forgotten)
{
    failure_book book;
    for (int i = 0; i < 19; ++i)
        book.on_refusal(make_address("192.0.2.1"), test_day);
    book.on_refusal(make_address("192.0.2.1"), test_day + 10s);
    BOOST_TEST(!book.is_throttled(make_address("192.0.2.1"), test_day + 10s));
}

BOOST_AUTO_TEST_CASE(a_clock_that_is_set_back_throttles_nobody_for_long)
{
    failure_book book;
    refusals_until_throttled(book, "192.0.2.1", test_day);
    BOOST_TEST(!book.is_throttled(make_address("192.0.2.1"), test_day - 1h));
    BOOST_TEST(refusals_until_throttled(book, "192.0.2.1", test_day - 1h) == 20);
}

BOOST_AUTO_TEST_CASE(addresses_of_ipv6_count_by_their_network)
{
    failure_book book;
    refusals_until_throttled(book, "2001:db8:1:2::3", test_day);
    BOOST_TEST(book.is_throttled(make_address("2001:db8:1:2:ffff::1"), test_day));
    BOOST_TEST(!book.is_throttled(make_address("2001:db8:1:3::3"), test_day));
    refusals_until_throttled(book, "192.0.2.1", test_day);
    BOOST_TEST(book.is_throttled(make_address("::ffff:192.0.2.1"), test_day));
    BOOST_TEST(!book.is_throttled(make_address("::ffff:192.0.2.2"), test_day));
    BOOST_TEST(!book.is_throttled(make_address("::1"), test_day));
}

BOOST_AUTO_TEST_CASE(addresses_of_loopback_are_not_throttled)
{
    failure_book book;
    for (const char* const address : {"127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"})
        BOOST_TEST(refusals_until_throttled(book, address, test_day) == 100, address);
    BOOST_TEST(book.size() == 0u);
}

BOOST_AUTO_TEST_CASE(a_book_of_failures_is_bounded)
{
    failure_book book;
    for (unsigned i = 0; i < 10'000; ++i)
        book.on_refusal(boost::asio::ip::address_v4(i), test_day);
    BOOST_TEST(book.size() == failure_book::max_addresses);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(grant_book_suite)

BOOST_AUTO_TEST_CASE(a_grant_of_the_file_is_found_until_its_end)
{
    grant_book book;
    const auto for_ever = grant_for(1);
    const auto short_lived = grant_for(2, issued_grant::origin::file, test_day + 1h);
    book.put(for_ever, 1, test_day);
    book.put(short_lived, 1, test_day);
    BOOST_TEST(book.find(numbered(1), 1, test_day + 24h * 365).is_valid);
    BOOST_TEST(book.find(numbered(2), 1, test_day + 1h - 1ns).is_valid);
    BOOST_TEST(!book.find(numbered(2), 1, test_day + 1h).is_valid);
    BOOST_TEST((book.find(numbered(2), 1, test_day + 1h).grant == short_lived));
    BOOST_TEST(!book.find(numbered(3), 1, test_day).grant);
}

BOOST_AUTO_TEST_CASE(what_others_vouch_for_holds_for_five_minutes_at_most)
{
    grant_book book;
    book.put(grant_for(1, issued_grant::origin::issuer, test_day + 1h), 1, test_day);
    book.put(grant_for(2, issued_grant::origin::authenticator), 1, test_day);
    book.put(grant_for(3, issued_grant::origin::issuer, test_day + 1min), 1, test_day);
    for (const int number : {1, 2}) {
        BOOST_TEST(book.find(numbered(number), 1, test_day + 5min - 1ns).is_valid);
        BOOST_TEST(!book.find(numbered(number), 1, test_day + 5min).is_valid);
    }
    BOOST_TEST(!book.find(numbered(3), 1, test_day + 1min).is_valid);
    BOOST_TEST(!book.find(numbered(1), 1, test_day - 1ns).is_valid); // the clock was set back
}

BOOST_AUTO_TEST_CASE(a_grant_of_another_reading_is_to_be_looked_at_again)
{
    grant_book book;
    const auto old = grant_for(1);
    book.put(old, 1, test_day);
    BOOST_TEST(!book.find(numbered(1), 2, test_day).is_valid);
    const auto newer = grant_for(1);
    newer->epoch = 2;
    book.put(newer, 2, test_day);
    book.put(old, 1, test_day); // too late
    BOOST_TEST((book.find(numbered(1), 2, test_day).grant == newer));
}

BOOST_AUTO_TEST_CASE(a_renewed_grant_is_kept_but_holds_for_nobody_who_shows_its_credentials)
{
    grant_book book;
    const auto renewed = grant_for(1, issued_grant::origin::issuer);
    book.put(renewed, 1, test_day);
    book.put(renewed, grant_book::unchecked, test_day);
    BOOST_TEST((book.find(numbered(1), 1, test_day).grant == renewed));
    BOOST_TEST(!book.find(numbered(1), 1, test_day).is_valid);
}

BOOST_AUTO_TEST_CASE(a_book_of_grants_is_bounded_and_forgets_what_was_not_used)
{
    grant_book book;
    book.put(grant_for(0), 1, test_day);
    for (int i = 1; i < 40'000; ++i) {
        book.put(grant_for(i), 1, test_day);
        BOOST_TEST_REQUIRE(book.find(numbered(0), 1, test_day).is_valid);
    }
    BOOST_TEST(book.size() <= grant_book::max_grants);
    BOOST_TEST(book.size() > grant_book::max_grants / 2);
    BOOST_TEST(!book.find(numbered(1), 1, test_day).grant);
    book.erase(numbered(0));
    BOOST_TEST(!book.find(numbered(0), 1, test_day).grant);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(refusal_book_suite)

BOOST_AUTO_TEST_CASE(a_refusal_is_remembered_for_ten_seconds)
{
    refusal_book book;
    book.put(numbered(1), authentication_outcome::expired, test_day);
    BOOST_TEST((book.find(numbered(1), test_day + 10s - 1ns) == authentication_outcome::expired));
    BOOST_TEST(!book.find(numbered(1), test_day + 10s));
    BOOST_TEST(!book.find(numbered(1), test_day - 1ns));
    BOOST_TEST(!book.find(numbered(2), test_day));
}

BOOST_AUTO_TEST_CASE(a_book_of_refusals_is_bounded)
{
    refusal_book book;
    for (int i = 0; i < 10'000; ++i)
        book.put(numbered(i), authentication_outcome::invalid, test_day);
    BOOST_TEST(book.size() == refusal_book::max_tokens);
    BOOST_TEST(!book.find(numbered(0), test_day));
    book.clear();
    BOOST_TEST(book.size() == 0u);
    book.put(numbered(1), authentication_outcome::invalid, test_day);
    BOOST_TEST(book.find(numbered(1), test_day).has_value());
}

BOOST_AUTO_TEST_CASE(the_log_has_ten_lines_in_ten_seconds)
{
    refusal_log log;
    peer_identity from;
    from.address = {make_address("192.0.2.1"), 1};
    const credential shown = numbered(1);
    BOOST_TEST(log.line(shown, authentication_outcome::expired, from, test_day).value() ==
               "refused token 6b86b273 from 192.0.2.1: it has expired");
    BOOST_TEST(log.line(shown, authentication_outcome::wrong_audience, {}, test_day).value() ==
               "refused token 6b86b273: it is for another server");
    for (int i = 2; i < 10; ++i)
        BOOST_TEST(log.line(shown, authentication_outcome::invalid, {}, test_day).value() ==
                   "refused token 6b86b273: it is not valid");
    for (int i = 0; i < 7; ++i)
        BOOST_TEST(!log.line(shown, authentication_outcome::invalid, {}, test_day + 9s));
    BOOST_TEST(log.line(shown, authentication_outcome::invalid, {}, test_day + 10s).value() ==
               "refused token 6b86b273: it is not valid (7 before it are not shown)");
    BOOST_TEST(log.line(shown, authentication_outcome::invalid, {}, test_day + 10s).value() ==
               "refused token 6b86b273: it is not valid");
}

BOOST_AUTO_TEST_SUITE_END()
