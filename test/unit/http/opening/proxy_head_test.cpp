#include "http/opening/proxy_head.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

using partyline::http::proxy_head;
using partyline::http::read_proxy_head;

namespace {

using state = proxy_head::state;

// Where it comes from, or what became of it; the same with bytes behind it, and not known before all has come.
std::string from(const std::string& head)
{
    for (std::size_t size = 0; size < head.size(); ++size)
        BOOST_TEST((read_proxy_head(std::string_view(head).substr(0, size)).read != state::done));
    const proxy_head found = read_proxy_head(head + "GET /");
    if (found.read != state::done)
        return found.read == state::more ? "more" : "refused";
    BOOST_TEST(found.size == head.size());
    if (found.client == partyline::ip_endpoint())
        return "unknown";
    return found.client ? found.client->ip.to_string() + ' ' + std::to_string(found.client->port) : "itself";
}

std::string block(unsigned command, unsigned family, const std::string& rest)
{
    return std::string("\r\n\r\n\0\r\nQUIT\n", 12) + static_cast<char>(command) + static_cast<char>(family) +
           static_cast<char>(rest.size() >> 8) + static_cast<char>(rest.size() & 0xFF) + rest;
}

const std::string two_v4("\x01\x02\x03\x04\x05\x06\x07\x08\x30\x39\x01\xBB", 12);

} // namespace

BOOST_AUTO_TEST_SUITE(http_proxy_head)

BOOST_AUTO_TEST_CASE(tells_where_a_client_comes_from)
{
    BOOST_TEST(from("PROXY TCP4 192.0.2.1 192.0.2.2 56324 443\r\n") == "192.0.2.1 56324");
    BOOST_TEST(from("PROXY TCP6 2001:db8::1 2001:db8::2 1 65535\r\n") == "2001:db8::1 1");
    BOOST_TEST(from(block(0x21, 0x11, two_v4)) == "1.2.3.4 12345");
    BOOST_TEST(from(block(0x21, 0x11, two_v4 + "a TLV or two")) == "1.2.3.4 12345");
    BOOST_TEST(
        from(block(0x21, 0x21, std::string(15, '\0') + '\1' + std::string(16, '\0') + std::string("\0\7\0\1", 4))) ==
        "::1 7");
    BOOST_TEST(from(block(0x21, 0x11, two_v4 + std::string(2036, 'x'))) == "1.2.3.4 12345");
}

BOOST_AUTO_TEST_CASE(tells_that_a_client_has_no_address)
{
    BOOST_TEST(from("PROXY UNKNOWN\r\n") == "unknown");
    BOOST_TEST(from("PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n") == "unknown");
    BOOST_TEST(from(block(0x21, 0x00, "")) == "unknown");
    BOOST_TEST(from(block(0x21, 0x00, two_v4)) == "unknown");
    BOOST_TEST(from(block(0x21, 0x12, two_v4)) == "unknown");
    BOOST_TEST(from(block(0x21, 0x31, std::string(216, 'u'))) == "unknown");
}

BOOST_AUTO_TEST_CASE(tells_that_the_proxy_itself_asks)
{
    BOOST_TEST(from(block(0x20, 0x00, "")) == "itself");
    BOOST_TEST(from(block(0x20, 0x11, two_v4)) == "itself");
}

BOOST_AUTO_TEST_CASE(is_refused_where_it_breaks_the_rules)
{
    for (const std::string& bad :
         {std::string("GET / HTTP/1.1\r\n"), std::string("PROXY TCP4 192.0.2.1 192.0.2.2 56324\r\n"),
          std::string("PROXY TCP4 192.0.2.1 192.0.2.2 56324 70000\r\n"), std::string("PROXY TCP4 ::1 ::2 1 2\r\n"),
          std::string("PROXY TCP6 1.2.3.4 1.2.3.5 1 2\r\n"), std::string("PROXY UDP4 1.2.3.4 1.2.3.5 1 2\r\n"),
          std::string("PROXY TCP4 1.2.3.4 1.2.3.5 1 2 3\r\n"), std::string("PROXY TCP4 x y 1 2\r\n"),
          std::string("PROXY TCP4 1.2.3.4 ::2 1 2\r\n"), std::string("PROXY TCP4 1.2.3.4  1 2\r\n"),
          std::string("PROXY \r\n"), "PROXY TCP4 " + std::string(200, '1'), block(0x11, 0x11, two_v4),
          block(0x22, 0x11, two_v4), block(0x21, 0x11, two_v4.substr(1)), block(0x21, 0x21, two_v4),
          block(0x21, 0x11, std::string(2049, 'x'))})
        BOOST_TEST(from(bad) == "refused", bad);
}

BOOST_AUTO_TEST_SUITE_END()
