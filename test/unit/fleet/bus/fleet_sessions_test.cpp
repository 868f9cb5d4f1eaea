// Sessions between a front and a worker by a real server.

#include "unit/fleet/bus/fleet_fixture.hpp"

#include <partyline/session.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/test/unit_test.hpp>

#include <cctype>

namespace asio = boost::asio;

namespace partyline::test {
namespace {

using namespace std::chrono_literals;

task<std::string> ask_back(request_context& context, std::string what)
{
    auto params = args(std::move(what));
    co_return co_await context.call<std::string>("upper", std::move(params));
}

task<int> hang(request_context& context)
{
    asio::steady_timer timer(context.get_executor(), 1h);
    co_await timer.async_wait(asio::deferred);
    co_return 1;
}

task<int> rest(request_context& context, int after_ms)
{
    asio::steady_timer timer(context.get_executor(), std::chrono::milliseconds(after_ms));
    co_await timer.async_wait(asio::deferred);
    co_return after_ms;
}

task<int> flood(request_context& context, int notes, std::shared_ptr<std::atomic<int>> written)
{
    const std::string text(60'000, 'x');
    for (int i = 0; i < notes; ++i) {
        auto params = args(text);
        co_await context.notify("note", std::move(params));
        ++*written;
    }
    co_return notes;
}

/// A session and what became of it.
struct open_session {
    open_session(fleet::front& by, std::shared_ptr<const dispatcher> methods, fleet::fleet_session_options options = {},
                 bool runs = true)
    {
        options.on_opened = [to = opened](const error_object* refused) {
            to->put(refused ? std::to_string(refused->code) + " " +
                                  (refused->data ? boost::json::serialize(*refused->data) : "")
                            : "opened");
        };
        own.emplace(by.open_session(std::move(methods), std::move(options)));
        if (runs)
            run();
    }
    void run()
    {
        own->async_run([to = ended](error_code how) { to->put(how); });
    }
    std::future<std::string> start(std::string method, std::string params = {})
    {
        const auto promise = std::make_shared<std::promise<std::string>>();
        own->call(std::move(method), call_params(json_text(std::move(params))))(
            [promise](error_code failed, call_result<json_text> result) {
                promise->set_value(failed ? failed.message() : result ? result->text() : "error");
            });
        return promise->get_future();
    }
    static std::string text_of(std::future<std::string> of)
    {
        if (of.wait_for(patience * 3) != std::future_status::ready)
            throw std::runtime_error("a call did not come back");
        return of.get();
    }
    std::string call(std::string method, std::string params = {})
    {
        return text_of(start(std::move(method), std::move(params)));
    }

    std::shared_ptr<mailbox<std::string>> opened = std::make_shared<mailbox<std::string>>();
    std::shared_ptr<mailbox<error_code>> ended = std::make_shared<mailbox<error_code>>();
    std::optional<session> own;
};

struct fleet_with_sessions {
    fleet_with_sessions()
    {
        server.start();
        made->add("echo", [](boost::json::value params) { return params; });
        made->add("ask", ask_back, {"what"});
        made->add("hang", hang);
        made->add("rest", rest, {"after_ms"});
        made->add("who", [](request_context& context) { return context.peer().principal; });
        made->add_notification("note", [told = told](std::string text) { told->put(text); }, {"text"});
        ours->add("upper",
                  [](std::string text) {
                      for (char& c : text)
                          c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
                      return text;
                  },
                  {"text"});
    }
    void begin(fleet::worker_options options = {})
    {
        bus.emplace(server.url());
        worker.emplace(*bus->own, made, std::move(options));
        front.emplace(*bus->own);
    }
    void wait_for_sessions(std::size_t count)
    {
        const auto until = std::chrono::steady_clock::now() + patience * 2;
        while (worker->own->counters().sessions != count) {
            if (std::chrono::steady_clock::now() >= until)
                throw std::runtime_error("the worker's sessions do not end");
            std::this_thread::sleep_for(1ms);
        }
    }

    nats_server server;
    std::shared_ptr<mailbox<std::string>> told = std::make_shared<mailbox<std::string>>();
    std::shared_ptr<method_table> made = std::make_shared<method_table>();
    std::shared_ptr<method_table> ours = std::make_shared<method_table>();
    std::optional<told_bus> bus;
    std::optional<running_worker> worker;
    std::optional<calling_front> front;
};

} // namespace

BOOST_AUTO_TEST_SUITE(fleet_sessions_suite, *boost::unit_test::timeout(180))

BOOST_FIXTURE_TEST_CASE(both_sides_call_and_notify, fleet_with_sessions)
{
    begin();
    open_session peer(*front->own, ours);
    BOOST_TEST(peer.call("echo", "[1,2]") == "[1,2]");
    BOOST_TEST(peer.opened->take() == "opened");
    BOOST_TEST(peer.call("ask", R"(["abc"])") == R"("ABC")");
    for (int i = 0; i < 100; ++i)
        peer.own->notify("note", args(std::to_string(i)))(asio::detached);
    for (int i = 0; i < 100; ++i)
        BOOST_TEST(told->take() == std::to_string(i));
    peer.own->close();
    BOOST_TEST(!peer.ended->take());
}

BOOST_FIXTURE_TEST_CASE(each_kind_has_its_maker_and_the_worker_knows_who_asks, fleet_with_sessions)
{
    const auto of_sessions = std::make_shared<method_table>();
    of_sessions->add("who", [](request_context& context) { return "session of " + context.peer().principal; });
    fleet::worker_options how;
    how.session_maker = [of_sessions](session_options&) { return of_sessions; };
    begin(how);
    fleet::fleet_session_options asked;
    asked.peer = std::make_shared<const peer_identity>(peer_identity{.principal = "alice", .source = "token"});
    open_session session(*front->own, ours, asked);
    asked.kind = fleet::fleet_session_kind::requests;
    open_session requests(*front->own, ours, asked);
    BOOST_TEST(session.call("who") == R"("session of alice")");
    BOOST_TEST(requests.call("who") == R"("alice")");
    BOOST_TEST(front->call("who") == R"("")");
    BOOST_TEST(worker->own->counters().sessions == 2u);
}

BOOST_FIXTURE_TEST_CASE(long_messages_pass_both_ways, fleet_with_sessions)
{
    begin();
    open_session peer(*front->own, ours);
    const std::string text(std::size_t(1) << 20, 'a');
    std::vector<std::future<std::string>> open;
    for (int i = 0; i < 8; ++i)
        open.push_back(peer.start("echo", "[\"" + text + "\"]"));
    for (auto& one : open)
        BOOST_TEST((open_session::text_of(std::move(one)) == "[\"" + text + "\"]"));
    BOOST_TEST((peer.call("ask", "[\"" + text + "\"]") == '"' + std::string(text.size(), 'A') + '"'));
}

BOOST_FIXTURE_TEST_CASE(a_slow_reader_holds_the_writer_up, fleet_with_sessions)
{
    constexpr int notes = 300;
    const auto written = std::make_shared<std::atomic<int>>(0);
    made->add("flood", [written](request_context& context) { return flood(context, notes, written); });
    begin();
    const auto taken = std::make_shared<mailbox<bool>>();
    const auto go_on = std::make_shared<std::promise<void>>();
    const std::shared_future<void> allowed(go_on->get_future());
    ours->add_notification("note", [taken, allowed](std::string) { // the front's thread stands still at the first one
        allowed.wait();
        taken->put(true);
    });
    calling_front slow(*bus->own);
    open_session peer(*slow.own, ours);
    auto flooded = peer.start("flood");
    for (int last = -1, same = 0; same < 50; std::this_thread::sleep_for(20ms)) {
        const int now = written->load();
        same = now == last && now > 0 ? same + 1 : 0;
        last = now;
    }
    // What is on the way is the window, and what the writer's outbox holds: not all of 18 MiB.
    BOOST_TEST(written->load() < 100);
    go_on->set_value();
    for (int i = 0; i < notes; ++i)
        taken->take();
    BOOST_TEST(open_session::text_of(std::move(flooded)) == std::to_string(notes));
}

BOOST_FIXTURE_TEST_CASE(a_worker_that_is_stopped_is_a_peer_that_is_gone, fleet_with_sessions)
{
    begin();
    open_session peer(*front->own, ours);
    BOOST_TEST(peer.call("echo", "[1]") == "[1]");
    auto open = peer.start("hang");
    open_session idle(*front->own, ours);
    BOOST_TEST(idle.call("echo", "[1]") == "[1]");
    worker->own->stop();
    BOOST_TEST(open_session::text_of(std::move(open)) == make_error_code(errc::peer_gone).message());
    BOOST_TEST((peer.ended->take() == errc::peer_gone));
    BOOST_TEST((idle.ended->take() == errc::peer_gone));
    BOOST_TEST((worker->ended->take() == asio::error::operation_aborted));
}

BOOST_FIXTURE_TEST_CASE(a_worker_that_drains_ends_what_was_begun, fleet_with_sessions)
{
    begin();
    open_session peer(*front->own, ours);
    BOOST_TEST(peer.call("echo", "[1]") == "[1]");
    auto open = peer.start("rest", "[300]");
    peer.own->notify("note", args("x"))(asio::detached);
    told->take();
    worker->own->close();
    BOOST_TEST(open_session::text_of(std::move(open)) == "300");
    BOOST_TEST(!peer.ended->take());
    BOOST_TEST(!worker->ended->take());
    running_worker other(*bus->own, made);
    open_session next(*front->own, ours);
    BOOST_TEST(next.call("echo", "[2]") == "[2]");
}

BOOST_FIXTURE_TEST_CASE(a_front_that_closes_ends_its_sessions_in_order, fleet_with_sessions)
{
    begin();
    open_session peer(*front->own, ours);
    BOOST_TEST(peer.call("echo", "[1]") == "[1]");
    auto open = peer.start("rest", "[300]");
    front->own->close();
    BOOST_TEST(open_session::text_of(std::move(open)) == "300");
    BOOST_TEST(!peer.ended->take());
    wait_for_sessions(0);
    open_session late(*front->own, ours);
    BOOST_TEST(late.opened->take() == R"(-31001 {"reason":"closing"})");
    BOOST_TEST((late.ended->take() == fleet::fleet_errc::not_opened));
}

BOOST_FIXTURE_TEST_CASE(a_session_outlives_its_front, fleet_with_sessions)
{
    begin();
    open_session peer(*front->own, ours);
    BOOST_TEST(peer.call("echo", "[1]") == "[1]");
    open_session unused(*front->own, ours, {}, false);
    auto open = peer.start("hang");
    front->own.reset();
    BOOST_TEST(open_session::text_of(std::move(open)) == make_error_code(errc::peer_gone).message());
    BOOST_TEST((peer.ended->take() == errc::peer_gone));
    wait_for_sessions(0); // its worker was told
    unused.run();
    BOOST_TEST(unused.opened->take() == R"(-31001 {"reason":"closing"})");
    BOOST_TEST((unused.ended->take() == fleet::fleet_errc::not_opened));
}

BOOST_FIXTURE_TEST_CASE(a_front_outlives_its_sessions, fleet_with_sessions)
{
    begin();
    for (int i = 0; i < 20; ++i) {
        std::optional<open_session> peer(std::in_place, *front->own, ours);
        if (i % 2 == 0)
            BOOST_TEST(peer->call("echo", "[1]") == "[1]");
        if (i % 3 == 0)
            peer->own->stop();
        peer.reset(); // also while it opens
    }
    wait_for_sessions(0);
    open_session peer(*front->own, ours);
    BOOST_TEST(peer.call("echo", "[1]") == "[1]");
}

BOOST_FIXTURE_TEST_CASE(a_server_that_comes_back_loses_nothing, fleet_with_sessions)
{
    begin();
    open_session peer(*front->own, ours);
    BOOST_TEST(peer.call("echo", "[0]") == "[0]");
    const std::string text(100'000, 'x');
    for (int round = 0; round < 3; ++round) {
        std::vector<std::future<std::string>> open;
        for (int i = 0; i < 50; ++i) {
            peer.own->notify("note", args(std::to_string(i)))(asio::detached);
            open.push_back(peer.start("echo", "[\"" + text + "\"]"));
            if (i == 25)
                server.kill();
            if (i == 40)
                server.start();
        }
        for (auto& one : open)
            BOOST_TEST((open_session::text_of(std::move(one)) == "[\"" + text + "\"]"));
        for (int i = 0; i < 50; ++i)
            BOOST_TEST(told->take() == std::to_string(i));
    }
    BOOST_TEST(worker->own->counters().sessions == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_server_that_stays_away_is_a_peer_that_is_gone, fleet_with_sessions)
{
    begin();
    open_session peer(*front->own, ours);
    BOOST_TEST(peer.call("echo", "[0]") == "[0]");
    server.kill();
    auto open = peer.start("echo", "[1]");
    BOOST_TEST(open_session::text_of(std::move(open)) == make_error_code(errc::peer_gone).message());
    BOOST_TEST((peer.ended->take() == errc::peer_gone));
}

BOOST_FIXTURE_TEST_CASE(beyond_their_bound_sessions_go_to_other_workers_or_are_refused, fleet_with_sessions)
{
    fleet::worker_options how;
    how.max_sessions = 2;
    begin(how);
    std::vector<std::unique_ptr<open_session>> open;
    for (int i = 0; i < 2; ++i) {
        open.push_back(std::make_unique<open_session>(*front->own, ours));
        BOOST_TEST(open.back()->opened->take() == "opened");
    }
    open_session refused(*front->own, ours);
    auto call = refused.start("echo", "[1]");
    BOOST_TEST(refused.opened->take() == R"(-31001 {"reason":"too many sessions"})");
    BOOST_TEST(open_session::text_of(std::move(call)) ==
               fleet::make_error_code(fleet::fleet_errc::not_opened).message());
    BOOST_TEST((refused.ended->take() == fleet::fleet_errc::not_opened));
    running_worker other(*bus->own, made);
    for (int i = 0; i < 4; ++i) {
        open.push_back(std::make_unique<open_session>(*front->own, ours));
        BOOST_TEST(open.back()->opened->take() == "opened");
    }
    BOOST_TEST(other.own->counters().sessions == 4u);
    open.clear();
    wait_for_sessions(0);
}

BOOST_FIXTURE_TEST_CASE(a_thousand_sessions_at_once, fleet_with_sessions)
{
    begin();
    std::vector<std::unique_ptr<open_session>> open;
    for (int i = 0; i < 1'000; ++i)
        open.push_back(std::make_unique<open_session>(*front->own, ours));
    for (int round = 0; round < 3; ++round) {
        std::vector<std::future<std::string>> calls;
        for (auto& one : open)
            calls.push_back(one->start(round == 1 ? "ask" : "echo", R"(["x"])"));
        for (auto& one : calls)
            BOOST_TEST(open_session::text_of(std::move(one)) == (round == 1 ? R"("X")" : R"(["x"])"));
    }
    BOOST_TEST(worker->own->counters().sessions == 1'000u);
    for (auto& one : open)
        one->own->close();
    for (auto& one : open)
        BOOST_TEST(!one->ended->take());
    wait_for_sessions(0);
}

BOOST_FIXTURE_TEST_CASE(sessions_wait_for_a_worker, fleet_with_sessions)
{
    bus.emplace(server.url());
    front.emplace(*bus->own);
    open_session peer(*front->own, ours);
    auto call = peer.start("echo", "[1]");
    worker.emplace(*bus->own, made);
    BOOST_TEST(open_session::text_of(std::move(call)) == "[1]");
}

BOOST_FIXTURE_TEST_CASE(what_makes_no_conversation_opens_no_session, fleet_with_sessions)
{
    fleet::worker_options how;
    how.session_maker = [](session_options&) -> std::shared_ptr<const dispatcher> { throw std::runtime_error("no"); };
    begin(how);
    open_session peer(*front->own, ours);
    BOOST_TEST(peer.opened->take() == R"(-31001 {"reason":"too many sessions"})");
    BOOST_TEST(worker->logged->take() == "no session could be opened: no");
    BOOST_CHECK_THROW(front->own->open_session(nullptr), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace partyline::test
