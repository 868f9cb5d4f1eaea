#include "folders.hpp"
#include "heard_progress.hpp"
#include "run_task.hpp"
#include "support/text_search.hpp"

#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <set>
#include <thread>

#include <tools/hash_files.hpp>
#include <tools/pool_work.hpp>

namespace asio = boost::asio;

using partyline::test::contains;
using tools::hash_arguments;
using tools::hash_result;
using tools::root_set;
using tools::tool_limits;
using tools::test::folders;
using tools::test::heard_progress;
using tools::test::run_task;
using tools::test::running_task;

namespace {

struct fixture : folders {
    hash_result hash(std::vector<std::string> files, const tool_limits& limits = {})
    {
        const root_set roots({root});
        running_task<hash_result> running(hash_files(roots, limits, {std::move(files)}, pool.get_executor(), progress));
        hash_result made = running.result();
        pool.join(); // its threads have still to do with the context
        return made;
    }

    asio::thread_pool pool{2};
    heard_progress progress;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(files_hashed, fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(hashes_come_in_the_order_of_the_files)
{
    std::vector<std::string> files;
    for (int i = 0; i < 20; ++i) {
        files.push_back("file" + std::to_string(i));
        write(files.back(), std::string(static_cast<std::size_t>(i) * 10000, 'x'));
    }
    const hash_result got = hash(files);
    BOOST_TEST_REQUIRE(got.hashes.size() == 20u);
    BOOST_TEST(got.unreadable.size() == 0u);
    std::set<std::string> different;
    for (std::size_t i = 0; i < 20; ++i) {
        BOOST_TEST(got.hashes[i].file == files[i]);
        BOOST_TEST(got.hashes[i].bytes == i * 10000);
        different.insert(got.hashes[i].sha256);
    }
    BOOST_TEST(different.size() == 20u);
    BOOST_TEST_REQUIRE(progress.heard.size() == 3u);
    BOOST_TEST(progress.heard.back().done == 20);
    BOOST_TEST(progress.heard.back().total.value() == 20);
    BOOST_TEST(progress.heard.back().message == "20 of 20 files hashed");
}

BOOST_AUTO_TEST_CASE(what_can_not_be_read_is_told_beside_them)
{
    write("big", std::string(1000, 'x'));
    const hash_result got = hash({"none", "a.txt", "../outside/secret.txt", "big", "deep"}, {.file_bytes = 100});
    BOOST_TEST_REQUIRE(got.hashes.size() == 1u);
    BOOST_TEST(got.hashes[0].file == "a.txt");
    BOOST_TEST_REQUIRE(got.unreadable.size() == 4u);
    BOOST_TEST(got.unreadable[0].file == "none");
    BOOST_TEST(contains(got.unreadable[0].why, "No such file"));
    BOOST_TEST(contains(got.unreadable[1].why, "leads out"));
    BOOST_TEST(contains(got.unreadable[2].why, "longer than 100 bytes"));
    BOOST_TEST(contains(got.unreadable[3].why, "is a folder"));
}

BOOST_AUTO_TEST_CASE(a_cancel_ends_it)
{
    const root_set roots({root});
    const tool_limits limits;
    heard_progress impatient(0);
    BOOST_CHECK_THROW(run_task(hash_files(roots, limits, {{"a.txt"}}, pool.get_executor(), impatient)),
                      boost::system::system_error);
    std::filesystem::resize_file(root / "a.txt", std::uintmax_t(250) << 20);
    running_task<hash_result> running(hash_files(roots, limits, {{"a.txt", "a.txt"}}, pool.get_executor(), progress));
    running.context.poll(); // it has begun by then
    running.cancel();
    BOOST_CHECK_THROW(running.result(), boost::system::system_error);
    BOOST_TEST(progress.heard.size() == 0u);
    pool.join();
}

// Says on which thread it ran, and whether it was stopped.
struct pool_probe {
    std::pair<std::thread::id, bool> operator()(const tools::stop_check& is_stopped) const
    {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (waits_for_stop && !is_stopped() && std::chrono::steady_clock::now() < deadline)
            std::this_thread::yield();
        return {std::this_thread::get_id(), is_stopped()};
    }

    bool waits_for_stop = false;
};
using probed = std::pair<std::thread::id, bool>;

partyline::task<probed> probe(asio::any_io_executor pool, pool_probe work)
{
    const asio::any_io_executor home = co_await asio::this_coro::executor;
    auto operation = tools::run_on_pool(pool, home, work);
    const probed made = co_await std::move(operation);
    co_return made;
}

BOOST_AUTO_TEST_CASE(work_runs_on_the_pool_and_may_be_stopped)
{
    running_task<probed> plain(probe(pool.get_executor(), {}));
    const probed made = plain.result();
    BOOST_TEST((made.first != std::this_thread::get_id()));
    BOOST_TEST(!made.second);
    running_task<probed> running(probe(pool.get_executor(), {.waits_for_stop = true}));
    running.context.poll();
    running.cancel();
    BOOST_TEST(running.result().second);
    pool.join(); // its threads have still to do with the context
}

BOOST_AUTO_TEST_SUITE_END()
