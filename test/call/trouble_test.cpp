// Servers that aren't there, die, are silent or talk rubbish, and command lines that can't be.

#include "call_program.hpp"
#include "support/scratch_directory.hpp"
#include "support/text_search.hpp"
#include "web_server.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <csignal>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/socket.h>

using namespace call::test;
using partyline::test::contains;
using partyline::test::count_of;
using partyline::test::scratch_directory;

namespace {

const std::string silent_server = "cat >/dev/null";

// A TCP port that is in use, so that nobody else listens on it, and on which nobody listens.
class taken_port {
public:
    taken_port() : socket_(context_, {boost::asio::ip::address_v4::loopback(), 0}) {}

    std::string address() const { return "127.0.0.1:" + std::to_string(socket_.local_endpoint().port()); }

private:
    boost::asio::io_context context_;
    boost::asio::ip::tcp::socket socket_;
};

// A Unix socket whose server accepts nobody, with as many in its queue as go into it.
class full_socket {
public:
    explicit full_socket(const std::string& path) : acceptor_(context_)
    {
        const boost::asio::local::stream_protocol::endpoint place(path);
        acceptor_.open();
        acceptor_.bind(place);
        acceptor_.listen(0);
        do {
            queue_.emplace_back(context_, place.protocol()).non_blocking(true);
        } while (::connect(queue_.back().native_handle(), place.data(), place.size()) == 0);
        BOOST_TEST(errno == EAGAIN);
    }

private:
    boost::asio::io_context context_;
    boost::asio::local::stream_protocol::acceptor acceptor_;
    std::vector<boost::asio::local::stream_protocol::socket> queue_;
};

void expect_trouble(const outcome& run, std::string_view said)
{
    BOOST_TEST(run.code == 3);
    BOOST_TEST(run.out == "");
    BOOST_TEST(contains(run.err, said), run.err);
}

} // namespace

BOOST_AUTO_TEST_SUITE(trouble, *boost::unit_test::timeout(110))

BOOST_AUTO_TEST_CASE(a_server_that_is_not_there_is_named)
{
    const scratch_directory scratch;
    const std::string path = (scratch / "socket").string();
    expect_trouble(run_call({"x", "--", "no_such_program"}),
                   "partyline-call: cannot start 'no_such_program': No such file or directory\n");
    expect_trouble(run_call({"x", "--", "/etc/passwd"}), "cannot start '/etc/passwd': Permission denied\n");
    expect_trouble(run_call(with_echo({"x", "--cwd", "/no/such/folder"})), "/no/such/folder");
    expect_trouble(run_call({"x", "--unix", path}), "cannot connect to " + path + ": No such file or directory\n");
    const taken_port port;
    expect_trouble(run_call({"x", "--tcp", port.address()}),
                   "cannot connect to " + port.address() + ": Connection refused\n");
    expect_trouble(run_call({"x", "--tcp", "no-such-host.invalid:1"}), "cannot connect to no-such-host.invalid:1: ");
}

// A Boost exception ends its text with the file and the function that it comes from, "[system:111 at /usr/...".
BOOST_AUTO_TEST_CASE(a_refused_connection_is_told_by_its_address_and_no_place_in_a_library)
{
    const taken_port port;
    const std::vector<std::vector<std::string>> lines = {
        {"x", "--tcp", port.address()},
        {"http://" + port.address(), "x"},
        {"ws://" + port.address(), "x"},
    };
    for (const std::vector<std::string>& line : lines) {
        const outcome run = run_call(line);
        BOOST_TEST_CONTEXT(run.err)
        {
            BOOST_TEST(run.code == 3);
            BOOST_TEST(contains(run.err, port.address()));
            BOOST_TEST(contains(run.err, "Connection refused"));
            BOOST_TEST(!contains(run.err, "/boost/"));
            BOOST_TEST(!contains(run.err, "[system:"));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_server_of_something_else_is_told_by_status_and_type)
{
    const web_server page("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 3\r\n\r\n<p>");
    expect_trouble(run_call({page.url(), "x"}), "partyline-call: the server answered over HTTP, and not with a reply\n"
                                                "  HTTP status 200, Content-Type: text/html\n");
}

BOOST_AUTO_TEST_CASE(connecting_has_no_more_time_than_a_call)
{
    const scratch_directory scratch;
    const std::string path = (scratch / "socket").string();
    const full_socket busy(path);
    expect_trouble(run_call({"x", "--unix", path, "--timeout", "100ms"}),
                   "cannot connect to " + path + ": it takes too long\n");
}

BOOST_AUTO_TEST_CASE(a_server_that_dies_is_told_with_its_status_and_its_last_words)
{
    const std::string dies = "echo first >&2; echo second >&2; read line; exit 7";
    expect_trouble(run_call(with_shell({"x"}, dies)), "partyline-call: the server exited with status 7\n"
                                                      "the last lines of its standard error:\n  first\n  second\n");
    expect_trouble(run_call(with_shell({"x", "--stderr", "drop"}, dies)),
                   "partyline-call: the server exited with status 7\n");
    expect_trouble(run_call(with_shell({"x"}, "exit 0")), "the server exited with status 0");
    expect_trouble(run_call(with_shell({"x"}, "read line; kill -9 $$")), "the server was ended by signal 9 (Killed)");
    expect_trouble(run_call(with_echo({"x"}, {"--no-such-option"})), "unrecognised option '--no-such-option'");
}

BOOST_AUTO_TEST_CASE(what_it_writes_to_standard_error_commands_no_terminal)
{
    const std::string script = R"(printf 'a\033[2J\342\200\256b\377\n' >&2; read line; exit 7)";
    const outcome run = run_call(with_shell({"x"}, script));
    BOOST_TEST(run.err == "a\\u001b[2J\\u202eb\ufffd\npartyline-call: the server exited with status 7\n"
                          "the last lines of its standard error:\n  a\\u001b[2J\\u202eb\ufffd\n");
}

BOOST_AUTO_TEST_CASE(each_call_that_it_leaves_behind_is_named_and_its_last_words_are_told_once)
{
    const outcome run = run_call(with_shell({"--calls", "-"}, "read a; read b; echo dying >&2; exit 3"),
                                 "{\"method\":\"x\"}\n{\"method\":\"x\",\"id\":\"b\"}\n");
    expect_trouble(run, "partyline-call: 1: the server exited with status 3\n");
    BOOST_TEST(contains(run.err, "partyline-call: \"b\": the server exited with status 3\n"), run.err);
    BOOST_TEST(count_of(run.err, "  dying\n") == 1, run.err);
}

BOOST_AUTO_TEST_CASE(calls_that_could_not_be_made_any_more_are_told)
{
    const std::string one_reply = R"(read line; echo '{"jsonrpc":"2.0","id":1,"result":1}')";
    call_program program(with_shell({"--calls", "-"}, one_reply));
    program.send("{\"method\":\"x\"}\n");
    BOOST_TEST(program.output().read_line().value_or("") == R"({"jsonrpc":"2.0","id":1,"result":1})");
    program.wait_error("the server exited with status 0"); // though its input has not ended
    BOOST_TEST(program.child().wait_exit() == 3);

    expect_trouble(run_call(with_shell({"x", "--repeat", "3"}, one_reply)), "the server exited with status 0");
}

// A server that can't read a message does not know its id.
BOOST_AUTO_TEST_CASE(an_error_that_names_no_call_is_shown_while_its_call_waits)
{
    const std::string error = R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}})";
    call_program program(with_shell({"x"}, "read line; echo '" + error + "'; read line"));
    const std::string shown = program.wait_error("an error that names no call");
    BOOST_TEST(shown == "partyline-call: the server sent an error that names no call: '" + error + "'");
    program.child().signal(SIGTERM);
    program.child().wait_exit();
    const outcome many =
        run_call(with_shell({"x"}, "read line; for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo '" + error +
                                       R"('; done; echo '{"jsonrpc":"2.0","id":1,"result":7}')"));
    BOOST_TEST(many.out == "7\n");
    BOOST_TEST(count_of(many.err, "Parse error") == 10, many.err);
    BOOST_TEST(count_of(many.err, "partyline-call: the server sent more errors that name no call\n") == 1, many.err);
}

BOOST_AUTO_TEST_CASE(a_call_has_no_more_time_than_it_is_given)
{
    const std::string late = "partyline-call: no reply within the time that the call had\n";
    expect_trouble(run_call(with_shell({"x", "--timeout", "100ms"}, silent_server)), late);
    expect_trouble(run_call(with_echo({"delay", "ms=60000", "--timeout", "0.1s"})), late);
    expect_trouble(run_call(with_echo({"delay", "ms=60000", "--idle-timeout", "100ms"})), late);
    const outcome batch = run_call(with_echo({"--calls", "-", "--batch", "--timeout", "100ms"}),
                                   "{\"method\":\"delay\",\"params\":[60000]}\n");
    BOOST_TEST(batch.code == 3);
    BOOST_TEST(contains(batch.err, "partyline-call: 1: no reply within"), batch.err);
}

BOOST_AUTO_TEST_CASE(a_notification_has_no_more_time_than_it_is_given)
{
    const scratch_directory scratch;
    const std::string path = (scratch / "socket").string();
    const full_socket busy(path);
    expect_trouble(run_call({"x", "--notify", "--timeout", "100ms", "--unix", path}), "it takes too long\n");
    expect_trouble(run_call(with_shell({"x", "--notify", "--timeout", "100ms", "--profile", "lsp"}, silent_server)),
                   "the handshake failed: initialize: no reply within the time that the call had\n");
    // More than a pipe holds, for who reads nothing.
    partyline::test::write_file(scratch / "params", "[\"" + std::string(1'000'000, 'x') + "\"]");
    const std::string params = "@" + (scratch / "params").string();
    expect_trouble(run_call(with_shell({"x", params, "--notify", "--timeout", "100ms"}, "exec sleep 1000")),
                   "partyline-call: the peer has stopped reading\n");
}

BOOST_AUTO_TEST_CASE(a_call_to_who_reads_nothing_ends_soon_after_its_time)
{
    const scratch_directory scratch;
    partyline::test::write_file(scratch / "params", "[\"" + std::string(1'000'000, 'x') + "\"]");
    const std::string params = "@" + (scratch / "params").string();
    expect_trouble(run_call(with_shell({"x", params, "--timeout", "100ms"}, "exec sleep 1000")),
                   "no reply within the time that the call had\n");
}

BOOST_AUTO_TEST_CASE(progress_keeps_an_idle_call_alive)
{
    // Five steps of 200 ms each are longer in all than the second that nothing may be heard for.
    const outcome run = run_call(with_echo({"count", "to=6", "ms=200", "--idle-timeout", "1s"}));
    BOOST_TEST(run.code == 0);
    BOOST_TEST(run.out == "{\"counted\":6}\n");
}

BOOST_AUTO_TEST_CASE(rubbish_is_shown_and_costs_no_reply)
{
    const std::string script = R"(echo 'Listening...'; printf 'a\033[2J%0300d\n' 0
        read line; echo '{"jsonrpc":"2.0","id":99,"result":0}'; echo '{"jsonrpc":"2.0","id":1,"result":1}')";
    const outcome run = run_call(with_shell({"x"}, script));
    BOOST_TEST(run.code == 0);
    BOOST_TEST(run.out == "1\n");
    BOOST_TEST(contains(run.err, "partyline-call: the server sent what is no message: 'Listening...'\n"), run.err);
    BOOST_TEST(contains(run.err, "'a\\u001b[2J0000"), run.err);
    BOOST_TEST(contains(run.err, "0...'\n"), run.err);
}

BOOST_AUTO_TEST_CASE(a_flood_of_rubbish_does_not_flood_the_terminal)
{
    const std::string script = R"(read line; i=0; while [ $i -lt 200 ]; do echo rubbish; i=$((i + 1)); done
        echo '{"jsonrpc":"2.0","id":1,"result":1}')";
    const outcome run = run_call(with_shell({"x"}, script));
    BOOST_TEST(run.code == 0);
    BOOST_TEST(run.out == "1\n");
    BOOST_TEST(count_of(run.err, "what is no message: 'rubbish'\n") == 10);
    BOOST_TEST(run.err.ends_with("'\npartyline-call: the server sent more that is no message\n"));
    BOOST_TEST(count_of(run.err, "\n") == 11);
}

BOOST_AUTO_TEST_CASE(a_long_notification_is_cut)
{
    const std::string script = R"(read line; printf '{"jsonrpc":"2.0","method":"n","params":["%05000d"]}\n' 0
        echo '{"jsonrpc":"2.0","id":1,"result":1}')";
    const outcome run = run_call(with_shell({"x", "--show-notifications"}, script));
    BOOST_TEST(run.code == 0);
    BOOST_TEST(run.err.size() == 4096 + 4u); // "..." and the end of the line
    BOOST_TEST(run.err.ends_with("0...\n"), run.err);
}

// It is told that its rubbish is none, and does not listen; what it says later counts all the same.
BOOST_AUTO_TEST_CASE(a_server_that_reads_no_more_may_still_reply)
{
    const std::string script =
        R"(read line; exec <&-; echo rubbish; sleep 0.2; echo '{"jsonrpc":"2.0","id":1,"result":1}')";
    const outcome run = run_call(with_shell({"x"}, script));
    BOOST_TEST(run.code == 0);
    BOOST_TEST(run.out == "1\n");
}

BOOST_AUTO_TEST_CASE(a_reply_that_is_none_fails_its_call)
{
    for (const char* const reply : {R"({"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1,"message":"m"}})",
                                    R"({"jsonrpc":"2.0","id":1,"error":"no"})"}) {
        const std::string script = "read line; echo '" + std::string(reply) + "'; cat >/dev/null";
        const outcome run = run_call(with_shell({"x"}, script));
        expect_trouble(run, "partyline-call: the reply is no valid response\n  ");
        BOOST_TEST(!contains(run.err, "standard error"), run.err); // the explanation is not the server's
    }
}

BOOST_AUTO_TEST_CASE(a_server_that_does_not_end_is_ended)
{
    // Its input ends, and it lives on; so does its child, which holds its streams.
    const std::string script =
        R"(sleep 1000 & read line; echo '{"jsonrpc":"2.0","id":1,"result":1}'; wait; sleep 1000)";
    const outcome run = run_call(with_shell({"x"}, script));
    BOOST_TEST(run.code == 0);
    BOOST_TEST(run.out == "1\n");
}

BOOST_AUTO_TEST_CASE(wrong_usage_is_told_with_exit_code_2)
{
    const std::pair<words, const char*> rows[] = {
        {{}, "name one server"},
        {with_echo({}), "name a method"},
        {with_echo({"x", "{"}), "not JSON (at byte 1)"},
        {with_echo({"x", "--timeout", "5"}), "'5' is no time"},
        {with_echo({"x", "--colour"}), "colour"},
        {with_echo({"x", "--trace", "/no/such/folder/trace"}), "/no/such/folder/trace"},
        {with_echo({"--calls", "/no/such/file"}), "cannot read /no/such/file: No such file or directory"},
        {with_shell({"--calls", "/"}, "echo started >&2"), "partyline-call: cannot read /: Is a directory\n"},
    };
    for (const auto& [given, said] : rows) {
        const outcome run = run_call(given);
        BOOST_TEST(run.code == 2);
        BOOST_TEST(run.out == "");
        BOOST_TEST(contains(run.err, said), run.err);
        BOOST_TEST(!contains(run.err, "started"), run.err);
        BOOST_TEST(run.err.ends_with("\nTry 'partyline-call --help'.\n"), run.err);
    }
}

BOOST_AUTO_TEST_SUITE_END()
