// Who has asked a server for what.

#include "gateway/listen_book.hpp"
#include "gateway/resource_watchers.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using gateway::listen_book;
using gateway::relay;
using gateway::resource_watchers;

namespace {

// They are compared, and not looked at.
const relay& client(int number)
{
    static const char places[4] = {};
    return reinterpret_cast<const relay&>(places[number]);
}

} // namespace

BOOST_AUTO_TEST_SUITE(gateway_books)

BOOST_AUTO_TEST_CASE(subscriptions_get_their_ids_in_order)
{
    listen_book book;
    book.expect({&client(0), 1, "\"a\""});
    book.expect({&client(1), 1, "7"});
    book.expect({&client(0), 2, "8"});
    book.note_sent("1");
    book.forget(client(1), 1); // before it has gone out
    book.note_sent("2");
    book.note_sent("3"); // of nobody
    BOOST_TEST_REQUIRE(book.find("1"));
    BOOST_TEST(book.find("1")->client_id == "\"a\"");
    BOOST_TEST_REQUIRE(book.find("2"));
    BOOST_TEST(book.find("2")->number == 2u);
    BOOST_TEST(!book.find("3"));
    book.forget(client(0));
    BOOST_TEST(!book.find("1"));
    BOOST_TEST(!book.find("2"));
}

BOOST_AUTO_TEST_CASE(a_resource_is_watched_until_its_last_watcher_goes)
{
    resource_watchers book;
    book.add(client(0), "\"a\"");
    book.add(client(1), "\"a\"");
    book.add(client(1), "\"b\"");
    book.add(client(1), "\"b\"");
    BOOST_TEST(book.is_watched("\"a\"", client(0)));
    BOOST_TEST(!book.is_watched("\"b\"", client(0)));
    BOOST_TEST(!book.remove(client(0), "\"a\""));
    BOOST_TEST(book.remove(client(0), "\"nothing\""));
    BOOST_TEST(book.remove_all(client(1)) == (std::vector<std::string>{"\"a\"", "\"b\""}),
               boost::test_tools::per_element());
    BOOST_TEST(book.all().empty());
}

BOOST_AUTO_TEST_SUITE_END()
