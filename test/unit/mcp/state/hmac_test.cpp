#include "mcp/state/hmac.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace partyline::mcp;

namespace {

std::string hexadecimal(std::string_view bytes)
{
    constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (const char c : bytes)
        text += {digits[static_cast<unsigned char>(c) >> 4], digits[c & 15]};
    return text;
}

std::string first_bytes(int count)
{
    std::string bytes;
    for (int i = 1; i <= count; ++i)
        bytes.push_back(static_cast<char>(i));
    return bytes;
}

} // namespace

BOOST_AUTO_TEST_SUITE(mcp_hmac)

BOOST_AUTO_TEST_CASE(digests_are_those_of_the_standard)
{
    const struct {
        std::string text;
        const char* digest;
    } rows[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {std::string(1'000'000, 'a'), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    };
    for (const auto& [text, digest] : rows)
        BOOST_TEST(hexadecimal(bytes_of(sha256(text))) == digest);
    BOOST_TEST(hexadecimal(bytes_of(sha256({}))) == rows[0].digest);
}

// RFC 4231 §4.2 to §4.8.
BOOST_AUTO_TEST_CASE(codes_are_those_of_the_rfc)
{
    const struct {
        std::string key;
        std::string text;
        const char* code;
    } rows[] = {
        {std::string(20, '\x0b'), "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
        {"Jefe", "what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
        {std::string(20, '\xaa'), std::string(50, '\xdd'),
         "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"},
        {first_bytes(25), std::string(50, '\xcd'), "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"},
        {std::string(20, '\x0c'), "Test With Truncation",
         "a3b6167473100ee06e0c796c2955552bfa6f7c0a6a8aef8b93f860aab0cd20c5"},
        {std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First",
         "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"},
        {std::string(131, '\xaa'),
         "This is a test using a larger than block-size key and a larger than block-size data. The key needs to be "
         "hashed before being used by the HMAC algorithm.",
         "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"},
    };
    for (const auto& [key, text, code] : rows)
        BOOST_TEST(hexadecimal(bytes_of(hmac_sha256(key, text))) == code);
}

BOOST_AUTO_TEST_CASE(nothing_has_a_code_too)
{
    BOOST_TEST(hexadecimal(bytes_of(hmac_sha256({}, {}))) ==
               "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
}

BOOST_AUTO_TEST_CASE(only_the_same_bytes_are_equal)
{
    BOOST_TEST(are_equal_in_constant_time({}, ""));
    BOOST_TEST(are_equal_in_constant_time("abc", "abc"));
    BOOST_TEST(!are_equal_in_constant_time("abc", "abd"));
    BOOST_TEST(!are_equal_in_constant_time("abc", "ab"));
    BOOST_TEST(!are_equal_in_constant_time("abc", {}));
}

BOOST_AUTO_TEST_CASE(random_bytes_are_as_many_as_asked_for)
{
    BOOST_TEST(random_bytes(0).empty());
    const std::string bytes = random_bytes(32);
    BOOST_TEST(bytes.size() == 32u);
    BOOST_TEST(bytes != random_bytes(32));
}

BOOST_AUTO_TEST_SUITE_END()
