#include "plain_text_server/documents.hpp"

#include <boost/test/unit_test.hpp>

#include <stdexcept>

using namespace plain_text;

BOOST_AUTO_TEST_SUITE(documents_open)

BOOST_AUTO_TEST_CASE(a_snapshot_stays_as_it_is)
{
    documents all;
    const snapshot first = all.open("a", 1, "one");
    const snapshot second = all.change("a", 5, {{std::nullopt, "two"}});
    all.close("a");
    BOOST_TEST(first->text() == "one");
    BOOST_TEST(second->text() == "two");
    BOOST_TEST(second->version() == 5);
    BOOST_TEST(!all.find("a"));
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_changes_nothing)
{
    documents all;
    const snapshot first = all.open("a", 3, "one");
    BOOST_CHECK_THROW(all.change("a", 3, {{std::nullopt, "two"}}), std::invalid_argument);
    BOOST_CHECK_THROW(all.change("a", 2, {{std::nullopt, "two"}}), std::invalid_argument);
    BOOST_CHECK_THROW(all.change("b", 4, {{std::nullopt, "two"}}), std::invalid_argument);
    BOOST_CHECK_THROW(all.close("b"), std::invalid_argument);
    BOOST_TEST(all.find("a") == first);
}

BOOST_AUTO_TEST_CASE(a_document_that_is_opened_again_begins_anew)
{
    documents all;
    all.open("a", 9, "one");
    all.open("a", 1, "two");
    BOOST_TEST(all.find("a")->version() == 1);
    BOOST_TEST(all.find("a")->text() == "two");
}

BOOST_AUTO_TEST_SUITE_END()
