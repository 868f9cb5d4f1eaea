#include "support/server_process.hpp"
#include "support/text_search.hpp"

#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <signal.h>

namespace json = boost::json;
using namespace partyline::test;

namespace {

std::string output_of(noisy_server& s, const std::string& command)
{
    const std::string text = json::serialize(json::value(command));
    s.send(R"({"jsonrpc":"2.0","id":"c","method":"output_of","params":[)" + text + "]}");
    return std::string(s.read_message().at("result").as_string());
}

} // namespace

BOOST_AUTO_TEST_SUITE(guard, *boost::unit_test::timeout(100))

// rule: mcp.stdio.stdout, security.descriptors.output
BOOST_AUTO_TEST_CASE(what_handlers_and_children_print_goes_to_stderr)
{
    for (wire (*make)() : {pipe_wire, socket_wire}) {
        noisy_server s(make());
        for (int i = 0; i < 3; ++i) {
            s.send(R"({"jsonrpc":"2.0","id":1,"method":"noisy","params":["clean"]})");
            s.expect(R"({"jsonrpc":"2.0","id":1,"result":["clean"]})");
        }
        s.close_input();
        s.expect_end(0);
        const std::string errors = s.errors();
        BOOST_TEST_CONTEXT(errors)
        {
            BOOST_TEST(count_of(errors, "from cout") == 3);
            BOOST_TEST(count_of(errors, "from printf") == 3);
            BOOST_TEST(count_of(errors, "from child\n") == 3);
        }
    }
}

BOOST_AUTO_TEST_CASE(what_was_printed_goes_to_stderr_even_when_a_signal_ends_the_server)
{
    noisy_server s;
    s.send(R"({"jsonrpc":"2.0","id":1,"method":"noisy"})");
    s.expect(R"({"jsonrpc":"2.0","id":1,"result":null})");
    s.child().signal(SIGTERM);
    s.expect_end(128 + SIGTERM);
    BOOST_TEST(count_of(s.errors(), "from child\n") == 1);
}

// rule: security.descriptors.output
BOOST_AUTO_TEST_CASE(what_is_printed_never_gets_into_a_file_of_replies)
{
    wire ends = pipe_wire();
    unique_fd file = make_memory_file();
    ends.server_out = duplicate(file.get());
    noisy_server s(std::move(ends));
    s.send(R"({"jsonrpc":"2.0","id":1,"method":"noisy"})");
    s.close_input();
    BOOST_TEST(s.wait_exit() == 0);
    BOOST_TEST(read_whole(file.get()) == "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null}\n");
}

BOOST_AUTO_TEST_CASE(reading_the_standard_input_finds_its_end)
{
    noisy_server s;
    s.send(R"({"jsonrpc":"2.0","id":1,"method":"read_standard_input"})");
    s.expect(R"({"jsonrpc":"2.0","id":1,"result":0})");
    BOOST_TEST(output_of(s, "cat; echo done") == "done\n");
}

// rule: security.descriptors.children
BOOST_AUTO_TEST_CASE(children_get_the_standard_descriptors_and_no_others)
{
    noisy_server s;
    // The shell expands the pattern itself, and opens one descriptor to do so.
    const std::string listing = output_of(s, "readlink /proc/self/fd/*");
    BOOST_TEST(count_of(listing, "socket:") == 0, listing);
    BOOST_TEST(count_of(listing, "pipe:") == 1, listing); // popen's own
    BOOST_TEST(count_of(listing, "anon_inode:") == 0, listing);
}

BOOST_AUTO_TEST_CASE(children_do_not_ignore_a_broken_pipe)
{
    noisy_server s;
    const std::string line = output_of(s, "grep SigIgn /proc/self/status");
    const unsigned long ignored = std::stoul(line.substr(line.find_last_of(" \t") + 1), nullptr, 16);
    BOOST_TEST((ignored >> (SIGPIPE - 1) & 1) == 0u, line);
}

BOOST_AUTO_TEST_CASE(a_closed_stderr_does_not_matter)
{
    wire ends = pipe_wire();
    line_reader output(std::move(ends.from_server));
    child_process child(PARTYLINE_NOISY_SERVER, {}, {ends.server_in.get(), ends.server_out.get(), -1});
    ends.server_in.reset();
    ends.server_out.reset();
    write_all(ends.to_server.get(), "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"noisy\",\"params\":[1]}\nrubbish\n");
    ends.to_server.reset();
    BOOST_TEST(output.read_line().value_or("") == R"({"jsonrpc":"2.0","id":1,"result":[1]})");
    BOOST_TEST(contains(output.read_line().value_or(""), "-32700"));
    BOOST_TEST(output.read_rest() == "");
    BOOST_TEST(child.wait_exit() == 0);
}

// rule: security.harm.logs
BOOST_AUTO_TEST_CASE(a_stderr_that_nobody_reads_does_not_matter)
{
    pipe_ends errors = make_pipe();
    errors.read.reset();
    noisy_server s(pipe_wire(), errors.write.get());
    for (int i = 0; i < 3; ++i) {
        s.send(R"({"jsonrpc":"2.0","id":1,"method":"chatter"})");
        s.expect(R"({"jsonrpc":"2.0","id":1,"result":null})");
    }
    s.close_input();
    s.expect_end(0);
}

BOOST_AUTO_TEST_CASE(three_closed_descriptors_end_the_server)
{
    child_process child(PARTYLINE_ECHO, {}, {});
    BOOST_TEST(child.wait_exit() == 3);
}

BOOST_AUTO_TEST_SUITE_END()
