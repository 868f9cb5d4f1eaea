#include "support/child_fixture.hpp"
#include "support/child_process.hpp"
#include "support/descriptors.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

namespace asio = boost::asio;
namespace data = boost::unit_test::data;
using partyline::child_channel;
using partyline::child_exit;
using partyline::child_options;
using partyline::child_process;
using partyline::error_code;
using partyline::test::transferred;

namespace partyline {

std::ostream& operator<<(std::ostream& out, child_channel channel)
{
    return out << (channel == child_channel::pipes ? "pipes" : "socket pair");
}

} // namespace partyline

namespace {

const auto channels = data::make({child_channel::pipes, child_channel::socket_pair});

child_options over(child_channel channel)
{
    child_options options;
    options.channel = channel;
    return options;
}

struct fixture : partyline::test::child_fixture {
    pid_t read_pid(child_process& child) { return std::stoi(read_line(child)); }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(child_stream_suite, fixture, *boost::unit_test::timeout(60))

BOOST_DATA_TEST_CASE(bytes_go_there_and_back, channels, channel)
{
    child_process echo = start({"echo"}, over(channel));
    std::string much(3 << 20, ' ');
    for (std::size_t i = 0; i < much.size(); ++i)
        much[i] = static_cast<char>(i * 31 >> 3);
    std::optional<transferred> written;
    asio::async_write(echo, asio::buffer(much), [&](error_code failed, std::size_t count) {
        written = transferred{failed, count};
        echo.close_send();
    });
    BOOST_TEST((read_all(echo) == much));
    BOOST_REQUIRE(written.has_value());
    BOOST_TEST(written->count == much.size());
    BOOST_TEST((wait_exit(echo) == child_exit::with_status(0)));
}

BOOST_DATA_TEST_CASE(what_it_wrote_before_it_ended_is_read_and_then_its_end_is_known, channels, channel)
{
    child_process child = start({"tell_arguments", "last"}, over(channel));
    BOOST_TEST(read_all(child) == "[last]\n");
    BOOST_TEST(child.why_ended().code == child_exit::with_status(0).code());
    BOOST_TEST(child.why_ended().code.message() == "the server exited with status 0");
    BOOST_TEST(bool(child.why_ended().code)); // calls without a reply have failed all the same
    child_process late = start({"tell_arguments", "late"}, over(channel));
    wait_exit(late);
    BOOST_TEST(read_all(late) == "[late]\n");
}

BOOST_AUTO_TEST_CASE(how_it_ended_is_told)
{
    child_process status = start({"exit", "3"});
    BOOST_TEST(read_all(status) == "");
    BOOST_TEST(status.why_ended().code.message() == "the server exited with status 3");
    BOOST_TEST(*status.report()->exit()->status() == 3);
    child_process signal = start({"die", "9"});
    BOOST_TEST(read_all(signal) == "");
    BOOST_TEST(signal.why_ended().code.message() == "the server was ended by signal 9 (Killed)");
    BOOST_TEST(signal.why_ended().code.value() == 256 + 9);
    BOOST_TEST(*signal.report()->exit()->signal() == 9);
    BOOST_TEST(!partyline::test::has_children());
}

BOOST_AUTO_TEST_CASE(rubbish_is_passed_on_as_it_is)
{
    child_process child = start({"rubbish"});
    BOOST_TEST(read_all(child) == std::string("\0\xff\xfe{]\n\n\r\x1b[31m", 13));
}

BOOST_DATA_TEST_CASE(an_output_that_ends_before_its_process_does_not_wait_for_it, channels, channel)
{
    child_process child = start({"close_output"}, over(channel));
    if (channel == child_channel::pipes) {
        BOOST_TEST(read_all(child) == "");
        BOOST_TEST(child.why_ended().code == make_error_code(partyline::errc::peer_closed));
    }
    BOOST_TEST(!child.report()->exit().has_value());
    child.kill();
    BOOST_TEST((wait_exit(child) == child_exit::by_signal(SIGKILL)));
    BOOST_TEST(read_all(child) == "");
}

BOOST_DATA_TEST_CASE(a_grandchild_that_holds_the_pipes_holds_up_nothing, channels, channel)
{
    child_process child = start({"have_child", "free"}, over(channel));
    const pid_t grandchild = read_pid(child);
    std::string unread(200'000, 'x'); // nobody reads this
    std::optional<transferred> written;
    asio::async_write(child, asio::buffer(unread), into(written));
    BOOST_TEST(read_all(child) == "");
    BOOST_TEST((*child.report()->exit() == child_exit::with_status(7)));
    run_until([&] { return written.has_value(); });
    BOOST_TEST(written->failed == error_code(asio::error::broken_pipe));
    error_code failed;
    child.write_some(asio::buffer(unread), failed);
    BOOST_TEST(failed == error_code(asio::error::broken_pipe));
    child.close();
    BOOST_TEST(partyline::test::is_running(grandchild)); // it has left the group
    ::kill(grandchild, SIGKILL);
}

BOOST_DATA_TEST_CASE(a_grandchild_that_never_stops_writing_does_not_either, channels, channel)
{
    child_process child = start({"have_child", "free", "chatty"}, over(channel));
    const pid_t grandchild = read_pid(child);
    wait_exit(child);
    std::string room(64, ' '); // it is quicker than we are
    transferred read;
    std::size_t total = 0;
    for (; !read.failed && total < (1 << 20); total += read.count)
        read = read_some(child, room);
    BOOST_TEST(read.failed == error_code(asio::error::eof)); // a pipe holds less
    BOOST_TEST(partyline::test::is_running(grandchild));
    child.close(); // it finds nobody to write to
    BOOST_TEST(partyline::test::is_gone_soon(grandchild));
}

BOOST_AUTO_TEST_CASE(what_a_grandchild_writes_after_the_end_is_not_read)
{
    child_process child = start({"have_child", "free"});
    const pid_t grandchild = read_pid(child);
    wait_exit(child);
    const auto late = partyline::test::open_file("/proc/" + std::to_string(grandchild) + "/fd/1", O_WRONLY);
    BOOST_TEST(::write(late.get(), "late", 4) == 4);
    BOOST_TEST(read_all(child) == "");
    ::kill(grandchild, SIGKILL);
}

BOOST_AUTO_TEST_CASE(what_is_left_of_its_group_is_asked_to_go)
{
    child_process child = start({"have_child"});
    const pid_t grandchild = read_pid(child);
    BOOST_TEST(read_all(child) == "");
    BOOST_TEST(partyline::test::is_gone_soon(grandchild));
}

BOOST_DATA_TEST_CASE(writing_waits_for_room_and_never_raises_sigpipe, channels, channel)
{
    child_process deaf = start({"close_input"}, over(child_channel::pipes));
    BOOST_TEST(read_line(deaf) == "closed");
    error_code failed;
    BOOST_TEST(deaf.write_some(asio::buffer("x", 1), failed) == 0u);
    BOOST_TEST(failed == error_code(asio::error::broken_pipe));
    BOOST_TEST(write_some(deaf, "x").failed == error_code(asio::error::broken_pipe));

    child_process slow = start({"deaf"}, over(channel));
    const std::string block(65536, 'x');
    do
        slow.write_some(asio::buffer(block), failed);
    while (!failed);
    BOOST_TEST(failed == error_code(asio::error::would_block));
    std::optional<transferred> waiting;
    slow.async_write_some(asio::buffer(block), into(waiting));
    poll();
    BOOST_TEST(!waiting.has_value());
    slow.kill();
    run_until([&] { return waiting.has_value(); });
    BOOST_TEST(waiting->failed == error_code(asio::error::broken_pipe));
}

BOOST_DATA_TEST_CASE(waiting_operations_can_be_cancelled, channels, channel)
{
    child_process deaf = start({"deaf"}, over(channel));
    BOOST_TEST(read_line(deaf) == "ready");
    error_code failed;
    const std::string block(65536, 'x');
    do
        deaf.write_some(asio::buffer(block), failed);
    while (!failed);
    std::string room(16, ' ');
    asio::cancellation_signal signal;
    for (const auto type :
         {asio::cancellation_type::terminal, asio::cancellation_type::partial, asio::cancellation_type::total}) {
        std::optional<transferred> read;
        std::optional<transferred> written;
        deaf.async_read_some(asio::buffer(room), asio::bind_cancellation_slot(signal.slot(), into(read)));
        poll();
        BOOST_TEST(!read.has_value());
        signal.emit(type);
        run_until([&] { return read.has_value(); });
        BOOST_TEST(read->failed == error_code(asio::error::operation_aborted));
        deaf.async_write_some(asio::buffer(block), asio::bind_cancellation_slot(signal.slot(), into(written)));
        poll();
        BOOST_TEST(!written.has_value());
        signal.emit(type);
        run_until([&] { return written.has_value(); });
        BOOST_TEST(written->failed == error_code(asio::error::operation_aborted));
    }
}

BOOST_AUTO_TEST_CASE(a_read_that_waits_for_the_status_at_the_end_of_output_can_be_cancelled)
{
    child_process child = start({"close_output"});
    std::string room(16, ' ');
    asio::cancellation_signal signal;
    std::optional<transferred> read;
    child.async_read_some(asio::buffer(room), asio::bind_cancellation_slot(signal.slot(), into(read)));
    BOOST_TEST(context.run_one_for(partyline::test::patience) == 1u); // the pipe has ended
    BOOST_TEST(!read.has_value());
    signal.emit(asio::cancellation_type::total);
    run_until([&] { return read.has_value(); });
    BOOST_TEST(read->failed == error_code(asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(an_empty_buffer_transfers_nothing)
{
    child_process echo = start({"echo"});
    std::string empty;
    BOOST_TEST(!read_some(echo, empty).failed);
    BOOST_TEST(!write_some(echo, empty).failed);
    echo.kill();
    wait_exit(echo);
    BOOST_TEST(!read_some(echo, empty).failed);
}

BOOST_AUTO_TEST_CASE(nothing_is_sent_after_the_end_of_sending)
{
    child_process echo = start({"echo"});
    echo.close_send();
    echo.close_send();
    BOOST_TEST(write_some(echo, "x").failed == error_code(asio::error::operation_aborted));
    BOOST_TEST(read_all(echo) == "");
    error_code failed;
    echo.non_blocking(true, failed);
    BOOST_TEST(!failed);
    echo.non_blocking(false, failed);
    BOOST_TEST(failed == error_code(asio::error::operation_not_supported));
}

BOOST_AUTO_TEST_SUITE_END()
