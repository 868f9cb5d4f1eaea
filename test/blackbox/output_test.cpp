#include "support/scratch_directory.hpp"
#include "support/server_process.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

#include <fcntl.h>

using namespace partyline::test;

namespace {

const std::string request = R"({"jsonrpc":"2.0","id":1,"method":"echo","params":[1]})";
const std::string reply = R"({"jsonrpc":"2.0","id":1,"result":[1]})";
const std::string endless = R"({"jsonrpc":"2.0","id":2,"method":"delay","params":{"ms":60000}})";

// Input by a pipe, output as given.
wire writing_to(unique_fd server_out, unique_fd from_server = {})
{
    wire ends = pipe_wire();
    ends.server_out = std::move(server_out);
    ends.from_server = std::move(from_server);
    return ends;
}

void run_to_end(wire ends)
{
    echo_server s({}, std::move(ends));
    s.send(request);
    s.close_input();
    BOOST_TEST(s.wait_exit() == 0);
}

// The last of `count` replies is whole and none is missing.
void check_numbered(const std::string& text, int count)
{
    std::size_t at = 0;
    for (int i = 0; i < count; ++i) {
        const std::string line = R"({"jsonrpc":"2.0","id":)" + std::to_string(i) + ",\"result\":null}\n";
        BOOST_REQUIRE(text.compare(at, line.size(), line) == 0);
        at += line.size();
    }
    BOOST_TEST(at == text.size());
}

std::string numbered_requests(int count)
{
    std::string text;
    for (int i = 0; i < count; ++i)
        text += R"({"jsonrpc":"2.0","id":)" + std::to_string(i) + ",\"method\":\"echo\"}\n";
    return text;
}

} // namespace

BOOST_AUTO_TEST_SUITE(output, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(to_a_file)
{
    scratch_directory scratch;
    run_to_end(writing_to(open_file(scratch / "replies", O_WRONLY | O_CREAT)));
    BOOST_TEST(read_file(scratch / "replies") == reply + "\n");
}

BOOST_AUTO_TEST_CASE(to_the_end_of_a_file_that_others_append_to)
{
    scratch_directory scratch;
    const int append = O_WRONLY | O_CREAT | O_APPEND;
    unique_fd other = open_file(scratch / "replies", append);
    write_all(other.get(), "before\n");
    echo_server s({}, writing_to(open_file(scratch / "replies", append)));
    s.send(request);
    write_all(other.get(), "a line of another's that nobody may overwrite, whatever offset he has\n");
    s.send(request);
    s.close_input();
    BOOST_TEST(s.wait_exit() == 0);
    write_all(other.get(), "after\n");

    const std::string content = read_file(scratch / "replies");
    BOOST_TEST(content.size() == 7 + 70 + 6 + 2 * (reply.size() + 1));
    BOOST_TEST(content.starts_with("before\n"));
    BOOST_TEST(content.ends_with("after\n"));
    BOOST_TEST(content.find("a line of another's that nobody may overwrite, whatever offset he has\n") !=
               std::string::npos);
    BOOST_TEST(content.find(reply + "\n") != content.rfind(reply + "\n"));
}

BOOST_AUTO_TEST_CASE(to_a_file_whose_offset_others_share)
{
    scratch_directory scratch;
    unique_fd file = open_file(scratch / "replies", O_WRONLY | O_CREAT);
    write_all(file.get(), "before\n");
    run_to_end(writing_to(duplicate(file.get())));
    write_all(file.get(), "after\n");
    BOOST_TEST(read_file(scratch / "replies") == "before\n" + reply + "\nafter\n");
}

BOOST_AUTO_TEST_CASE(to_the_null_device)
{
    run_to_end(writing_to(open_file("/dev/null", O_WRONLY)));
}

BOOST_AUTO_TEST_CASE(to_a_terminal)
{
    fd_pair terminal = make_raw_terminal();
    echo_server s({}, writing_to(std::move(terminal.theirs), std::move(terminal.ours)));
    s.send(request);
    s.expect(reply);
    s.close_input();
    s.expect_end(0);
}

BOOST_AUTO_TEST_CASE(a_reader_that_leaves_ends_the_server_and_its_handlers)
{
    fd_pair terminal = make_raw_terminal();
    wire rows[] = {pipe_wire(), socket_wire(), writing_to(std::move(terminal.theirs), std::move(terminal.ours))};
    for (wire& ends : rows) {
        echo_server s({}, std::move(ends));
        s.send(endless);
        s.send(request);
        s.expect(reply);
        s.close_output();
        BOOST_TEST(s.wait_exit() == 3);
    }
}

BOOST_AUTO_TEST_CASE(a_reader_that_leaves_ends_an_idle_server)
{
    fd_pair terminal = make_raw_terminal();
    wire rows[] = {pipe_wire(), socket_wire(), writing_to(std::move(terminal.theirs), std::move(terminal.ours))};
    for (wire& ends : rows) {
        echo_server s({}, std::move(ends));
        s.expect_silence();
        s.close_output();
        BOOST_TEST(s.wait_exit() == 3);
    }
}

BOOST_AUTO_TEST_CASE(a_reader_that_has_left_before_the_start_ends_the_server)
{
    fd_pair terminal = make_raw_terminal();
    wire rows[] = {pipe_wire(), socket_wire(), writing_to(std::move(terminal.theirs), std::move(terminal.ours))};
    for (wire& ends : rows) {
        ends.from_server.reset();
        echo_server s({}, std::move(ends));
        BOOST_TEST(s.wait_exit() == 3);
    }
}

BOOST_AUTO_TEST_CASE(a_reader_that_leaves_amid_a_flood_ends_the_server)
{
    for (wire (*make)() : {pipe_wire, socket_wire}) {
        echo_server s({}, make());
        const std::string text = numbered_requests(20'000);
        write_what_fits(s.input().get(), text);
        s.output().wait_readable();
        s.close_output();
        BOOST_TEST(s.wait_exit() == 3);
    }
}

BOOST_AUTO_TEST_CASE(a_hung_up_socket_for_both_directions_ends_the_server)
{
    fd_pair both = make_socket_pair();
    unique_fd copy = duplicate(both.theirs.get());
    unique_fd our_copy = duplicate(both.ours.get());
    echo_server s({}, {std::move(both.theirs), std::move(copy), std::move(both.ours), std::move(our_copy)});
    s.send(endless);
    s.expect_silence();
    s.close_input();
    s.close_output();
    BOOST_TEST(s.wait_exit() == 3);
}

BOOST_AUTO_TEST_CASE(a_closed_descriptor_is_a_reader_that_has_left)
{
    echo_server s({}, writing_to({}));
    BOOST_TEST(s.wait_exit() == 3);
}

BOOST_AUTO_TEST_CASE(a_full_disk_is_a_stream_error)
{
    echo_server s({}, writing_to(open_file("/dev/full", O_WRONLY)));
    s.send(request);
    BOOST_TEST(s.wait_exit() == 3);
}

BOOST_AUTO_TEST_CASE(nothing_is_lost_when_the_reader_stops_for_a_while)
{
    fd_pair terminal = make_raw_terminal();
    wire rows[] = {pipe_wire(), socket_wire(), writing_to(std::move(terminal.theirs), std::move(terminal.ours))};
    shrink_pipe(rows[0].server_out.get());
    for (wire& ends : rows) {
        echo_server s({}, std::move(ends));
        const std::string text = numbered_requests(20'000);
        const std::size_t written = write_what_fits(s.input().get(), text);
        s.output().wait_readable();
        check_numbered(exchange(std::move(s.input()), std::string_view(text).substr(written), s.output()), 20'000);
        BOOST_TEST(s.wait_exit() == 0);
    }
}

BOOST_AUTO_TEST_CASE(finished_replies_wait_for_a_slow_reader_beyond_the_drain_time)
{
    wire ends = pipe_wire();
    shrink_pipe(ends.server_out.get());
    echo_server s({"--drain-ms", "50"}, std::move(ends));
    const std::string text = numbered_requests(1'000);
    s.send_bytes(text);
    s.close_input();
    s.output().wait_readable();
    BOOST_TEST(!s.child().exits_within(std::chrono::milliseconds(300)));
    check_numbered(s.output().read_rest(), 1'000);
    BOOST_TEST(s.wait_exit() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
