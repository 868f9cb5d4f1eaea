// What several sessions have done together, and what is left of those that have ended.

#include "support/dialogue.hpp"

#include <partyline/session/session_totals.hpp>

#include <boost/test/unit_test.hpp>

#include <memory>

namespace json = boost::json;
using namespace partyline::test;
using partyline::session_counters;
using partyline::session_totals;

namespace {

struct served : dialogue {
    gate held{context};

    explicit served(const std::shared_ptr<session_totals>& all)
    {
        methods.add("echo", [](json::value params) { return params; });
        methods.add("wait", [this](partyline::request_context&) -> boost::asio::awaitable<int> {
            co_await held.wait();
            co_return 1;
        });
        options.totals = all;
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(session_totals_suite, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(what_sessions_count_is_summed_up_also_when_they_have_ended)
{
    const auto all = std::make_shared<session_totals>();
    {
        served one(all), other(all);
        for (served* const each : {&one, &other}) {
            each->send(R"({"jsonrpc":"2.0","id":1,"method":"echo","params":[1]})");
            each->expect(R"({"jsonrpc":"2.0","id":1,"result":[1]})");
        }
        BOOST_TEST(all->sessions() == 2u);
        one.send(R"({"jsonrpc":"2.0","id":2,"method":"wait"})");
        one.expect_silence();
        BOOST_TEST(all->sum().in_flight == 1u);
        BOOST_TEST(all->sum().requests == 3u);
        one.held.open();
        one.expect(R"({"jsonrpc":"2.0","id":2,"result":1})");
        BOOST_TEST(all->sum().in_flight == 0u);
        for (served* const each : {&one, &other}) {
            each->end_input();
            each->wait_end();
        }
    }
    const session_counters sum = all->sum();
    BOOST_TEST(all->sessions() == 0u);
    BOOST_TEST(sum.requests == 3u);
    BOOST_TEST(sum.messages_in == 3u);
    BOOST_TEST(sum.messages_out == 3u);
    BOOST_TEST(sum.bytes_in > 0u);
    BOOST_TEST(sum.bytes_out > 0u);
    BOOST_TEST(sum.in_flight == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
