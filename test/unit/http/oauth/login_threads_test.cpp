// One client for requests of several threads.

#include "oauth/login_fixture.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <thread>
#include <vector>

using namespace std::literals;
using namespace partyline;
using namespace partyline::test;
namespace asio = boost::asio;

BOOST_FIXTURE_TEST_SUITE(http_oauth_login_threads, login_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(requests_of_four_threads_share_one_login)
{
    asio::io_context of_client;
    auto work = asio::make_work_guard(of_client);
    std::atomic<std::int64_t> later = 0; // seconds
    const auto begin = now;
    options.now = [&, begin] { return begin + std::chrono::seconds(later); };
    // The servers and the person stay on this thread.
    options.open_page = [&, open = options.open_page](const std::string& page) {
        asio::post(context, [&, open, page] { open(page); });
    };
    options.store = {};
    http::oauth_client shared(of_client.get_executor(), server_address(), options);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] { of_client.run(); });

    std::atomic<int> done = 0;
    std::atomic<int> right = 0;
    const auto ask_all = [&](std::optional<http::challenge> after, const std::string& expected) {
        done = right = 0;
        for (int i = 0; i < 64; ++i) {
            shared.known();
            asio::co_spawn(of_client, shared.token(after), [&, expected](std::exception_ptr, std::string token) {
                right += token == expected && shared.known() == expected;
                ++done;
            });
        }
        run_until(context, [&] { return done == 64; });
        BOOST_TEST(right == 64);
    };
    ask_all(refusal(), "access-1");
    later = 7200;
    ask_all(std::nullopt, "access-2");
    ask_all(refusal(403, "access-2", "more"), "access-3");
    BOOST_TEST((logins.size() == 2U && token_forms.size() == 3U));
    work.reset();
    of_client.stop();
    for (std::thread& one : threads)
        one.join();
}

BOOST_AUTO_TEST_SUITE_END()
