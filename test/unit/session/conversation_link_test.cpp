// What a lifecycle does with its session from outside of messages.

#include "support/dialogue.hpp"
#include "support/outcome.hpp"

#include <partyline/session/lifecycle.hpp>
#include <partyline/session/profile.hpp>
#include <partyline/session/session_link.hpp>

#include <boost/asio/detached.hpp>
#include <boost/json/object.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline::test;
using namespace partyline;

namespace {

class linked_lifecycle final : public lifecycle {
public:
    void on_attached(std::shared_ptr<session_link> own) override { link = std::move(own); }
    ruling on_request(const message&, message_reader&) override { return {}; }
    ruling on_notification(const message&, message_reader&) override { return {}; }

    std::shared_ptr<session_link> link;
};

class linked_protocol final : public profile {
public:
    std::shared_ptr<lifecycle> make_lifecycle() const override
    {
        last = std::make_shared<linked_lifecycle>();
        return last;
    }

    mutable std::shared_ptr<linked_lifecycle> last;
};

struct link_fixture : dialogue {
    linked_protocol protocol;

    link_fixture() { options.profile = &protocol; }

    session_link& link()
    {
        start();
        return *protocol.last->link;
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(conversation_link, link_fixture, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(what_is_said_by_way_of_a_link_is_sent)
{
    BOOST_TEST(
        link().post([](live_session& session) { session.notify("told", json::object{{"a", 1}})(asio::detached); }));
    expect(notification("told", R"({"a":1})"));
}

BOOST_AUTO_TEST_CASE(calls_by_way_of_a_link_are_answered)
{
    std::string answer;
    link().post([&](live_session& session) {
        session.call("ask")([&](error_code, response reply) { answer = reply.value().text(); });
    });
    expect(request("1", "ask"));
    send(result("1", "7"));
    settle();
    BOOST_TEST(answer == "7");
}

BOOST_AUTO_TEST_CASE(methods_are_exchanged_before_the_next_request_is_looked_at)
{
    methods.add("old", [] { return 1; });
    send(request("1", "old"));
    expect(result("1", "1"));
    method_table others;
    others.add("new", [] { return 2; });
    auto shared = std::make_shared<const method_table>(std::move(others));
    link().post([shared](live_session& session) { session.use_methods(shared); });
    send(request("2", "new"));
    expect(result("2", "2"));
}

BOOST_AUTO_TEST_CASE(a_session_is_closed_when_what_is_under_way_has_ended)
{
    gate held(context);
    methods.add("wait", [&](request_context&) -> asio::awaitable<int> {
        co_await held.wait();
        co_return 7;
    });
    send(request("1", "wait"));
    settle();
    link().post([](live_session& session) { session.close(); });
    expect_silence();
    held.open();
    expect(result("1", "7"));
    end_input();
    BOOST_TEST(!wait_end());
    BOOST_TEST(is_closed());
}

BOOST_AUTO_TEST_CASE(a_link_may_be_used_from_any_thread_and_when_the_session_is_over)
{
    const std::shared_ptr<session_link> kept = (start(), protocol.last->link);
    std::thread elsewhere([&] { kept->post([](live_session& session) { session.notify("told")(asio::detached); }); });
    elsewhere.join();
    expect(notification("told"));
    end_input();
    BOOST_TEST(!wait_end());
    BOOST_TEST(!kept->post([](live_session&) { BOOST_ERROR("the session is over"); }));
    destroy_session();
    BOOST_TEST(!kept->post([](live_session&) { BOOST_ERROR("there is no session"); }));
    kept->log("nobody hears this");
    BOOST_TEST(!kept->exposes_errors());
}

BOOST_AUTO_TEST_CASE(what_a_function_throws_ends_its_session_alone)
{
    link().post([](live_session&) { throw std::runtime_error("broken"); });
    BOOST_TEST(wait_end() == error_code(errc::session_failed));
    BOOST_REQUIRE(!logged.empty());
    BOOST_TEST(logged.front().find("broken") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_link_tells_the_log_and_knows_whether_errors_are_told)
{
    options.expose_errors = true;
    link().log("a line");
    BOOST_TEST(link().exposes_errors());
    BOOST_REQUIRE(logged.size() == 1u);
    BOOST_TEST(logged.front() == "a line");
}

BOOST_AUTO_TEST_SUITE_END()
