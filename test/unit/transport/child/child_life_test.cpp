#include "support/child_fixture.hpp"
#include "support/sanitized.hpp"
#include "support/thread_crew.hpp"

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <fstream>
#include <functional>
#include <future>
#include <memory>
#include <utility>

#include <signal.h>
#include <unistd.h>

namespace asio = boost::asio;
using partyline::child_channel;
using partyline::child_exit;
using partyline::child_options;
using partyline::child_process;
using partyline::child_stderr;
using partyline::error_code;

namespace {

struct fixture : partyline::test::child_fixture {
    // A child that is in some state when it is destroyed leaves nothing behind.
    void check_nothing_left(const std::function<void(child_process& child)>& bring)
    {
        wait_exit(start({"exit"})); // now the context has the descriptors that it needs
        const std::size_t before = partyline::test::count_descriptors();
        for (const auto channel : {child_channel::pipes, child_channel::socket_pair}) {
            child_options options;
            options.channel = channel;
            options.errors = child_stderr::capture;
            child_process child = start({"stubborn"}, options);
            read_line(child);
            bring(child);
        }
        BOOST_TEST(!partyline::test::has_children());
        BOOST_TEST(partyline::test::count_descriptors() == before);
        context.restart();
        BOOST_TEST(context.run_for(std::chrono::seconds(10)) < 100u);
        BOOST_TEST(context.stopped()); // nothing is under way
    }
};

std::size_t resident_bytes()
{
    std::ifstream statm("/proc/self/statm");
    std::size_t total = 0;
    std::size_t resident = 0;
    statm >> total >> resident;
    return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

// A conversation, and its end by the ladder.
asio::awaitable<child_exit> converse(child_process child, std::string line)
{
    std::string answer;
    co_await asio::async_write(child, asio::buffer(line), asio::use_awaitable);
    co_await asio::async_read_until(child, asio::dynamic_buffer(answer), '\n', asio::use_awaitable);
    if (answer != line)
        throw std::runtime_error("not what was sent: " + answer);
    co_return co_await child.async_end(asio::use_awaitable);
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(child_life_suite, fixture, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(destroyed_while_nothing_is_under_way)
{
    check_nothing_left([](child_process&) {});
}

BOOST_AUTO_TEST_CASE(destroyed_with_operations_under_way)
{
    std::string room(16, ' ');
    check_nothing_left([&](child_process& child) {
        child.async_read_some(asio::buffer(room), [](error_code, std::size_t) {});
        child.async_write_some(asio::buffer(room), [](error_code, std::size_t) {});
        child.async_end([](error_code, child_exit) {});
    });
}

BOOST_AUTO_TEST_CASE(destroyed_before_its_end_was_seen)
{
    check_nothing_left([&](child_process& child) { child.kill(); });
}

BOOST_AUTO_TEST_CASE(destroyed_after_its_end)
{
    check_nothing_left([&](child_process& child) {
        child.kill();
        wait_exit(child);
    });
}

BOOST_AUTO_TEST_CASE(moved_and_destroyed)
{
    check_nothing_left([&](child_process& child) {
        child_process other = start({"deaf"});
        const pid_t first = child.report()->pid();
        const pid_t second = other.report()->pid();
        child = std::move(other); // ends the first one
        BOOST_TEST(!partyline::test::is_running(first));
        BOOST_TEST(read_line(child) == "ready");
        const child_process third(std::move(child));
        BOOST_TEST(third.report()->pid() == second);
    });
}

BOOST_AUTO_TEST_CASE(it_goes_away_with_its_context)
{
    pid_t pid = -1;
    {
        asio::io_context other;
        auto child = std::make_shared<child_process>(other.get_executor(),
                                                     std::vector<std::string>{partyline::test::odd_child(), "deaf"});
        pid = child->report()->pid();
        auto room = std::make_shared<std::string>(16, ' ');
        child_process& stream = *child;
        stream.async_end([child](error_code, child_exit) {});
        stream.async_read_some(asio::buffer(*room), [child = std::move(child), room](error_code, std::size_t) {});
        other.poll();
        BOOST_TEST(partyline::test::is_running(pid));
    }
    BOOST_TEST(!partyline::test::is_running(pid));
    BOOST_TEST(!partyline::test::has_children());
}

BOOST_AUTO_TEST_CASE(the_report_outlives_it)
{
    std::shared_ptr<const partyline::child_report> report;
    {
        const child_process child = start({"deaf"});
        report = child.report();
        BOOST_TEST(!report->exit().has_value());
    }
    BOOST_TEST((*report->exit() == child_exit::by_signal(SIGKILL)));
}

BOOST_AUTO_TEST_CASE(a_thousand_children_leave_nothing_behind)
{
    const int count = partyline::test::is_sanitized ? 100 : 1000;
    std::size_t descriptors = 0;
    std::size_t memory = 0;
    for (int i = 0; i < count; ++i) {
        child_options options;
        options.channel = i % 2 == 0 ? child_channel::pipes : child_channel::socket_pair;
        options.errors = i % 3 == 0 ? child_stderr::capture : child_stderr::drop;
        child_process child = start({"polite", "0"}, options);
        if (i % 4 == 0)
            read_line(child);
        if (i % 5 != 0)
            BOOST_TEST((end(child).how == child_exit::with_status(0)));
        if (i == count / 10) {
            child.close();
            poll();
            descriptors = partyline::test::count_descriptors();
            memory = resident_bytes();
        }
    }
    poll();
    BOOST_TEST(!partyline::test::has_children());
    BOOST_TEST(partyline::test::count_descriptors() == descriptors);
    if (!partyline::test::is_sanitized)
        BOOST_TEST(resident_bytes() < memory + (512 << 10));
}

BOOST_AUTO_TEST_CASE(many_at_once_on_several_threads)
{
    {
        partyline::test::thread_crew crew;
        std::vector<std::future<child_exit>> exits;
        std::vector<std::shared_ptr<const partyline::child_report>> reports;
        for (int i = 0; i < 40; ++i) {
            child_options options;
            options.channel = i % 2 == 0 ? child_channel::pipes : child_channel::socket_pair;
            options.errors = child_stderr::capture;
            options.on_stderr_line = [](std::string_view) {};
            child_process child(crew.context.get_executor(), {partyline::test::odd_child(), "echo"}, options);
            reports.push_back(child.report());
            auto talk = converse(std::move(child), "hello " + std::to_string(i) + '\n');
            exits.push_back(asio::co_spawn(asio::make_strand(crew.context), std::move(talk), asio::use_future));
        }
        for (auto& one : exits)
            BOOST_TEST((one.get() == child_exit::with_status(0)));
        for (const auto& one : reports)
            BOOST_TEST(one->exit().has_value());
    }
    BOOST_TEST(!partyline::test::has_children());
}

BOOST_AUTO_TEST_CASE(killed_and_asked_from_other_threads)
{
    {
        partyline::test::thread_crew crew;
        for (int i = 0; i < 20; ++i) {
            child_options options;
            options.errors = child_stderr::capture;
            child_process child(crew.context.get_executor(), {partyline::test::odd_child(), "flood"}, options);
            std::string room(1024, ' ');
            auto read = child.async_read_some(asio::buffer(room), asio::use_future);
            asio::post(crew.context, [&] { child.kill(); });
            while (!child.report()->exit())
                (void)child.why_ended();
            BOOST_CHECK_THROW(read.get(), boost::system::system_error);
        }
    }
    BOOST_TEST(!partyline::test::has_children());
}

BOOST_AUTO_TEST_SUITE_END()
