#include "transport/socket/address_count.hpp"

#include <boost/test/unit_test.hpp>

using boost::asio::ip::make_address;
using partyline::address_count;

BOOST_AUTO_TEST_SUITE(address_counts, *boost::unit_test::timeout(20))

BOOST_AUTO_TEST_CASE(each_address_has_so_many_and_no_more)
{
    address_count counts(2);
    const auto first = make_address("192.0.2.1");
    const auto second = make_address("192.0.2.2");
    BOOST_TEST(counts.add(first));
    BOOST_TEST(counts.add(first));
    BOOST_TEST(!counts.add(first));
    BOOST_TEST(counts.add(second));
    counts.remove(first);
    BOOST_TEST(counts.add(first));
    BOOST_TEST(!counts.add(first));
}

BOOST_AUTO_TEST_CASE(everybody_on_this_machine_is_one)
{
    address_count counts(3);
    BOOST_TEST(counts.add(make_address("127.0.0.1")));
    BOOST_TEST(counts.add(make_address("127.255.3.4")));
    BOOST_TEST(counts.add(make_address("::ffff:127.0.0.7")));
    BOOST_TEST(!counts.add(make_address("::1")));
}

BOOST_AUTO_TEST_CASE(an_ipv4_address_is_the_same_however_it_is_written)
{
    address_count counts(1);
    BOOST_TEST(counts.add(make_address("192.0.2.1")));
    BOOST_TEST(!counts.add(make_address("::ffff:192.0.2.1")));
    BOOST_TEST(counts.add(make_address("::ffff:192.0.2.2")));
}

BOOST_AUTO_TEST_CASE(of_ipv6_the_network_counts)
{
    address_count counts(1);
    BOOST_TEST(counts.add(make_address("2001:db8:1:2::1")));
    BOOST_TEST(!counts.add(make_address("2001:db8:1:2:ffff::7")));
    BOOST_TEST(counts.add(make_address("2001:db8:1:3::1")));
    BOOST_TEST(counts.add(make_address("::1"))); // no network of its own
    BOOST_TEST(counts.add(make_address("::2")));
    counts.remove(make_address("2001:db8:1:2:ffff::7"));
    BOOST_TEST(counts.add(make_address("2001:db8:1:2::1")));
}

BOOST_AUTO_TEST_SUITE_END()
