#include "http/mcp/base64_value.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>

using partyline::http::decode_field_value;

BOOST_AUTO_TEST_SUITE(http_base64_values)

BOOST_AUTO_TEST_CASE(what_is_marked_is_decoded_and_anything_else_is_itself)
{
    using text = std::optional<std::string>;
    const struct {
        const char* value;
        text meant; // empty: it is wrong
    } rows[] = {
        {"", ""},
        {"us-west1", "us-west1"},
        {"=?base64?SGVsbG8=?=", "Hello"},
        {"=?base64?SGVsbG8sIOS4lueVjA==?=", "Hello, \xe4\xb8\x96\xe7\x95\x8c"},
        {"=?base64?IHBhZGRlZCA=?=", " padded "},
        {"=?base64?PT9iYXNlNjQ/U0dWc2JHOD0/PQ==?=", "=?base64?SGVsbG8=?="},
        {"=?base64?++//?=", "\xfb\xef\xff"},
        {"=?base64?AA==?=", std::string(1, '\0')},
        {"=?base64?\?=", ""},
        // Without its beginning or its end it is no mark.
        {"=?base64?=", "=?base64?="},
        {"SGVsbG8=", "SGVsbG8="},
        {"=?base64?SGVsbG8=", "=?base64?SGVsbG8="},
        {"SGVsbG8=?=", "SGVsbG8=?="},
        {"=?BASE64?SGVsbG8=?=", "=?BASE64?SGVsbG8=?="},
        {"=?utf-8?SGVsbG8=?=", "=?utf-8?SGVsbG8=?="},
        {"x=?base64?SGVsbG8=?=", "x=?base64?SGVsbG8=?="},
        // Each text has one encoding.
        {"=?base64?SGVsbG8?=", text()},
        {"=?base64?SGVs!!!bG8=?=", text()},
        {"=?base64?SGVsbG8==?=", text()},
        {"=?base64?SGVsbG9=?=", text()}, // bits behind the last byte
        {"=?base64?AB==?=", text()},
        {"=?base64?A===?=", text()},
        {"=?base64?====?=", text()},
        {"=?base64?==AA?=", text()},
        {"=?base64?AA==AA==?=", text()},
        {"=?base64?SGVs bG8=?=", text()},
        {"=?base64?-_-_?=", text()}, // of the alphabet for URLs
        {"=?base64?AAAA\xff\xff\xff\xff?=", text()},
    };
    for (const auto& row : rows)
        BOOST_TEST((decode_field_value(row.value) == row.meant), row.value);
}

BOOST_AUTO_TEST_SUITE_END()
