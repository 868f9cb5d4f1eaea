// A standard error that nobody reads, and logs that find no room, stop nobody. So do not what signals the process has
// inherited, nor limits of files.

#include "support/descriptors.hpp"
#include "support/http_client.hpp"
#include "support/http_program.hpp"
#include "support/listening_server.hpp"
#include "support/requests.hpp"
#include "support/scratch_directory.hpp"
#include "support/server_process.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <sstream>
#include <string>

#include <fcntl.h>
#include <signal.h>

using namespace partyline::test;

namespace {

constexpr int many = 200;

// Its exception is a line of 2 KB in the log.
const std::string failing =
    R"({"jsonrpc":"2.0","id":1,"method":"throw","params":[")" + std::string(2000, 'x') + "\"]}\n";

pipe_ends small_pipe()
{
    pipe_ends ends = make_pipe();
    shrink_pipe(ends.write.get());
    return ends;
}

// A server whose handlers misbehave, with a standard error that has no room from the start.
struct muted_noisy_server {
    muted_noisy_server() : errors(small_pipe()), server(pipe_wire(), errors.write.get())
    {
        set_nonblocking(errors.write.get());
        write_what_fits(errors.write.get(), std::string(100'000, 'f'));
    }

    pipe_ends errors;
    noisy_server server;
};

void expect_internal_errors(server_process& s, int count)
{
    for (int i = 0; i < count; ++i) {
        s.send_bytes(failing);
        s.expect_error("1", -32603);
    }
}

void expect_internal_errors(socket_client& client, int count)
{
    for (int i = 0; i < count; ++i) {
        client.send(failing);
        BOOST_TEST_REQUIRE(contains(client.read_line(), "-32603"));
    }
}

std::vector<std::string> lines_of(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

} // namespace

BOOST_AUTO_TEST_SUITE(unread_errors, *boost::unit_test::timeout(100))

// rule: security.harm.logs
BOOST_AUTO_TEST_CASE(stop_no_server_on_standard_input_and_lines_stay_whole)
{
    pipe_ends errors = small_pipe();
    std::optional<echo_server> s;
    s.emplace(std::vector<std::string>{}, pipe_wire(), errors.write.get());
    errors.write.reset();
    expect_internal_errors(*s, many);
    s->child().signal(SIGTERM);
    s->expect_end(128 + SIGTERM); // without waiting for a reader for long
    s.reset();
    const std::vector<std::string> lines = lines_of(line_reader(std::move(errors.read)).read_rest());
    BOOST_TEST(!lines.empty());
    for (const std::string& line : lines)
        BOOST_TEST(line.starts_with("partyline: the handler of \"throw\" threw"), line);
}

BOOST_AUTO_TEST_CASE(whose_reader_has_gone_do_not_change_how_a_signal_ends_a_server)
{
    pipe_ends errors = make_pipe();
    errors.read.reset();
    echo_server s({}, pipe_wire(), errors.write.get());
    expect_internal_errors(s, 3);
    s.child().signal(SIGTERM);
    s.expect_end(128 + SIGTERM); // and not by SIGPIPE, when the last lines are tried again
}

// rule: security.harm.logs
BOOST_AUTO_TEST_CASE(are_told_how_many_lines_were_dropped_when_they_are_read_again)
{
    pipe_ends errors = small_pipe();
    std::optional<echo_server> s;
    s.emplace(std::vector<std::string>{}, pipe_wire(), errors.write.get());
    errors.write.reset();
    expect_internal_errors(*s, many);
    s->close_input();
    line_reader reader(std::move(errors.read));
    std::optional<std::string> line = reader.read_line();
    int whole = 0;
    for (; line && line->starts_with("partyline: the handler of \"throw\" threw"); line = reader.read_line())
        ++whole;
    BOOST_TEST_REQUIRE(line.has_value());
    BOOST_TEST(*line ==
               "partyline: lines dropped here, which could not be written in time: " + std::to_string(many - whole));
    s->expect_end(0);
}

BOOST_AUTO_TEST_CASE(that_are_a_socket_stop_nobody_and_keep_their_flags)
{
    fd_pair errors = make_socket_pair();
    echo_server s({}, pipe_wire(), errors.theirs.get());
    expect_internal_errors(s, 2 * many); // a socket has more room
    BOOST_TEST((status_flags(errors.theirs.get()) & O_NONBLOCK) == 0);
    s.child().signal(SIGTERM);
    s.expect_end(128 + SIGTERM);
}

BOOST_AUTO_TEST_CASE(keep_the_flags_of_a_pipe_that_others_write_to)
{
    pipe_ends errors = small_pipe();
    echo_server s({}, pipe_wire(), errors.write.get());
    expect_internal_errors(s, 10);
    BOOST_TEST((status_flags(errors.write.get()) & O_NONBLOCK) == 0);
    s.child().signal(SIGTERM);
    s.expect_end(128 + SIGTERM);
}

BOOST_AUTO_TEST_CASE(that_are_closed_are_no_trouble)
{
    const pipe_ends errors = make_pipe();
    wire ends = pipe_wire();
    child_process server(PARTYLINE_ECHO, {}, {ends.server_in.get(), ends.server_out.get(), -1});
    ends.server_out.reset();
    write_all(ends.to_server.get(), failing);
    line_reader output(std::move(ends.from_server));
    BOOST_TEST(contains(output.read_line().value_or(""), "-32603"));
    ends.to_server.reset();
    ends.server_in.reset();
    BOOST_TEST(server.wait_exit() == 0);
}

// rule: security.harm.logs
BOOST_AUTO_TEST_CASE(stop_no_server_on_sockets)
{
    listening_server s;
    shrink_pipe(s.errors().fd());
    socket_client by_unix = s.unix_client();
    expect_internal_errors(by_unix, many);
    socket_client by_tcp = s.tcp_client();
    expect_internal_errors(by_tcp, 10);
    s.child().signal(SIGTERM);
    BOOST_TEST(s.wait_exit() == 128 + SIGTERM);
}

// rule: security.harm.logs
BOOST_AUTO_TEST_CASE(stop_no_server_of_http_with_its_access_log)
{
    http_program s(PARTYLINE_ECHO, {"--http", "0", "--access-log", "-"});
    shrink_pipe(s.errors().fd());
    boost::asio::io_context context;
    http_client client(context, s.port());
    for (int i = 0; i < many; ++i)
        BOOST_TEST_REQUIRE(client.ask("/rpc", R"({"jsonrpc":"2.0","id":1,"method":"echo"})").status == 200);
    s.process().signal(SIGTERM);
    BOOST_TEST(s.process().wait_exit() == 128 + SIGTERM);
}

// rule: security.harm.logs
BOOST_AUTO_TEST_CASE(that_take_traces_stop_nobody)
{
    pipe_ends errors = small_pipe();
    echo_server s({"--trace", "-"}, pipe_wire(), errors.write.get());
    for (int i = 0; i < many; ++i) {
        s.send_request("echo", '"' + std::string(2000, 'x') + '"');
        s.read_message();
    }
    s.child().signal(SIGTERM);
    s.expect_end(128 + SIGTERM);
}

// rule: security.harm.signals
BOOST_AUTO_TEST_CASE(do_not_keep_what_was_printed_to_a_buffer_from_ending_by_the_end_of_input_or_a_signal)
{
    muted_noisy_server ended;
    muted_noisy_server stopped;
    muted_noisy_server stubborn;
    stubborn.server.send(R"({"jsonrpc":"2.0","id":2,"method":"stubborn"})"); // which prints when it is cancelled
    for (muted_noisy_server* one : {&ended, &stopped, &stubborn}) {
        one->server.send_request("mutter", "[1000]");
        one->server.expect_result("null");
    }
    ended.server.close_input();
    stopped.server.child().signal(SIGTERM);
    stubborn.server.child().signal(SIGTERM);
    BOOST_TEST(ended.server.wait_exit() == 0);
    BOOST_TEST(stopped.server.wait_exit() == 128 + SIGTERM);
    BOOST_TEST(stubborn.server.wait_exit() == 128 + SIGTERM);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(inherited_signals, *boost::unit_test::timeout(100))

// rule: security.harm.signals
BOOST_AUTO_TEST_CASE(that_are_blocked_end_a_server_all_the_same)
{
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
        server_process s("/usr/bin/env", {"--block-signal=TERM,INT,HUP", PARTYLINE_ECHO});
        s.expect_silence();
        s.child().signal(signal);
        s.expect_end(128 + signal);
    }
    http_program http("/usr/bin/env", {"--block-signal=TERM,INT,HUP", PARTYLINE_ECHO, "--http", "0"});
    http.process().signal(SIGTERM);
    BOOST_TEST(http.process().wait_exit() == 128 + SIGTERM);
}

BOOST_AUTO_TEST_CASE(that_are_ignored_stay_ignored)
{
    server_process s("/usr/bin/env", {"--ignore-signal=TERM,INT", PARTYLINE_ECHO});
    s.expect_silence();
    s.child().signal(SIGTERM);
    s.child().signal(SIGINT);
    s.expect_silence();
    s.child().signal(SIGHUP);
    s.expect_end(128 + SIGHUP);
    http_program http("/usr/bin/env", {"--ignore-signal=TERM,INT", PARTYLINE_ECHO, "--http", "0"});
    http.process().signal(SIGTERM);
    http.process().signal(SIGINT);
    boost::asio::io_context context;
    http_client client(context, http.port());
    BOOST_TEST(client.ask("/rpc", R"({"jsonrpc":"2.0","id":1,"method":"echo"})").status == 200);
    http.process().signal(SIGHUP); // which ends no program that listens
    BOOST_TEST(client.ask("/rpc", R"({"jsonrpc":"2.0","id":1,"method":"echo"})").status == 200);
}

BOOST_AUTO_TEST_CASE(of_a_file_that_has_reached_its_limit_are_an_error_of_writing)
{
    scratch_directory scratch;
    const std::string trace = (scratch / "trace").string();
    server_process s("/bin/sh", {"-c", "ulimit -f 8; exec \"$0\" \"$@\"", PARTYLINE_ECHO, "--trace", trace});
    for (int i = 0; i < 20; ++i) {
        s.send_request("echo", '"' + std::string(1000, 'x') + '"');
        s.read_message();
    }
    s.close_input();
    s.expect_end(0);
    BOOST_TEST(contains(s.errors(), "partyline-echo: --trace " + trace + ": File too large\n"), s.errors());
}

BOOST_AUTO_TEST_SUITE_END()
