#include "access/rules/implied_scopes.hpp"
#include "access/rules/quota_book.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace partyline::access;

BOOST_AUTO_TEST_SUITE(quota_book_suite)

BOOST_AUTO_TEST_CASE(one_principal_has_one_quota_while_somebody_holds_it)
{
    quota_book book;
    const partyline::quota_limits limits = {10, 20, 5};
    const auto first = book.find("token\nci", limits);
    BOOST_TEST(book.find("token\nci", limits) == first);
    BOOST_TEST(book.find("user\nci", limits) != first);
    BOOST_TEST(book.find("token\nci", {10, 21, 5}) != first);
    BOOST_TEST(first->limits().burst == 20u);
    BOOST_TEST(!book.find("token\nci", {}));
}

BOOST_AUTO_TEST_CASE(quotas_that_nobody_holds_are_forgotten)
{
    quota_book book;
    const auto kept = book.find("kept", {1, 1, 0});
    for (int i = 0; i < 10'000; ++i)
        book.find(std::to_string(i), {1, 1, 0});
    BOOST_TEST(book.size() <= 64u);
    BOOST_TEST(book.find("kept", {1, 1, 0}) == kept);
}

BOOST_AUTO_TEST_CASE(the_last_limit_that_fits_counts)
{
    const std::vector<limit_entry> limits = {{std::nullopt, {1, 1, 0}},
                                             {std::vector<name_pattern>{{"ci", false}, {"ops-", true}}, {2, 1, 0}},
                                             {std::vector<name_pattern>{{"anonymous", false}}, {3, 1, 0}},
                                             {std::vector<name_pattern>{{"ops-a", false}}, {4, 1, 0}}};
    BOOST_TEST(limits_for(limits, "bob").requests_per_second == 1);
    BOOST_TEST(limits_for(limits, "ci").requests_per_second == 2);
    BOOST_TEST(limits_for(limits, "ops-b").requests_per_second == 2);
    BOOST_TEST(limits_for(limits, "ops-a").requests_per_second == 4);
    BOOST_TEST(limits_for(limits, "").requests_per_second == 3);
    BOOST_TEST(limits_for({{std::vector<name_pattern>{{"", true}}, {5, 1, 0}}}, "").requests_per_second == 5);
    BOOST_TEST(limits_for({}, "ci").requests_per_second == 0);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(implied_scopes_suite)

BOOST_AUTO_TEST_CASE(scopes_imply_others_through_others)
{
    const std::vector<std::string> all = {"a", "b", "c", "d"};
    BOOST_TEST(with_implied({"d", "a", "a"}, {{"a", {"b"}}, {"b", {"c"}}, {"x", {"y"}}}) == all,
               boost::test_tools::per_element());
    BOOST_TEST(with_implied({"b", "a"}, {}) == (std::vector<std::string>{"a", "b"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(scopes_that_imply_each_other_are_equal)
{
    const std::vector<std::string> both = {"a", "b"};
    BOOST_TEST(with_implied({"a"}, {{"a", {"b"}}, {"b", {"a"}}}) == both, boost::test_tools::per_element());
    BOOST_TEST(with_implied({"b"}, {{"a", {"b"}}, {"b", {"a", "b"}}}) == both, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
