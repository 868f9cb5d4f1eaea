#include "protocol/json/base64.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>

using namespace partyline;

BOOST_AUTO_TEST_SUITE(base64_suite)

BOOST_AUTO_TEST_CASE(texts_are_those_of_the_rfc)
{
    const struct {
        std::string bytes;
        const char* text;
        const char* for_urls;
    } rows[] = {
        {"", "", ""}, // RFC 4648 §10
        {"f", "Zg==", "Zg"},
        {"fo", "Zm8=", "Zm8"},
        {"foo", "Zm9v", "Zm9v"},
        {"foob", "Zm9vYg==", "Zm9vYg"},
        {"fooba", "Zm9vYmE=", "Zm9vYmE"},
        {"foobar", "Zm9vYmFy", "Zm9vYmFy"},
        {"\xfb\xff\xbf", "+/+/", "-_-_"}, // what the alphabets differ in
        {std::string("\0\0\0\0", 4), "AAAAAA==", "AAAAAA"},
        {"\xff", "/w==", "_w"},
    };
    for (const auto& row : rows)
        BOOST_TEST_CONTEXT(row.text)
        {
            BOOST_TEST(encode_base64(row.bytes) == row.text);
            BOOST_TEST(encode_base64url(row.bytes) == row.for_urls);
            BOOST_TEST((decode_base64(row.text) == row.bytes));
            BOOST_TEST((decode_base64url(row.for_urls) == row.bytes));
        }
}

// rule: mcp.resources.binary
BOOST_AUTO_TEST_CASE(all_bytes_come_back_at_every_length)
{
    std::string bytes;
    for (int i = 0; i != 600; ++i) {
        BOOST_TEST((decode_base64(encode_base64(bytes)) == bytes));
        BOOST_TEST((decode_base64url(encode_base64url(bytes)) == bytes));
        bytes.push_back(static_cast<char>(i * 167));
    }
}

BOOST_AUTO_TEST_CASE(what_is_not_written_like_that_is_refused)
{
    const std::string rows[] = {
        "Z",
        "Zg",
        "Zg=",
        "Zg===",
        "=",
        "==",
        "===",
        "====",
        "Z===",
        "Zm9v=",
        "Zm9vZ",
        "Zm=v",
        "Zg==Zg==",
        "Zm9v ",
        " Zm9v",
        "Zm\n9v",
        "Zm9v\n",
        "Zm9v====",
        "-_-_",
        "Zm8*",
        "Zh==",
        "Zm9=",
        "/x==",
        "Zm9\xc3",
        "Zm9v\xff\xff\xff\xff",
        std::string("Zm9\0", 4),
    };
    for (const std::string& row : rows)
        BOOST_TEST(!decode_base64(row), row);
}

BOOST_AUTO_TEST_CASE(what_is_not_written_like_that_for_urls_is_refused)
{
    const std::string rows[] = {
        "Z",     "Zg==", "Zm8=", "=",  "+/+/", "Zm9vZ",  "Zm9v ",
        "Zm\n9", "Zh",   "Zm9",  "_x", "Zm*",  "Zm\xc3", std::string("Zm\0", 3),
    };
    for (const std::string& row : rows)
        BOOST_TEST(!decode_base64url(row), row);
}

BOOST_AUTO_TEST_SUITE_END()
