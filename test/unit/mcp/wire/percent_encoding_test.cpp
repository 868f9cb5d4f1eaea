#include "mcp/wire/percent_encoding.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace partyline::mcp;

BOOST_AUTO_TEST_SUITE(mcp_percent_encoding)

BOOST_AUTO_TEST_CASE(only_what_stands_for_itself_does)
{
    const std::string text = "aZ09-._~:/?#[]@!$&'()*+,;= %\"<>\\^`{|}\n\x7f";
    BOOST_TEST(percent_encode(text, kept_characters::unreserved) ==
               "aZ09-._~%3A%2F%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D%20%25%22%3C%3E%5C%5E%60%7B%7C%7D%0A%7F");
    BOOST_TEST(percent_encode(text, kept_characters::unreserved_and_reserved) ==
               "aZ09-._~:/?#[]@!$&'()*+,;=%20%25%22%3C%3E%5C%5E%60%7B%7C%7D%0A%7F");
    BOOST_TEST(percent_encode("ä€", kept_characters::unreserved) == "%C3%A4%E2%82%AC");
}

BOOST_AUTO_TEST_CASE(all_bytes_come_back)
{
    std::string bytes;
    for (int byte = 0; byte != 256; ++byte)
        bytes.push_back(static_cast<char>(byte));
    BOOST_TEST((percent_decode(percent_encode(bytes, kept_characters::unreserved)) == bytes));
    BOOST_TEST((percent_decode(percent_encode(bytes, kept_characters::unreserved_and_reserved)) == bytes));
    BOOST_TEST((percent_decode("%4a%4A+") == "JJ+"));
}

BOOST_AUTO_TEST_CASE(a_percent_sign_needs_its_digits)
{
    for (const char* wrong : {"%", "%4", "a%", "%4g", "%g4", "%%41", "%4%41", "% 41", "%-1", "%0x41"})
        BOOST_TEST(!percent_decode(wrong), wrong);
    BOOST_TEST(!percent_decode(std::string_view("%41", 2)));
}

BOOST_AUTO_TEST_SUITE_END()
