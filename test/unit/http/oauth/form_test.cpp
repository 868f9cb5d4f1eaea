#include "http/oauth/form.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>

using namespace std::literals;
using partyline::http::form_encoded;
using partyline::http::form_fields;
using partyline::http::form_writer;

BOOST_AUTO_TEST_SUITE(http_oauth_form)

BOOST_AUTO_TEST_CASE(all_but_unreserved_characters_are_encoded)
{
    BOOST_TEST(form_encoded("aZ09-._~") == "aZ09-._~");
    BOOST_TEST(form_encoded("a b+c&d=e%f/\xc3\xa9\r\n"s + '\0') == "a%20b%2Bc%26d%3De%25f%2F%C3%A9%0D%0A%00");
    BOOST_TEST(form_writer().add("a b", "c&d").add("e", "").take() == "a%20b=c%26d&e=");
}

BOOST_AUTO_TEST_CASE(fields_are_found_by_their_decoded_names)
{
    const std::optional<form_fields> read = form_fields::read("a%20b=1+2&c=%26%c3%A9&d&&e==");
    BOOST_REQUIRE(read);
    BOOST_TEST(read->find("a b").value() == "1 2");
    BOOST_TEST(read->find("c").value() == "&\xc3\xa9");
    BOOST_TEST(read->find("d").value().empty());
    BOOST_TEST(read->find("e").value() == "=");
    BOOST_TEST(!read->find("b"));
    BOOST_TEST(!form_fields::read("")->find(""));
}

BOOST_AUTO_TEST_CASE(a_form_that_can_be_read_in_two_ways_is_none)
{
    for (const char* wrong : {"a=1&a=2", "a=1&%61=1", "a=%", "a=%4", "a=%4g", "%zz=1"})
        BOOST_TEST(!form_fields::read(wrong), wrong);
}

BOOST_AUTO_TEST_SUITE_END()
