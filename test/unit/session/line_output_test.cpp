#include "session/descriptor_sink.hpp"
#include "session/line_output.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <csignal>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

using namespace partyline;

namespace {

// A pipe with so much room.
struct pipe_like {
    std::size_t room = 0;
    error_code failure = {};
    std::string written = {};
    std::vector<std::string> writes = {}; // those that found room
    int waits = 0;
    std::size_t room_after_wait = 0;
    error_code reopen_failure = {};
};

class pipe_like_sink final : public line_sink {
public:
    explicit pipe_like_sink(pipe_like& to) : to_(to) {}

    std::size_t try_write(std::string_view bytes, error_code& failed) noexcept override
    {
        if (to_.failure)
            failed = to_.failure;
        const std::size_t count = to_.failure ? 0 : std::min(bytes.size(), to_.room);
        to_.room -= count;
        if (count != 0)
            to_.writes.emplace_back(bytes.substr(0, count));
        to_.written += bytes.substr(0, count);
        return count;
    }
    bool wait_for_room(std::chrono::milliseconds) noexcept override
    {
        ++to_.waits;
        to_.room += to_.room_after_wait;
        return to_.room != 0;
    }
    error_code reopen() noexcept override { return to_.reopen_failure; }

private:
    pipe_like& to_;
};

// A disk whose writes wait while it is stuck.
class slow_disk {
public:
    void stick() { set(is_stuck_, true); }
    void release() { set(is_stuck_, false); }
    void note_end() { set(has_ended_, true); }
    void fail(error_code why)
    {
        const std::lock_guard<std::mutex> hold(mutex_);
        failure_ = why;
    }
    void wait_until_stuck() { wait(is_waiting_); }
    void wait_until_destroyed() { wait(has_ended_); }
    std::string written()
    {
        const std::lock_guard<std::mutex> hold(mutex_);
        return written_;
    }
    std::size_t write(std::string_view bytes, error_code& failed)
    {
        std::unique_lock<std::mutex> hold(mutex_);
        is_waiting_ = true;
        changed_.notify_all();
        changed_.wait(hold, [this] { return !is_stuck_; });
        failed = failure_;
        if (!failed)
            written_ += bytes;
        return failed ? 0 : bytes.size();
    }

private:
    void set(bool& what, bool to)
    {
        const std::lock_guard<std::mutex> hold(mutex_);
        what = to;
        changed_.notify_all();
    }
    void wait(const bool& what)
    {
        std::unique_lock<std::mutex> hold(mutex_);
        changed_.wait(hold, [&what] { return what; });
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    bool is_stuck_ = false;
    bool is_waiting_ = false;
    bool has_ended_ = false;
    error_code failure_;
    std::string written_;
};

class slow_disk_sink final : public line_sink {
public:
    explicit slow_disk_sink(std::shared_ptr<slow_disk> to) : to_(std::move(to)) {}
    ~slow_disk_sink() override { to_->note_end(); }

    std::size_t try_write(std::string_view bytes, error_code& failed) noexcept override
    {
        return to_->write(bytes, failed);
    }
    bool wait_for_room(std::chrono::milliseconds) noexcept override { return true; }
    bool may_wait() noexcept override { return true; }

private:
    std::shared_ptr<slow_disk> to_; // the thread may give it up last
};

struct fixture {
    pipe_like there;
    line_output lines{std::make_unique<pipe_like_sink>(there)};

    void fill_kept()
    {
        const std::string line = std::string(1023, 'k') + '\n';
        for (std::size_t kept = 0; kept < line_output::max_kept_bytes; kept += line.size())
            lines.write(line);
    }
    std::string last_written(std::size_t bytes) const { return there.written.substr(there.written.size() - bytes); }
};

// Without room.
class full_pipe {
public:
    full_pipe()
    {
        BOOST_TEST_REQUIRE(::pipe2(ends_, O_NONBLOCK | O_CLOEXEC) == 0);
        while (::write(ends_[1], "x", 1) == 1)
            ;
    }
    ~full_pipe()
    {
        ::close(ends_[0]);
        ::close(ends_[1]);
    }
    full_pipe(const full_pipe&) = delete;
    full_pipe& operator=(const full_pipe&) = delete;

    int write_end() const noexcept { return ends_[1]; }
    void drain() const
    {
        char bytes[4096];
        while (::read(ends_[0], bytes, sizeof bytes) > 0)
            ;
    }

private:
    int ends_[2];
};

// Has a handler that counts, and interrupts what waits.
class noted_signal {
public:
    inline static std::atomic<int> count = 0;

    explicit noted_signal(int number) : number_(number)
    {
        struct sigaction ours = {};
        ours.sa_handler = [](int) { ++count; };
        ::sigaction(number_, &ours, &before_);
    }
    ~noted_signal() { ::sigaction(number_, &before_, nullptr); }
    noted_signal(const noted_signal&) = delete;
    noted_signal& operator=(const noted_signal&) = delete;

private:
    int number_;
    struct sigaction before_;
};

constexpr std::size_t plenty = 100 << 20;

} // namespace

BOOST_FIXTURE_TEST_SUITE(line_outputs, fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(write_each_line_by_one_write)
{
    there.room = plenty;
    lines.write("one\n");
    lines.write("two\nthree\n");
    const std::vector<std::string> expected = {"one\n", "two\n", "three\n"};
    BOOST_TEST(there.writes == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(keep_the_rest_of_a_line_and_write_it_before_the_next_one)
{
    there.room = 4;
    lines.write("abcdef\n");
    BOOST_TEST(there.written == "abcd");
    lines.write("second\n");
    BOOST_TEST(there.written == "abcd");
    there.room = plenty;
    lines.write("third\n");
    BOOST_TEST(there.written == "abcdef\nsecond\nthird\n");
    const std::vector<std::string> expected = {"abcd", "ef\n", "second\n", "third\n"};
    BOOST_TEST(there.writes == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(keep_the_rest_of_one_line_however_long_it_is)
{
    const std::string longer = std::string(2 * line_output::max_kept_bytes, 'x') + '\n';
    lines.write(longer);
    lines.write("dropped\n");
    there.room = plenty;
    lines.write("next\n");
    BOOST_TEST(there.written.starts_with(longer));
    BOOST_TEST(there.written.substr(longer.size()) ==
               "partyline: lines dropped here, which could not be written in time: 1\nnext\n");
}

BOOST_AUTO_TEST_CASE(drop_what_finds_no_room_and_tell_how_many_lines_that_were)
{
    fill_kept();
    for (int i = 0; i < 7; ++i)
        BOOST_TEST(!lines.write("dropped\n")); // which is no error
    there.room = plenty;
    lines.write("next\n");
    BOOST_TEST(there.written.size() > line_output::max_kept_bytes);
    const std::string told = "partyline: lines dropped here, which could not be written in time: 7\nnext\n";
    BOOST_TEST(last_written(told.size()) == told);
    lines.write("once\n");
    BOOST_TEST(last_written(told.size() + 5) == told + "once\n");
}

BOOST_AUTO_TEST_CASE(tell_it_at_the_end_too_without_waiting_for_long)
{
    fill_kept();
    lines.write("dropped\n");
    lines.finish(std::chrono::milliseconds(1));
    BOOST_TEST(there.waits == 1);
    BOOST_TEST(there.written == "");
    there.room_after_wait = 1000; // a reader who is slow
    lines.finish(std::chrono::minutes(1));
    BOOST_TEST(there.written.size() > line_output::max_kept_bytes);
    BOOST_TEST(there.written.ends_with("k\npartyline: lines dropped here, which could not be written in time: 1\n"));
    const int waits = there.waits;
    lines.finish(std::chrono::minutes(1));
    BOOST_TEST(there.waits == waits);
}

BOOST_AUTO_TEST_CASE(say_why_the_sink_has_failed_and_go_on_when_it_works_again)
{
    there.failure = make_error_code(boost::system::errc::no_space_on_device);
    BOOST_TEST(lines.write("one\n") == there.failure);
    lines.finish(std::chrono::minutes(1));
    BOOST_TEST(there.waits == 1); // since that would help nothing
    there.failure = {};
    there.room = plenty;
    BOOST_TEST(!lines.write("two\n"));
    BOOST_TEST(there.written == "one\ntwo\n");
}

BOOST_AUTO_TEST_CASE(cut_the_rest_of_a_line_where_another_file_is_opened_meanwhile)
{
    there.room = 2;
    lines.write("first\n");
    lines.write("second\n");
    lines.reopen();
    there.room = plenty;
    lines.write("third\n");
    BOOST_TEST(there.written ==
               "fisecond\npartyline: lines dropped here, which could not be written in time: 1\nthird\n");
}

BOOST_AUTO_TEST_CASE(say_why_another_file_could_not_be_opened)
{
    there.room = plenty;
    there.reopen_failure = make_error_code(boost::system::errc::permission_denied);
    lines.reopen();
    BOOST_TEST(lines.write("one\n") == there.reopen_failure);
    BOOST_TEST(!lines.write("two\n"));
    BOOST_TEST(there.written == "one\ntwo\n");
}

BOOST_AUTO_TEST_CASE(return_how_many_lines_were_dropped_of_which_nothing_tells)
{
    fill_kept();
    for (int i = 0; i < 1000; ++i)
        lines.write("dropped\n");
    BOOST_TEST(lines.finish(std::chrono::milliseconds(1)) == line_output::max_kept_bytes / 1024 + 1000u);
    BOOST_TEST(lines.finish(std::chrono::milliseconds(1)) == line_output::max_kept_bytes / 1024 + 1000u);
}

BOOST_AUTO_TEST_CASE(are_waited_for_once_at_the_end)
{
    {
        line_output ending{std::make_unique<pipe_like_sink>(there)};
        ending.write("one\n");
        BOOST_TEST(ending.end() == 1u);
    }
    BOOST_TEST(there.waits == 1);
}

BOOST_AUTO_TEST_CASE(return_how_many_lines_have_been_written_nowhere)
{
    lines.write("one\ntwo\n");
    BOOST_TEST(lines.finish(std::chrono::milliseconds(1)) == 2u);
    there.room = plenty;
    BOOST_TEST(lines.finish(std::chrono::milliseconds(1)) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(line_outputs_of_pipes, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(wait_for_a_reader_although_signals_come)
{
    const full_pipe pipe;
    const noted_signal woken(SIGUSR1);
    descriptor_sink sink(pipe.write_end());
    bool has_room = false;
    std::thread waiting([&] { has_room = sink.wait_for_room(std::chrono::minutes(1)); });
    for (const int signals = 100; noted_signal::count < signals; std::this_thread::yield())
        ::pthread_kill(waiting.native_handle(), SIGUSR1);
    pipe.drain();
    waiting.join();
    BOOST_TEST(has_room);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(line_outputs_of_disks, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(never_make_the_writer_wait_for_a_disk_that_is_stuck)
{
    const auto disk = std::make_shared<slow_disk>();
    line_output lines(std::make_unique<slow_disk_sink>(disk));
    lines.allow_thread();
    disk->stick();
    lines.write("first\n");
    disk->wait_until_stuck();
    const std::string line = std::string(1023, 'k') + '\n';
    const std::size_t kept = line_output::max_kept_bytes / line.size();
    for (std::size_t i = 0; i < kept + 7; ++i) // "first" takes the room of one
        lines.write(line);
    disk->release();
    BOOST_TEST(lines.finish(std::chrono::minutes(1)) == 0u);
    BOOST_TEST(disk->written().starts_with("first\nkkk"));
    BOOST_TEST(disk->written().ends_with("k\npartyline: lines dropped here, which could not be written in time: 8\n"));
}

BOOST_AUTO_TEST_CASE(end_although_a_disk_is_stuck_and_leave_the_write_to_itself)
{
    const auto disk = std::make_shared<slow_disk>();
    {
        line_output lines(std::make_unique<slow_disk_sink>(disk));
        lines.allow_thread();
        disk->stick();
        lines.write("first\n");
        disk->wait_until_stuck();
        BOOST_TEST(lines.finish(std::chrono::milliseconds(1)) == 1u);
    }
    disk->release();
    disk->wait_until_destroyed();
    BOOST_TEST(disk->written() == "first\n");
}

BOOST_AUTO_TEST_CASE(write_all_lines_once_and_in_order_from_many_threads)
{
    const auto disk = std::make_shared<slow_disk>();
    line_output lines(std::make_unique<slow_disk_sink>(disk));
    lines.allow_thread();
    std::vector<std::thread> writers;
    for (const char name : {'a', 'b', 'c'})
        writers.emplace_back([&lines, name] {
            for (int i = 0; i < 1000; ++i)
                lines.write(name + std::to_string(i) + '\n');
        });
    for (std::thread& one : writers)
        one.join();
    BOOST_TEST(lines.end() == 0u);
    lines.write("alone\n");
    std::map<char, int> next;
    std::istringstream all(disk->written());
    std::string line;
    while (std::getline(all, line) && line != "alone")
        BOOST_TEST_REQUIRE(line == line.front() + std::to_string(next[line.front()]++));
    BOOST_TEST(line == "alone"); // written by the caller, since the thread has ended
    BOOST_TEST((next['a'] == 1000 && next['b'] == 1000 && next['c'] == 1000));
}

BOOST_AUTO_TEST_CASE(lose_no_line_that_another_thread_writes_while_they_end)
{
    const int rounds = 200; // the thread may be anywhere
    for (int i = 0; i < rounds; ++i) {
        const auto disk = std::make_shared<slow_disk>();
        const auto lines = std::make_shared<line_queue>(std::make_unique<slow_disk_sink>(disk));
        lines->allow_thread();
        lines->write("first\n");
        lines->finish(std::chrono::minutes(1));
        lines->write("late\n");
        BOOST_TEST_REQUIRE(lines->end_thread(std::chrono::minutes(1)) == 0u);
        BOOST_TEST_REQUIRE(disk->written() == "first\nlate\n");
    }
}

BOOST_AUTO_TEST_CASE(say_with_a_later_line_why_the_thread_could_not_write)
{
    const auto disk = std::make_shared<slow_disk>();
    line_output lines(std::make_unique<slow_disk_sink>(disk));
    lines.allow_thread();
    disk->fail(make_error_code(boost::system::errc::no_space_on_device));
    lines.write("one\n");
    BOOST_TEST(lines.finish(std::chrono::minutes(1)) == 1u);
    disk->fail({});
    BOOST_TEST(lines.write("two\n") == make_error_code(boost::system::errc::no_space_on_device));
    BOOST_TEST(lines.finish(std::chrono::minutes(1)) == 0u);
    BOOST_TEST(disk->written() == "one\ntwo\n");
}

BOOST_AUTO_TEST_SUITE_END()
