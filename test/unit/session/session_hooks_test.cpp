// What is told of a session's begin and end, and the way to it that handlers and hooks have.

#include "support/dialogue.hpp"
#include "support/outcome.hpp"

#include <partyline/session/session_link.hpp>

#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace asio = boost::asio;
using namespace partyline::test;
using namespace partyline;

namespace {

struct hooks_fixture : dialogue {
    std::vector<std::shared_ptr<session_link>> started;
    std::vector<std::shared_ptr<session_link>> gone;
    std::vector<error_code> why;

    hooks_fixture()
    {
        options.on_start = [this](const std::shared_ptr<session_link>& its) { started.push_back(its); };
        options.on_end = [this](const std::shared_ptr<session_link>& its, error_code ended) {
            gone.push_back(its);
            why.push_back(ended);
        };
    }
    // The hooks use what is gone when the session is.
    ~hooks_fixture()
    {
        destroy_session();
        settle();
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(session_hooks, hooks_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(begin_and_end_are_told_once_of_the_same_session)
{
    methods.add("count", [this] { return started.size(); });
    send(request("1", "count"));
    expect(result("1", "1")); // before anything is served
    BOOST_TEST(started.at(0)->is_open());
    BOOST_TEST(gone.empty());
    end_input();
    BOOST_TEST(!wait_end());
    BOOST_TEST(started.size() == 1u);
    BOOST_REQUIRE(gone.size() == 1u);
    BOOST_TEST((gone.front() == started.front()));
    BOOST_TEST(!why.front());
    BOOST_TEST(!started.front()->is_open());
    destroy_session();
    settle();
    BOOST_TEST(gone.size() == 1u);
}

BOOST_AUTO_TEST_CASE(the_end_says_why)
{
    start();
    settle();
    server().stop();
    BOOST_TEST(wait_end() == error_code(asio::error::operation_aborted));
    BOOST_REQUIRE(why.size() == 1u);
    BOOST_TEST(why.front() == error_code(asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(what_is_told_of_an_end_finds_the_session_over)
{
    bool was_posted = true;
    options.on_end = [&](const std::shared_ptr<session_link>& its, error_code) {
        was_posted = its->post([](live_session&) { BOOST_ERROR("the session is over"); });
    };
    start();
    end_input();
    BOOST_TEST(!wait_end());
    BOOST_TEST(!was_posted);
}

BOOST_AUTO_TEST_CASE(a_begin_that_throws_ends_the_session_and_has_no_end)
{
    options.on_start = [](const std::shared_ptr<session_link>&) { throw std::runtime_error("not today"); };
    methods.add("served", [] { BOOST_ERROR("nothing is served"); });
    send(request("1", "served"));
    BOOST_TEST(wait_end() == error_code(errc::session_failed));
    BOOST_TEST(gone.empty());
    BOOST_REQUIRE(!logged.empty());
    BOOST_TEST(logged.front().find("not today") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_end_that_throws_is_logged)
{
    options.on_end = [](const std::shared_ptr<session_link>&, error_code) { throw std::runtime_error("too late"); };
    start();
    end_input();
    BOOST_TEST(!wait_end());
    BOOST_REQUIRE(logged.size() == 1u);
    BOOST_TEST(logged.front() == "on_end of a session threw: std::runtime_error: too late");
}

BOOST_AUTO_TEST_CASE(a_session_may_be_told_something_when_it_begins)
{
    options.on_start = [](const std::shared_ptr<session_link>& its) {
        its->post([](live_session& now) { now.notify("welcome")(asio::detached); });
    };
    start();
    expect(notification("welcome"));
}

BOOST_AUTO_TEST_CASE(a_handler_has_the_way_to_its_session)
{
    std::shared_ptr<session_link> kept;
    methods.add("remember", [&](request_context& own) { kept = own.link(); });
    send(request("1", "remember"));
    expect(result("1", "null"));
    BOOST_REQUIRE(kept);
    BOOST_TEST((kept == started.at(0)));
    BOOST_TEST(kept->notify("later", args(1)));
    expect(notification("later", "[1]"));
    end_input();
    BOOST_TEST(!wait_end());
    BOOST_TEST(!kept->notify("too_late"));
}

BOOST_AUTO_TEST_CASE(a_link_knows_the_peer_and_the_data_of_its_session)
{
    peer_identity who;
    who.principal = "ada";
    options.peer = std::make_shared<const peer_identity>(who);
    options.user_data = 7;
    start();
    settle();
    const session_link& link = *started.at(0);
    BOOST_REQUIRE(link.peer());
    BOOST_TEST(link.peer()->principal == "ada");
    int data = 0;
    started.front()->post([&](live_session& now) {
        BOOST_TEST(!now.user_data<std::string>());
        data = *now.user_data<int>();
    });
    settle();
    BOOST_TEST(data == 7);
    end_input();
    BOOST_TEST(!wait_end());
    BOOST_TEST(link.peer()->principal == "ada");
}

BOOST_AUTO_TEST_CASE(what_is_kept_with_a_session_goes_with_its_end)
{
    struct mark {
        std::shared_ptr<session_link> link;
        std::shared_ptr<std::vector<bool>> was_open;
        mark(std::shared_ptr<session_link> of, std::shared_ptr<std::vector<bool>> told)
            : link(std::move(of)), was_open(std::move(told))
        {
        }
        mark(mark&&) = default;
        ~mark()
        {
            if (was_open)
                was_open->push_back(link->is_open());
        }
    };
    const auto was_open = std::make_shared<std::vector<bool>>();
    methods.add("keep", [&](request_context& context) {
        const bool was_kept = context.session_values()->find<mark>() != nullptr;
        context.session_values()->attach(mark(context.link(), was_open));
        return was_kept;
    });
    send(request("1", "keep"));
    expect(result("1", "false"));
    BOOST_TEST(was_open->empty());
    send(request("2", "keep")); // in place of the first one
    expect(result("2", "true"));
    BOOST_TEST(*was_open == std::vector<bool>{true}, boost::test_tools::per_element());
    end_input();
    BOOST_TEST(!wait_end());
    BOOST_TEST(*was_open == (std::vector<bool>{true, false}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_is_kept_goes_where_a_session_is_destroyed)
{
    const auto kept = std::make_shared<int>(7);
    methods.add("keep",
                [&](request_context& context) { context.session_values()->attach(std::shared_ptr<int>(kept)); });
    send(request("1", "keep"));
    expect(result("1", "null"));
    BOOST_TEST(kept.use_count() == 2);
    destroy_session();
    settle();
    BOOST_TEST(kept.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(a_session_has_room_until_its_peer_is_behind)
{
    options.bounds.outbox_soft_bytes = 4096;
    start();
    settle();
    stop_reading();
    std::vector<bool> room;
    for (int i = 0; i != 40; ++i) {
        started.at(0)->post([&](live_session& now) {
            room.push_back(now.has_room());
            now.notify("much", args(std::string(2048, 'x')))(asio::detached);
        });
        settle();
    }
    BOOST_TEST(room.front());
    BOOST_TEST(!room.back());
    resume_reading();
    settle();
    bool has_room = false;
    started.front()->post([&](live_session& now) { has_room = now.has_room(); });
    settle();
    BOOST_TEST(has_room);
}

BOOST_AUTO_TEST_SUITE_END()
