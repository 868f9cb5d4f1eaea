#include "http/serve/origin_queue.hpp"
#include "transport/socket/address_count.hpp"

#include <boost/test/unit_test.hpp>

#include <deque>
#include <string>

using partyline::http::origin_queue;

namespace {

struct peer : origin_queue::member {
    std::string name;
};

struct queue_fixture {
    std::deque<peer> peers;
    origin_queue queue;

    ~queue_fixture()
    {
        for (peer& one : peers)
            queue.remove(one);
    }
    peer& add(const std::string& name, const char* from)
    {
        peers.emplace_back();
        peers.back().name = name;
        queue.add(peers.back(), partyline::origin_of(boost::asio::ip::make_address(from)).to_string());
        return peers.back();
    }
    std::string take()
    {
        auto& leaves = static_cast<peer&>(queue.next_to_leave());
        queue.remove(leaves);
        return leaves.name;
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_origin_queue, queue_fixture)

BOOST_AUTO_TEST_CASE(the_oldest_of_whoever_has_most_leaves_first)
{
    add("old", "192.0.2.1");
    add("one of many", "192.0.2.2");
    add("another", "192.0.2.2");
    add("two of many", "192.0.2.2");
    add("another of another", "192.0.2.3");
    BOOST_TEST(queue.size() == 5u);
    BOOST_TEST(take() == "one of many");
    BOOST_TEST(take() == "another");
    BOOST_TEST(queue.size() == 3u);
}

BOOST_AUTO_TEST_CASE(the_oldest_leaves_first_where_all_come_from_elsewhere)
{
    for (const char* from : {"192.0.2.7", "192.0.2.1", "2001:db8::1"})
        add(from, from);
    BOOST_TEST(take() == "192.0.2.7");
    BOOST_TEST(take() == "192.0.2.1");
    BOOST_TEST(take() == "2001:db8::1");
    BOOST_TEST(queue.size() == 0u);
}

BOOST_AUTO_TEST_CASE(a_network_is_one_origin)
{
    add("old", "192.0.2.1");
    add("mapped", "::ffff:192.0.2.2");
    add("first", "2001:db8::1");
    add("second", "2001:db8::2");
    BOOST_TEST(take() == "first");
}

BOOST_AUTO_TEST_CASE(who_has_left_does_not_count)
{
    add("honest", "192.0.2.1");
    for (int i = 0; i < 100; ++i)
        queue.remove(add("dropped", "192.0.2.2"));
    queue.remove(peers.back());
    add("later", "192.0.2.2");
    BOOST_TEST(queue.size() == 2u);
    BOOST_TEST(take() == "honest");
    BOOST_TEST(take() == "later");
}

BOOST_AUTO_TEST_CASE(one_that_is_not_there_may_be_removed)
{
    peers.emplace_back();
    queue.remove(peers.back());
    BOOST_TEST(queue.size() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
