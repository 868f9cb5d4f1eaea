#include "http/oauth/scope_set.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using partyline::http::scope_set;

BOOST_AUTO_TEST_SUITE(http_oauth_scope_set)

BOOST_AUTO_TEST_CASE(each_scope_is_there_once_in_the_order_in_which_it_was_named)
{
    scope_set all = scope_set::read("b a  b\tc d");
    BOOST_TEST(all.text() == "b a d"); // a tab is no blank between scopes
    all.add(scope_set::read("e a"));
    BOOST_TEST(all.text() == "b a d e");
    BOOST_TEST(all.sorted_text() == "a b d e");
    all.remove("a");
    BOOST_TEST(all.text() == "b d e");
    BOOST_TEST((all.has("d") && !all.has("a")));
    BOOST_TEST(all.has_all(scope_set::read("e b")));
    BOOST_TEST(all.has_all(scope_set()));
    BOOST_TEST(!all.has_all(scope_set::read("e a")));
}

BOOST_AUTO_TEST_CASE(texts_that_are_no_scopes_are_left_out)
{
    BOOST_TEST(scope_set({"a b", "", "c\"", "d\\", "e\r\nf", "g\x7f", "\xc3\xa9", "h:*/i"}).text() == "h:*/i");
}

BOOST_AUTO_TEST_CASE(there_is_a_most_of_them)
{
    scope_set many;
    for (int i = 0; i < 1000; ++i)
        many.add(std::to_string(i));
    BOOST_TEST((many.has("255") && !many.has("256")));
    scope_set longer;
    longer.add(std::string(4000, 'x'));
    longer.add(std::string(100, 'y'));
    BOOST_TEST(longer.text().size() == 4000U);
    longer.remove(std::string(4000, 'x'));
    longer.add(std::string(100, 'y'));
    BOOST_TEST(longer.text().size() == 100U);
}

BOOST_AUTO_TEST_SUITE_END()
