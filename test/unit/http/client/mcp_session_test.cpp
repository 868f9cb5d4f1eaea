// A session by http::mcp_client, without an mcp::client: for those who pass on what either side says.

#include "client/fickle_server.hpp"
#include "http_fixture.hpp"

#include <partyline/async/async_event.hpp>
#include <partyline/http.hpp>
#include <partyline/rpc/method_table.hpp>

#include <boost/test/unit_test.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

using namespace partyline;
using partyline::test::asked_request;
using partyline::test::fickle_server;
namespace asio = boost::asio;

namespace {

struct mcp_session_fixture {
    asio::io_context context{1};
    std::function<std::string(const asked_request&)> on_call; // the answer to what is not of a session's beginning
    std::vector<std::string> replied;                         // to what the server has asked
    fickle_server server{context, [this](const asked_request& asked) { return answer(asked); }};
    async_event may_answer{context.get_executor()};
    int questions = 0; // that have reached a handler
    std::optional<session> peer;
    std::optional<error_code> ended;

    ~mcp_session_fixture()
    {
        peer.reset();
        context.restart();
        context.poll();
    }
    void connect(session_options how = {})
    {
        how.executor_is_serial = true;
        peer.emplace(http::mcp_client(context.get_executor(), server.address()).open(std::move(how)));
        peer->use_methods(own_methods());
        peer->async_run([this](error_code why) { ended = why; });
    }
    std::optional<error_code> call(const std::string& method)
    {
        const auto told = std::make_shared<std::optional<error_code>>();
        peer->async_call(method, [told](error_code failed, const response&) { *told = failed; });
        run_until([&] { return told->has_value(); });
        return *told;
    }
    void run_until(const std::function<bool()>& done) { test::run_until(context, done); }
    static std::string question(int number)
    {
        return R"(data: {"jsonrpc":"2.0","id":"q)" + std::to_string(number) + R"(","method":"ask"})" + "\n\n";
    }
    static std::string reply_to(const asked_request& call)
    {
        return R"(data: {"jsonrpc":"2.0","id":)" + call.member("id") + R"(,"result":{}})" + "\n\n";
    }

private:
    std::shared_ptr<const dispatcher> own_methods()
    {
        auto methods = std::make_shared<method_table>();
        methods->add("ask", [this] { return answer_question(); });
        return methods;
    }
    task<int> answer_question()
    {
        ++questions;
        co_await may_answer.async_wait();
        co_return 7;
    }
    std::string answer(const asked_request& asked)
    {
        if (asked.member("method").empty()) {
            replied.push_back(asked.body);
            return test::bare_answer(202);
        }
        return on_call(asked);
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_mcp_session, mcp_session_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(answers_what_its_server_asks_by_the_methods_that_it_got_before_it_ran)
{
    on_call = [](const asked_request& asked) { return test::event_answer(question(1) + reply_to(asked)); };
    may_answer.set();
    connect();
    BOOST_TEST(!*call("x"));
    run_until([this] { return !replied.empty(); });
    BOOST_TEST(replied.front() == R"({"jsonrpc":"2.0","id":"q1","result":7})");
}

// As many questions are asked as may be in flight. The others stay in the connection, and hold back no other one.
BOOST_AUTO_TEST_CASE(reads_no_more_of_a_stream_that_asks_on_and_on_and_goes_on_with_others)
{
    on_call = [](const asked_request& asked) {
        if (asked.member("method") != "endless")
            return test::result_answer(asked, "{}");
        std::string all;
        for (int i = 0; i != 10; ++i)
            all += question(i);
        return test::event_answer(all + reply_to(asked));
    };
    session_options how;
    how.bounds.in_flight_requests = 2;
    connect(std::move(how));
    std::optional<error_code> last;
    peer->async_call("endless", [&](error_code failed, const response&) { last = failed; });
    run_until([this] { return questions == 2; });
    for (int i = 0; i != 3; ++i)
        BOOST_TEST(!*call("other"));
    BOOST_TEST(questions == 2);
    BOOST_TEST(peer->counters().waiting == 0u);
    BOOST_TEST(!last);
    may_answer.set();
    run_until([&] { return last && replied.size() == 10; });
    BOOST_TEST(!*last);
    BOOST_TEST(questions == 10);
}

BOOST_AUTO_TEST_CASE(ends_while_a_stream_is_held_back)
{
    on_call = [](const asked_request&) { return test::event_answer(question(1) + question(2) + question(3)); };
    session_options how;
    how.bounds.in_flight_requests = 1;
    connect(std::move(how));
    std::optional<error_code> last;
    peer->async_call("endless", [&](error_code failed, const response&) { last = failed; });
    run_until([this] { return questions == 1; });
    peer->stop();
    run_until([&] { return last && ended; });
    BOOST_TEST((*last == errc::session_closed));
    BOOST_TEST(*ended == asio::error::operation_aborted);
}

BOOST_AUTO_TEST_SUITE_END()
