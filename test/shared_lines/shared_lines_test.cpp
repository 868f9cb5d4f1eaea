// What the threads of a server share while requests are served: no cache line that any of them writes.

#include "recorder.hpp"
#include "unit/http/threads/threaded_server.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

using namespace partyline::test;
namespace http = partyline::http;

namespace {

constexpr unsigned thread_count = 2;
constexpr std::string_view echo_call = R"({"jsonrpc":"2.0","id":1,"method":"echo","params":["a text"]})";
constexpr std::string_view watch_call = R"({"jsonrpc":"2.0","id":1,"method":"watch"})";

// A server whose threads are watched, and two connections to each.
struct watched_server {
    explicit watched_server(http::server_options options = {}) : server(std::move(options), thread_count, add_watch)
    {
        for (unsigned i = 0; i != 2 * thread_count; ++i)
            clients.emplace_back(server.port())->ask("/watch", watch_call);
    }

    static void add_watch(http::server& to)
    {
        to.add_by_thread([number = 0U](http::server& of_thread, const boost::asio::any_io_executor&) mutable {
            partyline::method_table methods;
            methods.add("watch", [own = number++] { recorder::watch(own); });
            of_thread.add_rpc("/watch", std::move(methods));
        });
    }

    // One after the other, and several at once. Each connection has the next turn soon: what it has is dropped when it
    // rests for a second.
    void post(std::string_view path, std::string_view body, const std::string& fields = {})
    {
        for (int round = 0; round != 30; ++round) {
            for (threaded_client& one : clients)
                BOOST_TEST(one->ask(path, body, fields).status == 200);
            for (threaded_client& one : clients) {
                for (int i = 0; i != 8; ++i)
                    one->post(path, body, fields);
            }
            for (threaded_client& one : clients) {
                for (int i = 0; i != 8; ++i)
                    BOOST_TEST(one->response().status == 200);
            }
        }
    }

    threaded_server server;
    std::list<threaded_client> clients;
};

// One clean trial is enough: what every request does shows itself in each. On a busy machine a connection may have
// rested.
template <class Make, class Post>
void check_nothing_is_shared(const Make& make, const Post& post)
{
    for (int trial = 0; trial != 5; ++trial) {
        auto s = make();
        post(*s); // first uses
        recorder::start();
        post(*s);
        recorder::stop();
        BOOST_TEST(recorder::accesses() > 100'000U);
        const recorder::shared_memory found = recorder::shared();
        if (found.words == 0 && found.neighbours == 0)
            return;
        BOOST_TEST_MESSAGE("words: " << found.words << ", neighbours: " << found.neighbours);
    }
    BOOST_ERROR(recorder::describe_shared());
}

} // namespace

BOOST_AUTO_TEST_SUITE(shared_lines, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(a_plain_post_writes_to_no_line_that_another_thread_uses)
{
    check_nothing_is_shared([] { return std::make_unique<watched_server>(); },
                            [](watched_server& s) { s.post("/rpc", echo_call); });
}

// So that the other one can fail.
BOOST_AUTO_TEST_CASE(a_budget_that_all_have_together_is_found)
{
    http::server_options options;
    options.session.budget = std::make_shared<partyline::memory_budget>(std::size_t(64) << 20);
    watched_server s(options);
    s.post("/rpc", echo_call);
    recorder::start();
    s.post("/rpc", echo_call);
    recorder::stop();
    BOOST_TEST(recorder::shared().words > 0U);
}

BOOST_AUTO_TEST_SUITE_END()
