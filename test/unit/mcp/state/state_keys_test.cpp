#include "mcp/state/signer.hpp"

#include <partyline/mcp/server/state_keys.hpp>

#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>

using namespace partyline::mcp;

namespace {

auto says(const std::string& text)
{
    return [text](const std::invalid_argument& thrown) { return thrown.what() == text; };
}

} // namespace

BOOST_AUTO_TEST_SUITE(mcp_state_keys)

BOOST_AUTO_TEST_CASE(random_ones_are_long_and_nobody_elses)
{
    const state_keys one = state_keys::random();
    const state_keys other = state_keys::random();
    BOOST_TEST(one.secrets().size() == 1u);
    BOOST_TEST(one.secrets()[0].size() == 32u);
    BOOST_TEST(one.secrets()[0] != other.secrets()[0]);
}

BOOST_AUTO_TEST_CASE(none_and_short_ones_are_refused)
{
    const std::string good(32, 'x');
    BOOST_CHECK_NO_THROW(state_keys({good, good + "more"}));
    BOOST_CHECK_EXCEPTION(state_keys({}), std::invalid_argument, says("State keys need one secret at least."));
    BOOST_CHECK_EXCEPTION(state_keys({good, std::string(31, 'x')}), std::invalid_argument,
                          says("Secret 2 of the state keys has 31 bytes, and needs 32 at least."));
}

BOOST_AUTO_TEST_CASE(the_first_one_signs_and_all_verify)
{
    const std::string a(32, 'a');
    const std::string b(32, 'b');
    const signer old_one(state_keys({a}), "test");
    const signer both(state_keys({b, a}), "test");
    const signer new_one(state_keys({b}), "test");
    const sha256_digest of_old = old_one.sign("text");
    const sha256_digest of_both = both.sign("text");
    BOOST_TEST(both.has_signed("text", bytes_of(of_old)));
    BOOST_TEST(both.has_signed("text", bytes_of(of_both)));
    BOOST_TEST(new_one.has_signed("text", bytes_of(of_both)));
    BOOST_TEST(!new_one.has_signed("text", bytes_of(of_old)));
    BOOST_TEST(!both.has_signed("other text", bytes_of(of_both)));
}

BOOST_AUTO_TEST_CASE(what_was_signed_for_one_purpose_is_nothing_for_another)
{
    const state_keys keys = state_keys::random();
    const sha256_digest code = signer(keys, "one").sign("text");
    BOOST_TEST(signer(keys, "one").has_signed("text", bytes_of(code)));
    BOOST_TEST(!signer(keys, "two").has_signed("text", bytes_of(code)));
}

BOOST_AUTO_TEST_CASE(a_code_may_be_cut_to_half_of_it)
{
    const signer signs(state_keys::random(), "test");
    const sha256_digest code = signs.sign("text");
    for (std::size_t length = 0; length != 33; ++length)
        BOOST_TEST(signs.has_signed("text", bytes_of(code).substr(0, length)) == (length >= 16));
    BOOST_TEST(!signs.has_signed("text", std::string(bytes_of(code)) + '\0'));
}

BOOST_AUTO_TEST_CASE(a_file_has_one_on_each_line)
{
    const std::string a = "YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE="; // 32 times
    const std::string b = "YmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmI=";
    for (const std::string& text : {a + '\n' + b + '\n', a + '\n' + b, a + "\r\n" + b + "\r\n"}) {
        const state_keys read = state_keys::from_text(text);
        BOOST_TEST_REQUIRE(read.secrets().size() == 2u);
        BOOST_TEST(read.secrets()[0] == std::string(32, 'a'));
        BOOST_TEST(read.secrets()[1] == std::string(32, 'b'));
    }
}

BOOST_AUTO_TEST_CASE(what_is_wrong_in_a_file_is_told_by_its_line)
{
    const std::string good = "YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE=\n";
    const std::string end = ", and is to have 32 at least: openssl rand -base64 32";
    BOOST_CHECK_EXCEPTION(state_keys::from_text(""), std::invalid_argument,
                          says("it is empty, and is to have a key on each line: openssl rand -base64 32"));
    BOOST_CHECK_EXCEPTION(state_keys::from_text("\n" + good), std::invalid_argument,
                          says("line 1 has 0 bytes as base64" + end));
    BOOST_CHECK_EXCEPTION(state_keys::from_text(good + "secret\n"), std::invalid_argument,
                          says("line 2 is not base64" + end));
    BOOST_CHECK_EXCEPTION(state_keys::from_text(good + good + "c2hvcnQ="), std::invalid_argument,
                          says("line 3 has 5 bytes as base64" + end));
}

BOOST_AUTO_TEST_SUITE_END()
