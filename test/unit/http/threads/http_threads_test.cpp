// A server of HTTP with several threads: each has its own connections and sessions.

#include "http/serve/service_shards.hpp"
#include "support/scripted_store.hpp"
#include "threaded_server.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <list>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace http = partyline::http;
using namespace partyline::test;
using partyline::error_code;

namespace {

constexpr std::size_t threads = 4;

std::list<threaded_client> clients_of(const threaded_server& s, int count)
{
    std::list<threaded_client> all;
    for (int i = 0; i != count; ++i)
        all.emplace_back(s.port());
    return all;
}

std::ptrdiff_t thread_count()
{
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

// On threads of their own, until `each` has returned or thrown: then its server has ended.
template <class Each>
std::vector<std::thread> start_clients(const threaded_server& s, int count, Each each)
{
    std::vector<std::thread> all;
    for (int i = 0; i != count; ++i) {
        all.emplace_back([&s, each, i] {
            try {
                threaded_client client(s.port());
                each(client, i);
            } catch (const std::exception&) {
            }
        });
    }
    return all;
}

void join(std::vector<std::thread>& all)
{
    for (std::thread& one : all)
        one.join();
}

std::string ping_of(const std::string& session)
{
    const std::string body = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
    return "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + session +
           "Accept: application/json, text/event-stream\r\nContent-Length: " + std::to_string(body.size()) +
           "\r\n\r\n" + body;
}

// A session, a pipeline, and the session by another connection, again and again.
void work(threaded_client& client, const threaded_server& s, std::atomic<int>& answered)
{
    const std::string session = client.begin_session();
    const std::string where = client.thread_of(session);
    for (;;) {
        for (int i = 0; i != 8; ++i)
            client->post("/rpc", R"({"jsonrpc":"2.0","id":1,"method":"echo","params":["x"]})");
        for (int i = 0; i != 8; ++i) {
            if (client->response().status != 200)
                throw std::runtime_error("refused");
            ++answered;
        }
        threaded_client other(s.port());
        if (other.thread_of(session) != where)
            throw std::runtime_error("elsewhere");
        other.begin_session();
        ++answered;
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(http_threads, *boost::unit_test::timeout(300))

BOOST_AUTO_TEST_CASE(connections_are_spread_over_all_threads)
{
    threaded_server s({}, threads);
    std::set<std::string> seen;
    std::list<threaded_client> clients = clients_of(s, 2 * threads);
    for (threaded_client& one : clients)
        seen.insert(one.thread());
    BOOST_TEST(seen.size() == threads);
    BOOST_TEST(s.get().connections() == 2 * threads);
}

BOOST_AUTO_TEST_CASE(a_server_of_one_thread_starts_none_and_later_ones_use_those_that_there_are)
{
    asio::io_context context;
    const std::ptrdiff_t before = thread_count();
    http::server one(context.get_executor());
    BOOST_TEST(thread_count() == before);
    http::server_options options;
    options.threads = threads;
    for (int i = 0; i != 3; ++i) {
        {
            const http::server many(context.get_executor(), options);
        }
        context.restart();
        context.poll(); // its end
    }
    BOOST_TEST(thread_count() == before + static_cast<std::ptrdiff_t>(threads) - 1);
}

BOOST_AUTO_TEST_CASE(so_many_threads_are_misuse)
{
    asio::io_context context;
    http::server_options options;
    options.threads = 1025;
    BOOST_CHECK_THROW(http::server(context.get_executor(), options), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_session_is_on_one_thread_and_connections_go_to_it)
{
    threaded_server s({}, threads);
    std::set<std::string> seen;
    std::list<threaded_client> clients = clients_of(s, 2 * threads);
    for (threaded_client& owner : clients) {
        const std::string session = owner.begin_session();
        const std::string where = owner.thread();
        seen.insert(where);
        for (threaded_client& one : clients) {
            BOOST_TEST(one.thread_of(session) == where);
            BOOST_TEST(one.thread() == where); // and stays there
        }
    }
    BOOST_TEST(s.get().sessions() == 2 * threads);
    BOOST_TEST(s.get().connections() == 2 * threads);
}

BOOST_AUTO_TEST_CASE(a_pipeline_may_name_sessions_of_several_threads)
{
    threaded_server s({}, threads);
    std::vector<std::string> sessions;
    std::list<threaded_client> clients = clients_of(s, threads);
    for (threaded_client& one : clients)
        sessions.push_back(one.begin_session());
    threaded_client client(s.port());
    constexpr int rounds = 25;
    for (int i = 0; i != rounds; ++i) {
        for (const std::string& session : sessions)
            client->post("/mcp", R"({"jsonrpc":"2.0","id":)" + std::to_string(i) + R"(,"method":"ping"})", session);
        client->post("/rpc", R"({"jsonrpc":"2.0","id":"x","method":"thread"})");
    }
    for (int i = 0; i != rounds; ++i) {
        for (std::size_t k = 0; k != sessions.size(); ++k)
            BOOST_TEST(client->response().body == R"({"jsonrpc":"2.0","id":)" + std::to_string(i) + R"(,"result":{}})");
        BOOST_TEST(client->response().status == 200);
    }
}

BOOST_AUTO_TEST_CASE(a_body_may_come_after_the_move)
{
    threaded_server s({}, threads);
    std::list<threaded_client> clients = clients_of(s, threads);
    for (threaded_client& owner : clients) {
        const std::string session = owner.begin_session();
        threaded_client client(s.port());
        const std::string body = tool_call("thread");
        client->send("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + session +
                     "Accept: application/json, text/event-stream\r\nContent-Length: " + std::to_string(body.size()) +
                     "\r\n\r\n" + body.substr(0, 10));
        owner.thread(); // meanwhile others are served
        client->send(body.substr(10));
        BOOST_TEST(client->response().status == 200);
    }
}

BOOST_AUTO_TEST_CASE(requests_of_a_connection_are_counted_through_moves)
{
    http::server_options options;
    options.requests.requests_per_connection = 2 * threads;
    threaded_server s(std::move(options), threads);
    std::vector<std::string> sessions;
    std::list<threaded_client> clients = clients_of(s, threads);
    for (threaded_client& one : clients)
        sessions.push_back(one.begin_session());
    threaded_client client(s.port());
    for (std::size_t i = 0; i != 2 * threads; ++i)
        BOOST_TEST(!client.thread_of(sessions[i % threads]).empty());
    BOOST_TEST(client->is_closed());
}

BOOST_AUTO_TEST_CASE(a_stream_and_an_end_come_over_other_connections)
{
    threaded_server s({}, threads);
    std::list<threaded_client> clients = clients_of(s, threads);
    for (threaded_client& owner : clients) {
        const std::string session = owner.begin_session();
        owner->post("/mcp", tool_call("wait"), session);
        threaded_client reader(s.port());
        reader->request("GET", "/mcp", session + "Accept: text/event-stream\r\n");
        BOOST_TEST(reader->head().status == 200);
        threaded_client other(s.port());
        other->request("DELETE", "/mcp", session);
        BOOST_TEST(other->response().status == 204);
        BOOST_TEST(other.thread_of(session).empty());
    }
    BOOST_TEST(s.get().sessions() == 0u);
}

BOOST_AUTO_TEST_CASE(a_close_under_load_answers_what_has_come)
{
    threaded_server s({}, threads);
    std::atomic<int> answered = 0;
    std::vector<std::thread> clients = start_clients(s, 8, [&](threaded_client& one, int) { work(one, s, answered); });
    while (answered < 500)
        std::this_thread::yield();
    s.get().close();
    BOOST_TEST(!s.wait_end());
    join(clients);
    BOOST_TEST(s.get().connections() == 0u);
}

BOOST_AUTO_TEST_CASE(in_lame_duck_all_threads_serve_and_say_so)
{
    http::server_options options;
    options.times.lame_duck = std::chrono::hours(1);
    threaded_server s(std::move(options), threads);
    std::list<threaded_client> known = clients_of(s, threads);
    std::vector<std::string> sessions;
    for (threaded_client& one : known)
        sessions.push_back(one.begin_session());
    s.get().close();
    for (std::size_t i = 0; i != threads; ++i) { // each thread is told in its own time
        for (bool knows = false; !knows;) {
            threaded_client health(s.port());
            health->request("GET", "/healthz");
            knows = health->response().status == 503;
            for (std::size_t k = 1; k != threads; ++k) // so that the next one is on the same thread
                threaded_client(s.port()).thread();
        }
        threaded_client(s.port()).thread(); // and now the thread after it
    }
    auto session = sessions.rbegin();
    for (threaded_client& one : known) { // over connections of before, of which some move
        const http_response got = one->ask("/mcp", tool_call("thread"), *session++);
        BOOST_TEST(got.status == 200);
        BOOST_TEST(got.field("connection") == "close");
        BOOST_TEST(one->is_closed());
    }
    for (threaded_client& one : clients_of(s, threads)) {
        const http_response got = one->ask("/rpc", R"({"jsonrpc":"2.0","id":1,"method":"thread"})");
        BOOST_TEST(got.status == 200);
        BOOST_TEST(got.field("connection") == "close");
    }
    BOOST_TEST(s.get().sessions() == threads);
    s.get().stop();
    BOOST_TEST((s.wait_end() == asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(connections_move_to_their_sessions_while_the_server_drains)
{
    threaded_server s({}, threads);
    std::list<threaded_client> owners = clients_of(s, threads);
    std::vector<std::string> sessions;
    for (threaded_client& one : owners)
        sessions.push_back(one.begin_session());
    owners.front()->post("/mcp", tool_call("wait"), sessions.front()); // for as long as the drain is to last
    while (s.waiting != 1)
        std::this_thread::yield();
    std::list<threaded_client> clients = clients_of(s, 2 * threads);
    constexpr std::size_t rounds = 12;
    std::string pipeline; // which is read at once
    for (std::size_t i = 0; i != rounds; ++i)
        pipeline += ping_of(sessions[1 + i % (threads - 1)]);
    for (threaded_client& one : clients)
        one->send(pipeline);
    for (threaded_client& one : clients)
        BOOST_TEST(one->response().status == 200); // the rest has been read, too
    s.get().close();
    for (threaded_client& one : clients) {
        for (std::size_t i = 1; i != rounds; ++i)
            BOOST_TEST(one->response().status == 200);
        BOOST_TEST(one->is_closed());
    }
    owners.front()->close(); // of a session: its call goes on until it is cancelled
    s.get().stop();
    s.wait_end();
}

BOOST_AUTO_TEST_CASE(a_stop_comes_from_any_thread_at_any_time)
{
    for (int round = 0; round != 5; ++round) {
        threaded_server s({}, threads);
        std::atomic<int> answered = 0;
        std::vector<std::thread> clients =
            start_clients(s, 8, [&](threaded_client& one, int) { work(one, s, answered); });
        while (answered < 50)
            std::this_thread::yield();
        std::thread other([&] { s.get().close(); });
        s.get().stop();
        other.join();
        BOOST_TEST((s.wait_end() == asio::error::operation_aborted));
        join(clients);
    }
}

BOOST_AUTO_TEST_CASE(handlers_that_run_at_the_end_of_the_context_are_destroyed)
{
    for (int round = 0; round != 5; ++round) {
        std::list<threaded_client> clients;
        threaded_server s({}, threads);
        for (std::size_t i = 0; i != 2 * threads; ++i) {
            threaded_client& client = clients.emplace_back(s.port());
            const std::string session = client.begin_session();
            client->post("/mcp", tool_call("wait"), session);
        }
        while (s.waiting != 2 * static_cast<int>(threads))
            std::this_thread::yield();
    }
}

BOOST_AUTO_TEST_CASE(what_bounds_a_server_is_divided_without_a_rest)
{
    asio::io_context context;
    const partyline::server_threads all(context.get_executor(), threads);
    http::server_options options;
    options.memory_bytes = 1'000'003;
    options.max_handshakes = 2; // so each thread has one all the same
    options.mcp.sessions = 4 * threads + 3;
    const http::service_shards divided(all, context.get_executor(), options);
    options.session.budget = std::make_shared<partyline::memory_budget>(500'001);
    const http::service_shards given(all, context.get_executor(), options);
    std::size_t bytes = 0;
    std::size_t given_bytes = 0;
    std::size_t sessions = 0;
    for (std::size_t i = 0; i != threads; ++i) {
        bytes += divided.at(i)->options().session.budget->limit();
        given_bytes += given.at(i)->options().session.budget->limit();
        sessions += divided.at(i)->options().mcp.sessions;
        BOOST_TEST(divided.at(i)->options().max_handshakes == 1u);
    }
    BOOST_TEST(bytes == 1'000'003u);
    BOOST_TEST(given_bytes == 500'001u);
    BOOST_TEST(sessions == 4 * threads + 3);
    given.at(1)->options().session.budget->add(100);
    BOOST_TEST(options.session.budget->used() == 100u); // which others share, too
    given.at(1)->options().session.budget->sub(100);
}

BOOST_AUTO_TEST_CASE(limits_hold_for_all_threads_together)
{
    http::server_options options;
    options.max_connections = threads + 1;
    options.max_connections_per_address = threads + 1;
    options.mcp.sessions = 2 * threads;
    threaded_server s(std::move(options), threads);
    std::list<threaded_client> clients = clients_of(s, threads + 1);
    for (int round = 0; round != 8; ++round) {
        for (threaded_client& one : clients)
            one.begin_session();
    }
    BOOST_TEST(s.get().sessions() <= 2 * threads);
    BOOST_TEST(s.get().connections() == threads + 1);
    threaded_client late(s.port());
    late->post("/rpc", R"({"jsonrpc":"2.0","id":1,"method":"thread"})");
    clients.pop_front();
    BOOST_TEST(late->response().status == 200);
}

BOOST_AUTO_TEST_CASE(what_is_added_by_thread_is_served_by_that_thread)
{
    int added = 0;
    threaded_server s({}, threads, [&added](http::server& server) {
        server.add_by_thread([&added](http::server& of_thread, const asio::any_io_executor& executor) {
            partyline::method_table methods;
            methods.add("number_if_here", [executor, number = ++added] {
                auto& own = static_cast<asio::io_context&>(executor.context());
                return own.get_executor().running_in_this_thread() ? number : 0;
            });
            of_thread.add_rpc("/own", std::move(methods));
        });
    });
    BOOST_TEST(added == static_cast<int>(threads));
    BOOST_TEST(s.get().threads() == threads);
    std::set<std::string> seen;
    for (threaded_client& one : clients_of(s, 2 * threads))
        seen.insert(one->ask("/own", R"({"jsonrpc":"2.0","id":1,"method":"number_if_here"})").body);
    std::set<std::string> expected;
    for (int i = 1; i <= added; ++i)
        expected.insert(R"({"jsonrpc":"2.0","id":1,"result":)" + std::to_string(i) + '}');
    BOOST_TEST(seen == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_server_that_stands_for_a_thread_only_adds)
{
    asio::io_context context;
    http::server_options options;
    options.threads = 2;
    http::server all(context.get_executor(), options);
    all.add_by_thread([](http::server& of_thread, const asio::any_io_executor&) {
        BOOST_CHECK_THROW(of_thread.listen_tcp("127.0.0.1", 0), std::logic_error);
        BOOST_CHECK_THROW(of_thread.async_run([](error_code) {}), std::logic_error);
        BOOST_CHECK_THROW(of_thread.stop(), std::logic_error);
        BOOST_TEST(of_thread.threads() == 1u);
        of_thread.add_rpc("/rpc", partyline::method_table());
        BOOST_CHECK_THROW(of_thread.add_rpc("/rpc", partyline::method_table()), std::invalid_argument);
    });
    BOOST_CHECK_THROW(all.add_rpc("/rpc", partyline::method_table()), std::invalid_argument);
    BOOST_CHECK_THROW(all.add_by_thread({}), std::invalid_argument);
}

// And it completes its calls by way of threads of its own.
BOOST_AUTO_TEST_CASE(an_event_store_is_called_by_all_threads)
{
    asio::thread_pool pool(2);
    const auto store = std::make_shared<scripted_store>();
    store->elsewhere = &pool;
    http::server_options options;
    options.event_store = store;
    options.mcp.stream_events = 2;
    threaded_server s(std::move(options), threads, [](http::server& to) {
        partyline::mcp::server more("more", "1");
        more.add_tool("chat", "Says four things.", [](partyline::mcp::context& own) -> partyline::task<std::string> {
            for (const char* text : {"first", "second", "third"})
                static_cast<void>(own.log(partyline::mcp::log_level::error, text));
            co_return "fourth";
        });
        to.add_mcp("/more", more);
    });
    std::list<threaded_client> clients = clients_of(s, 4 * threads);
    std::vector<std::string> sessions;
    for (threaded_client& one : clients) {
        const http_response begun = one->ask(
            "/more", R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                     R"("capabilities":{},"clientInfo":{"name":"t","version":"1"}}})");
        sessions.push_back("Mcp-Session-Id: " + begun.field("mcp-session-id") + "\r\n");
    }
    auto session = sessions.begin();
    for (threaded_client& one : clients) // all at the same time
        one->post("/more", tool_call("chat"), *session++);
    for (threaded_client& one : clients)
        BOOST_TEST(one->response().status == 200);
    while (store->complete_streams() != clients.size())
        std::this_thread::yield();
    session = sessions.begin();
    for (threaded_client& one : clients)
        one->request("GET", "/more", *session++ + "Last-Event-ID: 1-0\r\n");
    for (threaded_client& one : clients) {
        const std::string resumed = one->response().body;
        for (const char* text : {"id: 1-1\n", "first", "second", "third", "fourth"})
            BOOST_TEST(resumed.find(text) != resumed.npos, text << " in " << resumed);
    }
    session = sessions.begin();
    for (threaded_client& one : clients) {
        one->request("DELETE", "/more", *session++);
        BOOST_TEST(one->response().status == 204);
    }
    s.get().stop();
    s.wait_end();
    pool.join();
}

BOOST_AUTO_TEST_SUITE_END()
