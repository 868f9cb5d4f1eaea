#include "http/access/public_address.hpp"

#include <boost/test/unit_test.hpp>

using partyline::http::is_public_address;

namespace {

bool is_public(const char* text)
{
    return is_public_address(boost::asio::ip::make_address(text));
}

} // namespace

BOOST_AUTO_TEST_SUITE(http_public_address)

BOOST_AUTO_TEST_CASE(hosts_of_the_internet_have_public_addresses)
{
    for (const char* each :
         {"1.1.1.1",        "8.8.8.8",         "9.255.255.255",   "11.0.0.0",        "100.63.255.255",
          "100.128.0.0",    "126.255.255.255", "128.0.0.1",       "169.253.255.255", "169.255.0.0",
          "172.15.255.255", "172.32.0.0",      "192.0.1.0",       "192.167.255.255", "192.169.0.0",
          "198.17.255.255", "198.20.0.0",      "223.255.255.255", "2600::1",         "2001:200::",
          "2a00:1450::1",   "2606:4700::1111", "64:ff9b::1.1.1.1"})
        BOOST_TEST(is_public(each), each);
}

BOOST_AUTO_TEST_CASE(addresses_of_networks_of_ones_own_are_not_public)
{
    for (const char* each :
         {"10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1", "127.255.255.255", "169.254.0.0",
          "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.255.255", "::1", "fc00::1",
          "fd12:3456::1", "fdff::1", "fe80::1", "febf::1", "fec0::1"})
        BOOST_TEST(!is_public(each), each);
}

BOOST_AUTO_TEST_CASE(addresses_of_no_host_are_not_public)
{
    for (const char* each :
         {"0.0.0.0", "0.1.2.3", "192.0.0.8", "192.0.2.1", "192.88.99.1", "198.18.0.1", "198.19.255.255", "198.51.100.7",
          "203.0.113.7", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "::", "100::1", "2001:db8::1",
          "3fff:fff::1", "ff02::1", "4000::1"})
        BOOST_TEST(!is_public(each), each);
}

BOOST_AUTO_TEST_CASE(addresses_of_ipv4_within_ipv6_are_not_public)
{
    for (const char* each : {"::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "2002:7f00:1::",
                             "2002:808:808::1", "2001:0:7f00:1::", "64:ff9b::127.0.0.1", "64:ff9b::169.254.169.254",
                             "64:ff9b::10.0.0.1", "64:ff9b:1::8.8.8.8", "64:ff9b:0:1::8.8.8.8"})
        BOOST_TEST(!is_public(each), each);
}

BOOST_AUTO_TEST_SUITE_END()
