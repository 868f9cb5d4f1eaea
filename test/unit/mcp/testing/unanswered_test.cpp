// What has no answer, or none that fits, fails the call.

#include "asking_server.hpp"
#include "eras.hpp"
#include "unit/testing/thrown.hpp"

#include <partyline/mcp/testing/test_client.hpp>

#include <boost/json/object.hpp>
#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>

namespace json = boost::json;
namespace mcp = partyline::mcp;
using namespace mcp_test;
using kit::thrown_by;

BOOST_AUTO_TEST_SUITE(mcp_test_unanswered, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(an_unanswered_question_fails_the_call_by_its_name)
{
    mcp::server server = asking_server();
    in_each_era([&](mcp::era era) {
        mcp::test_client client(server, era);
        try {
            client.call("clean");
            BOOST_ERROR("nothing was thrown");
        } catch (const mcp::unanswered_question& thrown) {
            BOOST_TEST(thrown.key() == "sure");
            BOOST_TEST(thrown.message() == "Delete 4 files?");
            BOOST_TEST(thrown.what() == "the server asks \"sure\" (form): \"Delete 4 files?\"; test_client::answer has "
                                        "been given none for that");
        }
        BOOST_CHECK_THROW(client.call("forgive"), mcp::unanswered_question);
        client.answer("sure", confirm{true});
        BOOST_TEST(client.call("clean").text() == "deleted");
    });
}

BOOST_AUTO_TEST_CASE(of_several_the_first_that_is_unanswered_is_named)
{
    mcp::server server = asking_server();
    in_each_era([&](mcp::era era) {
        mcp::test_client client(server, era);
        client.answer("form", confirm{true});
        client.answer("page", mcp::elicit_action::accept);
        client.answer("sample", "Hello");
        BOOST_TEST(thrown_by<mcp::unanswered_question>([&] { client.call("ask_all"); }) ==
                   "the server asks \"roots\" (roots); test_client::answer has been given none for that");
        client.answer("roots", "no roots");
        BOOST_TEST(thrown_by<mcp::unanswered_question>([&] { client.call("ask_all"); }) ==
                   "the server asks \"roots\" (roots); the answer that test_client::answer was given is to something "
                   "else");
    });
}

BOOST_AUTO_TEST_CASE(an_answer_that_does_not_fit_is_the_tests_mistake_unless_a_function_gives_it)
{
    mcp::server server = asking_server();
    in_each_era([&](mcp::era era) {
        mcp::test_client client(server, era);
        client.answer("sure", json::object{{"yes", "perhaps"}});
        BOOST_TEST(thrown_by<mcp::unanswered_question>([&] { client.call("clean"); }) ==
                   "the server asks \"sure\" (form): \"Delete 4 files?\"; the answer does not fit: at \"/yes\": "
                   "expected boolean, got string");
        client.answer("sure", "a text");
        BOOST_CHECK_THROW(client.call("clean"), mcp::unanswered_question);
    });
    mcp::test_client client(server, mcp::era::legacy);
    client.answer("sure", [](const mcp::elicit_request&) {
        return mcp::elicit_answer::accept(json::object{{"yes", "perhaps"}});
    });
    BOOST_TEST(client.call("clean").text() ==
               "The client has answered \"sure\" (elicitation/create) with something else");
}

BOOST_AUTO_TEST_CASE(what_an_answering_function_throws_is_thrown_by_the_call)
{
    mcp::server server = asking_server();
    in_each_era([&](mcp::era era) {
        mcp::test_client client(server, era);
        client.answer("sure", [](const mcp::elicit_request&) -> mcp::elicit_answer { throw std::out_of_range("odd"); });
        BOOST_TEST(thrown_by<std::out_of_range>([&] { client.call("clean"); }) == "odd");
        client.answer("sure", [](const mcp::elicit_request&) -> mcp::elicit_answer { throw 7; });
        BOOST_CHECK_THROW(client.call("clean"), int);
    });
}

BOOST_AUTO_TEST_CASE(an_answer_may_refuse_as_clients_do)
{
    mcp::server server = asking_server();
    const auto refuse = [](const mcp::elicit_request&) -> mcp::elicit_answer { throw partyline::rpc_error(7, "No"); };
    mcp::test_client old_one(server, mcp::era::legacy);
    old_one.answer("sure", refuse);
    BOOST_TEST(old_one.call("forgive").text() == "The client has not answered \"sure\" (elicitation/create): No");
    mcp::test_client new_one(server, mcp::era::modern);
    new_one.answer("sure", refuse);
    BOOST_CHECK_THROW(new_one.call("forgive"), partyline::rpc_error);
}

BOOST_AUTO_TEST_SUITE_END()
