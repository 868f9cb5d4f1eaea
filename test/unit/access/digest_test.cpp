#include "access/digest.hpp"

#include <partyline/access/gate.hpp>

#include <boost/test/unit_test.hpp>

#include <set>
#include <string>

using namespace partyline::access;

BOOST_AUTO_TEST_SUITE(digest_suite)

// FIPS 180-4's examples.
BOOST_AUTO_TEST_CASE(the_digest_of_a_text_is_its_sha_256)
{
    BOOST_TEST(hex_of(*digest_of("")) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    BOOST_TEST(hex_of(*digest_of("abc")) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    BOOST_TEST(hex_of(*digest_of("abc"), 8) == "ba7816bf");
}

BOOST_AUTO_TEST_CASE(sixty_four_digits_of_either_case_are_read)
{
    const token_digest digest = *digest_of("abc");
    std::string digits = hex_of(digest);
    BOOST_TEST((read_hex(digits) == digest));
    for (char& digit : digits)
        digit = digit >= 'a' ? static_cast<char>(digit - 'a' + 'A') : digit;
    BOOST_TEST((read_hex(digits) == digest));
}

BOOST_AUTO_TEST_CASE(anything_else_is_no_digest)
{
    const std::string digits(64, 'a');
    for (const std::string& wrong :
         {std::string(), digits.substr(1), digits + "a", "g" + digits.substr(1), digits.substr(1) + "`",
          "@" + digits.substr(1), digits.substr(1) + " ", "/" + digits.substr(1), ":" + digits.substr(1),
          digits.substr(1) + '\0', "\x81" + digits.substr(1)})
        BOOST_TEST(!read_hex(wrong), wrong);
}

BOOST_AUTO_TEST_CASE(a_new_token_is_random_and_has_its_digest)
{
    std::set<std::string> tokens;
    for (int i = 0; i < 100; ++i) {
        const new_token made = make_token();
        BOOST_TEST(made.token.size() == 43u);
        BOOST_TEST(made.sha256 == hex_of(*digest_of(made.token)));
        tokens.insert(made.token);
    }
    BOOST_TEST(tokens.size() == 100u);
}

BOOST_AUTO_TEST_SUITE_END()
