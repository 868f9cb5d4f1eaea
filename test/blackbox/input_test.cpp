#include "support/scratch_directory.hpp"
#include "support/server_process.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>

using namespace partyline::test;

namespace {

const std::string requests = R"({"jsonrpc":"2.0","id":1,"method":"delay","params":{"ms":50,"value":"slow"}})"
                             "\n"
                             R"({"jsonrpc":"2.0","id":2,"method":"echo","params":["fast"]})"
                             "\n";
const char* const fast = R"({"jsonrpc":"2.0","id":2,"result":["fast"]})";
const char* const slow = R"({"jsonrpc":"2.0","id":1,"result":"slow"})";

// Output by a pipe, input as given.
wire reading_from(unique_fd server_in, unique_fd to_server = {})
{
    wire ends = pipe_wire();
    ends.server_in = std::move(server_in);
    ends.to_server = std::move(to_server);
    return ends;
}

void expect_replies(echo_server& s)
{
    s.expect(fast);
    s.expect(slow);
}

} // namespace

BOOST_AUTO_TEST_SUITE(input, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(from_a_fifo)
{
    scratch_directory scratch;
    pipe_ends fifo = make_fifo(scratch / "requests");
    echo_server s({}, reading_from(std::move(fifo.read), std::move(fifo.write)));
    s.send_bytes(requests);
    s.close_input();
    expect_replies(s);
    s.expect_end(0);
}

BOOST_AUTO_TEST_CASE(from_a_socket_pair)
{
    echo_server s({}, socket_wire());
    s.send_bytes(requests);
    s.close_input();
    expect_replies(s);
    s.expect_end(0);
}

BOOST_AUTO_TEST_CASE(from_one_socket_for_both_directions)
{
    fd_pair both = make_socket_pair();
    const int ours = both.ours.get();
    unique_fd copy = duplicate(both.theirs.get());
    unique_fd our_copy = duplicate(ours);
    echo_server s({}, {std::move(both.theirs), std::move(copy), std::move(both.ours), std::move(our_copy)});
    s.send_bytes(requests);
    BOOST_TEST(::shutdown(ours, SHUT_WR) == 0);
    expect_replies(s);
    s.expect_end(0);
}

BOOST_AUTO_TEST_CASE(from_a_terminal_until_its_end_is_typed)
{
    fd_pair terminal = make_line_terminal();
    echo_server s({}, reading_from(std::move(terminal.theirs), std::move(terminal.ours)));
    s.send_bytes(requests);
    expect_replies(s);
    s.send_bytes("\x04");
    s.expect_end(0);
}

BOOST_AUTO_TEST_CASE(from_a_terminal_that_is_closed)
{
    fd_pair terminal = make_raw_terminal();
    echo_server s({}, reading_from(std::move(terminal.theirs), std::move(terminal.ours)));
    s.send_bytes(requests);
    expect_replies(s);
    s.close_input();
    s.expect_end(0);
}

BOOST_AUTO_TEST_CASE(from_a_terminal_that_shows_the_replies_too)
{
    fd_pair terminal = make_line_terminal();
    unique_fd out = duplicate(terminal.theirs.get());
    unique_fd from = duplicate(terminal.ours.get());
    echo_server s({}, {std::move(terminal.theirs), std::move(out), std::move(terminal.ours), std::move(from)});
    s.send_bytes(requests + "\x04");
    expect_replies(s);
    s.expect_end(0);
}

BOOST_AUTO_TEST_CASE(from_a_file_that_somebody_has_begun_to_read)
{
    scratch_directory scratch;
    const std::string heading = "not for the server\n";
    write_file(scratch / "requests", heading + requests);
    unique_fd file = open_file(scratch / "requests", O_RDONLY);
    ::lseek(file.get(), static_cast<off_t>(heading.size()), SEEK_SET);
    echo_server s({}, reading_from(std::move(file)));
    expect_replies(s);
    s.expect_end(0);
}

BOOST_AUTO_TEST_CASE(from_a_file_that_may_not_be_opened_again)
{
    scratch_directory scratch;
    write_file(scratch / "requests", requests);
    unique_fd file = open_file(scratch / "requests", O_RDONLY);
    std::filesystem::remove(scratch / "requests");
    echo_server s({}, reading_from(std::move(file)));
    expect_replies(s);
    s.expect_end(0);
}

BOOST_AUTO_TEST_CASE(from_the_null_device)
{
    echo_server s({}, reading_from(open_file("/dev/null", O_RDONLY)));
    s.expect_end(0);
}

BOOST_AUTO_TEST_CASE(from_a_closed_descriptor)
{
    echo_server s({}, reading_from({}));
    s.expect_end(0);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_read_is_a_stream_error)
{
    echo_server directory({}, reading_from(open_file("/", O_RDONLY | O_DIRECTORY)));
    directory.expect_end(3);
    echo_server write_only({}, reading_from(open_file("/dev/null", O_WRONLY)));
    write_only.expect_end(3);
}

BOOST_AUTO_TEST_CASE(from_what_the_parent_has_made_nonblocking)
{
    for (wire (*make)() : {pipe_wire, socket_wire}) {
        wire ends = make();
        set_nonblocking(ends.server_in.get());
        set_nonblocking(ends.server_out.get());
        unique_fd in = duplicate(ends.server_in.get());
        unique_fd out = duplicate(ends.server_out.get());
        echo_server s({}, std::move(ends));
        s.send_bytes(requests);
        expect_replies(s);
        s.close_input();
        BOOST_TEST(s.wait_exit() == 0);
        BOOST_TEST((status_flags(in.get()) & O_NONBLOCK) != 0);
        BOOST_TEST((status_flags(out.get()) & O_NONBLOCK) != 0);
    }
}

BOOST_AUTO_TEST_CASE(the_parents_flags_are_left_alone_while_the_server_runs)
{
    scratch_directory scratch;
    for (const char* kind : {"pipe", "fifo", "terminal"}) {
        BOOST_TEST_CONTEXT(kind)
        {
            wire ends = pipe_wire();
            if (kind == std::string("fifo")) {
                pipe_ends fifo = make_fifo(scratch / "fifo");
                ends.server_in = std::move(fifo.read);
                ends.to_server = std::move(fifo.write);
            } else if (kind == std::string("terminal")) {
                fd_pair terminal = make_raw_terminal();
                ends.server_in = std::move(terminal.theirs);
                ends.to_server = std::move(terminal.ours);
            }
            unique_fd in = duplicate(ends.server_in.get());
            unique_fd out = duplicate(ends.server_out.get());
            const int in_flags = status_flags(in.get());
            const int out_flags = status_flags(out.get());
            echo_server s({}, std::move(ends));
            s.expect_silence();
            BOOST_TEST(status_flags(in.get()) == in_flags);
            BOOST_TEST(status_flags(out.get()) == out_flags);
            s.child().signal(SIGTERM);
            BOOST_TEST(s.wait_exit() == 128 + SIGTERM);
            BOOST_TEST(status_flags(in.get()) == in_flags);
            BOOST_TEST(status_flags(out.get()) == out_flags);
        }
    }
}

// A socket can't be opened again: parent and child share its O_NONBLOCK as long as they live.
BOOST_AUTO_TEST_CASE(a_socket_of_the_parents_is_never_made_nonblocking)
{
    for (const bool is_one_for_both : {true, false}) {
        BOOST_TEST_CONTEXT("one socket for both: " << is_one_for_both)
        {
            wire ends = socket_wire();
            if (is_one_for_both) {
                ends.server_out = duplicate(ends.server_in.get());
                ends.from_server = duplicate(ends.to_server.get());
            }
            const unique_fd in = duplicate(ends.server_in.get());
            const unique_fd out = duplicate(ends.server_out.get());
            const auto is_left_alone = [&] {
                return (status_flags(in.get()) & O_NONBLOCK) == 0 && (status_flags(out.get()) & O_NONBLOCK) == 0;
            };
            witnessed_server s({}, std::move(ends));
            s.settle(); // it has started, and waits for input
            BOOST_TEST(is_left_alone());
            s.send(R"({"jsonrpc":"2.0","id":1,"method":"parts","params":{"count":20,"bytes":100000}})");
            s.settle(); // it waits for the output to be read, too
            BOOST_TEST(is_left_alone());
            while (!contains(s.read_line(), R"("id":1,"result")"))
                continue;
            s.send(R"({"jsonrpc":"2.0","id":2,"method":"echo","params":[1]})");
            s.expect(R"({"jsonrpc":"2.0","id":2,"result":[1]})");
            s.child().signal(SIGTERM);
            BOOST_TEST(s.wait_exit() == 128 + SIGTERM);
            BOOST_TEST(is_left_alone());
        }
    }
}

BOOST_AUTO_TEST_CASE(the_parents_flags_are_restored_at_the_end)
{
    fd_pair terminal = make_raw_terminal();
    unique_fd terminal_in = duplicate(terminal.theirs.get());
    wire rows[] = {
        socket_wire(),
        {std::move(terminal_in), std::move(terminal.theirs), duplicate(terminal.ours.get()), std::move(terminal.ours)}};
    for (wire& ends : rows) {
        for (int end : {0, 1}) {
            unique_fd in = duplicate(ends.server_in.get());
            unique_fd out = duplicate(ends.server_out.get());
            const int in_flags = status_flags(in.get());
            const int out_flags = status_flags(out.get());
            wire copy{duplicate(in.get()), duplicate(out.get()), duplicate(ends.to_server.get()),
                      duplicate(ends.from_server.get())};
            echo_server s({}, std::move(copy));
            s.expect_silence();
            s.child().signal(end ? SIGTERM : SIGHUP);
            s.wait_exit();
            BOOST_TEST(status_flags(in.get()) == in_flags);
            BOOST_TEST(status_flags(out.get()) == out_flags);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
