// Skills that come and go on one thread, while a client of them is used on others than its session's.

#include <partyline/mcp/client.hpp>
#include <partyline/mcp/server.hpp>
#include <partyline/mcp_extensions/client_skills.hpp>
#include <partyline/mcp_extensions/server_skills.hpp>
#include <partyline/protocol/errc.hpp>
#include <partyline/session.hpp>
#include <partyline/transport/memory_stream.hpp>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/json/object.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace asio = boost::asio;
using namespace partyline;
using namespace std::chrono_literals;

namespace {

constexpr int enough_lists = 50;

// The server, its client, and the thread of their sessions.
struct busy_skills {
    asio::io_context home{1};
    asio::executor_work_guard<asio::io_context::executor_type> work{home.get_executor()};
    mcp::server server{"skills", "1"};
    mcp::server_skills served{server, {.page_size = 2}};
    std::optional<session> serving;
    std::optional<mcp::client> client;
    std::optional<mcp::client_skills> skills;
    std::thread runner;
    asio::thread_pool users{3};

    busy_skills()
    {
        for (const char* const name : {"a", "m", "z"})
            add(name);
        auto [ours, theirs] = memory_stream::make_pair(home.get_executor());
        serving.emplace(server.serve(std::move(theirs)));
        serving->async_run([](error_code) {});
        client.emplace(std::move(ours));
        skills.emplace(*client);
        runner = std::thread([this] { home.run(); });
        co_spawn(asio::make_strand(users), start(*client), asio::use_future).get();
    }
    ~busy_skills()
    {
        asio::post(home, [this] {
            client.reset();
            serving.reset();
        });
        work.reset();
        runner.join();
    }

    static task<void> start(mcp::client& of) { co_await of.start(); }

    mcp::skill_handle add(const std::string& name)
    {
        return served.add(name, {{"name", name}, {"description", "Does " + name + "."}}, "Do it.\n",
                          {{"more.md", "More of " + name + ".\n"}});
    }
};

// Whatever comes and goes meanwhile, what is there all the time stands in each list once, and can be read.
task<void> list_and_read(mcp::client_skills skills, std::atomic<int>& wrong)
{
    for (int i = 0; i != enough_lists; ++i) {
        const std::vector<mcp::skill> all = co_await skills.list();
        int lasting = 0;
        for (const mcp::skill& one : all) {
            lasting += one.name.size() == 1 ? 1 : 0;
            if (one.name != "m")
                continue;
            const mcp::resource_part file = co_await skills.read(one, "more.md");
            wrong += file.data == "More of m.\n" ? 0 : 1;
        }
        wrong += lasting == 3 ? 0 : 1;
    }
}

task<error_code> list_until_it_fails(mcp::client_skills skills, std::atomic<int>& lists)
{
    try {
        while (true) {
            const std::vector<mcp::skill> all = co_await skills.list();
            ++lists;
        }
    } catch (const boost::system::system_error& failed) {
        co_return failed.code();
    }
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_skills_threads, busy_skills, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(skills_come_and_go_while_others_are_read)
{
    std::atomic<int> wrong = 0;
    std::vector<std::future<void>> all;
    for (int i = 0; i != 3; ++i)
        all.push_back(co_spawn(asio::make_strand(users), list_and_read(*skills, wrong), asio::use_future));
    for (std::future<void>& one : all) {
        do {
            mcp::skill_handle added = add("comes-and-goes");
            add("between").remove();
            added.remove();
        } while (one.wait_for(1ms) != std::future_status::ready);
        one.get();
    }
    BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(the_client_may_go_while_its_skills_are_listed)
{
    std::atomic<int> lists = 0;
    std::vector<std::future<error_code>> all;
    for (int i = 0; i != 3; ++i)
        all.push_back(co_spawn(asio::make_strand(users), list_until_it_fails(*skills, lists), asio::use_future));
    while (lists < enough_lists)
        std::this_thread::yield();
    asio::post(home, [this] { client.reset(); });
    for (std::future<error_code>& one : all) {
        const error_code failed = one.get();
        BOOST_TEST((failed == errc::session_closed), failed.message());
    }
    BOOST_TEST(!skills->served());
}

BOOST_AUTO_TEST_SUITE_END()
