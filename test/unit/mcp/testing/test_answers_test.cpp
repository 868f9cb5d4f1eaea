// What a server asks is answered by the test, in the same words in both eras.

#include "asking_server.hpp"
#include "eras.hpp"

#include <partyline/mcp/mcp.hpp>
#include <partyline/mcp/testing/test_client.hpp>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace json = boost::json;
namespace mcp = partyline::mcp;
using namespace mcp_test;

BOOST_AUTO_TEST_SUITE(mcp_test_answers, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_form_is_answered_in_all_ways)
{
    mcp::server server = asking_server();
    in_each_era([&](mcp::era era) {
        mcp::test_client client(server, era);
        client.answer("sure", confirm{true});
        BOOST_TEST(client.call("clean").text() == "deleted");
        client.answer("sure", json::object{{"yes", false}});
        BOOST_TEST(client.call("clean").text() == "kept");
        client.answer("sure", mcp::elicit_action::decline);
        BOOST_TEST(client.call("clean").text() == "declined");
        client.answer("sure", mcp::elicit_answer::cancel());
        BOOST_TEST(client.call("clean").text() == "cancelled");
        client.answer("sure", [](const mcp::elicit_request& asked) {
            return mcp::elicit_answer::accept(confirm{asked.message == "Delete 4 files?"});
        });
        BOOST_TEST(client.call("clean").text() == "deleted");
        BOOST_TEST(client.questions().size() == 5u);
        BOOST_TEST(client.questions().at(4).key == "sure");
        BOOST_TEST(client.questions().at(4).kind == "form");
        BOOST_TEST(client.questions().at(4).message == "Delete 4 files?");
        expect_no_problems(client);
    });
}

BOOST_AUTO_TEST_CASE(several_questions_at_once_are_answered_by_their_keys)
{
    mcp::server server = asking_server();
    in_each_era([&](mcp::era era) {
        mcp::test_client client(server, era);
        client.answer("form", confirm{true});
        client.answer("page", mcp::elicit_action::accept);
        client.answer("sample", "Hello");
        client.answer("roots", home);
        BOOST_TEST(client.call("ask_all").text() == "yes accept Hello file:///home");
        BOOST_TEST(client.questions().size() == 4u);
        BOOST_TEST(client.unused_answers().empty());
        expect_no_problems(client);
    });
}

BOOST_AUTO_TEST_CASE(questions_in_turn_are_answered_by_functions_and_coroutines)
{
    mcp::server server = asking_server();
    in_each_era([&](mcp::era era) {
        mcp::test_client client(server, era);
        client.answer("page", [](const mcp::page_request& asked) {
            BOOST_TEST(asked.url == "https://example.org/");
            return mcp::elicit_action::decline;
        });
        client.answer("sample", [&](const mcp::sample_request& asked) -> partyline::task<mcp::sampling_answer> {
            boost::asio::steady_timer timer(client.get_executor(), std::chrono::milliseconds(1));
            co_await timer.async_wait(boost::asio::deferred);
            mcp::sampling_answer said;
            said.model = "mine";
            said.content = json::object{{"type", "text"}, {"text", asked.text() + '!'}};
            co_return said;
        });
        client.answer("roots", home);
        BOOST_TEST(client.call("ask_in_turn").text() == "decline Say something! home");
        expect_no_problems(client);
    });
}

BOOST_AUTO_TEST_CASE(answers_that_nobody_asked_for_are_told)
{
    mcp::server server = asking_server();
    in_each_era([&](mcp::era era) {
        mcp::test_client client(server, era);
        client.answer("sure", confirm{true});
        client.answer("other", confirm{true});
        client.answer("another", "text");
        client.call("clean");
        BOOST_TEST(client.unused_answers() == (std::vector<std::string>{"another", "other"}),
                   boost::test_tools::per_element());
    });
}

BOOST_AUTO_TEST_CASE(a_client_that_can_not_be_asked_says_so)
{
    mcp::server server = asking_server();
    server.add_tool("can", "What it can ask.", [](mcp::context& c) {
        const int forms_and_pages = int(c.can_elicit()) + 2 * int(c.can_elicit_url());
        return forms_and_pages + 4 * int(c.can_sample()) + 8 * int(c.can_list_roots());
    });
    in_each_era([&](mcp::era era) {
        mcp::test_client able(server, era);
        BOOST_TEST(able.call("can").as<int>() == 15);
        mcp::test_client_options options;
        options.can_elicit = options.can_elicit_url = options.can_sample = options.can_list_roots = false;
        mcp::test_client unable(server, era, options);
        BOOST_TEST(unable.call("can").as<int>() == 0);
        expect_no_problems(unable);
    });
}

// The kit shows what a handler does too early: what must happen once stands behind the last question.
BOOST_AUTO_TEST_CASE(a_handler_that_acts_before_it_asks_differs_between_the_eras)
{
    int deleted = 0;
    mcp::server server("careless", "1");
    server.add_tool("clean", "Cleans too early.", [&deleted](mcp::context& c) -> partyline::task<int> {
        ++deleted;
        co_await c.elicit<confirm>("sure", "Really?");
        co_return deleted;
    });
    const auto deletions = [&](mcp::era era) {
        deleted = 0;
        mcp::test_client client(server, era);
        client.answer("sure", confirm{true});
        return client.call("clean").as<int>();
    };
    BOOST_TEST(deletions(mcp::era::legacy) == 1);
    BOOST_TEST(deletions(mcp::era::modern) == 2);
}

BOOST_AUTO_TEST_CASE(tools_on_a_thread_pool_are_answered_as_well)
{
    boost::asio::thread_pool pool(2);
    mcp::run_options on_pool;
    on_pool.executor = pool.get_executor();
    mcp::server server = asking_server(on_pool);
    in_each_era([&](mcp::era era) {
        mcp::test_client client(server, era);
        client.answer("sure", confirm{true});
        client.answer("form", confirm{true});
        client.answer("page", mcp::elicit_action::accept);
        client.answer("sample", "Hello");
        client.answer("roots", home);
        auto first = client.start_call("clean");
        auto second = client.start_call("ask_all");
        BOOST_TEST(second.get().text() == "yes accept Hello file:///home");
        BOOST_TEST(first.get().text() == "deleted");
        expect_no_problems(client);
    });
    pool.join();
}

BOOST_AUTO_TEST_SUITE_END()
