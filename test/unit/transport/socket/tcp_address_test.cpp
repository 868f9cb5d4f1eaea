#include "support/text_search.hpp"

#include <partyline/transport/tcp_address.hpp>

#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <tuple>

using partyline::parse_tcp_address;
using partyline::tcp_address;
using partyline::test::contains;

BOOST_AUTO_TEST_SUITE(tcp_addresses)

BOOST_AUTO_TEST_CASE(an_address_is_read_as_people_write_it)
{
    const std::tuple<const char*, tcp_address, const char*> rows[] = {
        {"127.0.0.1:8080", {"127.0.0.1", 8080}, "127.0.0.1:8080"},
        {"example.org:1", {"example.org", 1}, "example.org:1"},
        {"[::1]:8080", {"::1", 8080}, "[::1]:8080"},
        {"[fe80::1%lo]:65535", {"fe80::1%lo", 65535}, "[fe80::1%lo]:65535"},
        {"[localhost]:0", {"localhost", 0}, "localhost:0"},
        {":8080", {"127.0.0.1", 8080}, "127.0.0.1:8080"},
        {"8080", {"127.0.0.1", 8080}, "127.0.0.1:8080"},
        {"0", {"127.0.0.1", 0}, "127.0.0.1:0"},
    };
    for (const auto& [text, address, again] : rows) {
        BOOST_TEST_CONTEXT(text)
        {
            BOOST_TEST((parse_tcp_address(text) == address));
            BOOST_TEST(to_string(address) == again);
        }
    }
}

BOOST_AUTO_TEST_CASE(what_is_no_address_is_refused_by_name)
{
    const std::pair<const char*, const char*> rows[] = {
        {"", "port"},
        {"localhost", "port"},
        {"localhost:", "port"},
        {"localhost:http", "port"},
        {":65536", "port"},
        {":-1", "port"},
        {":+1", "port"},
        {"1.2.3.4:80x", "port"},
        {":", "port"},
        {"::1", "brackets"},
        {"::1:80", "brackets"},
        {"[::1]", "[HOST]:PORT"},
        {"[::1]80", "[HOST]"},
        {"[::1:80", "[HOST]"},
        {"[]:80", "[HOST]"},
        {"[::1]:", "port"},
        {"a b:80", "blank"},
        {"localhost: 80", "blank"},
        {"localhost:80\n", "blank"},
    };
    for (const auto& [text, word] : rows) {
        BOOST_TEST_CONTEXT(text)
        {
            try {
                parse_tcp_address(text);
                BOOST_ERROR("was taken for an address");
            } catch (const std::invalid_argument& e) {
                BOOST_TEST(contains(e.what(), "'" + std::string(text) + "'"), e.what());
                BOOST_TEST(contains(e.what(), word), e.what());
            }
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
