#include <partyline/protocol/request_id.hpp>

#include <boost/test/unit_test.hpp>

using partyline::request_id;

BOOST_AUTO_TEST_SUITE(request_id_)

BOOST_AUTO_TEST_CASE(no_id_is_not_the_id_null)
{
    const request_id none;
    const request_id null("null", "null");
    BOOST_TEST(none.empty());
    BOOST_TEST(!none.is_null());
    BOOST_TEST(!null.empty());
    BOOST_TEST(null.is_null());
    BOOST_TEST(!(none == null));
}

BOOST_AUTO_TEST_CASE(the_text_is_kept_and_the_key_compared)
{
    const request_id escaped(R"("\u0061")", R"("a")");
    const request_id plain(R"("a")", R"("a")");
    BOOST_TEST(escaped.text() == R"("\u0061")");
    BOOST_TEST(escaped.key() == R"("a")");
    BOOST_TEST(plain.text() == plain.key());
    BOOST_TEST((escaped == plain));
}

BOOST_AUTO_TEST_CASE(a_number_is_no_string)
{
    const request_id number(7);
    BOOST_TEST(number.text() == "7");
    BOOST_TEST(!number.is_string());
    BOOST_TEST(request_id(R"("7")", R"("7")").is_string());
    BOOST_TEST(!(number == request_id(R"("7")", R"("7")")));
}

BOOST_AUTO_TEST_CASE(an_id_can_be_given_away_and_taken_again)
{
    request_id id(R"("\n")", "\"\n\"");
    id.clear();
    BOOST_TEST(id.empty());
    BOOST_TEST(id.key() == "");
    id.assign("5", "5");
    BOOST_TEST(id.text() == "5");
    BOOST_TEST(id.key() == "5");
}

BOOST_AUTO_TEST_SUITE_END()
