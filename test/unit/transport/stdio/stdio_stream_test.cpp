// A session over this process's own standard input and output, which are the test's ends of a pipe meanwhile.

#include "support/descriptors.hpp"
#include "support/line_reader.hpp"

#include <partyline/partyline.hpp>
#include <partyline/transport/stdio_stream.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdio>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace asio = boost::asio;
using namespace partyline;
using namespace partyline::test;

namespace {

// The descriptors 0 and 1 of the process, put back at the end.
class standard_ends {
public:
    explicit standard_ends(wire ends) : ends_(std::move(ends))
    {
        std::fflush(stdout);
        std::cout.flush();
        ::dup2(ends_.server_in.get(), STDIN_FILENO);
        ::dup2(ends_.server_out.get(), STDOUT_FILENO);
        ends_.server_in.reset();
        ends_.server_out.reset();
    }
    ~standard_ends()
    {
        ::dup2(input_.get(), STDIN_FILENO);
        ::dup2(output_.get(), STDOUT_FILENO);
    }

    unique_fd& to() { return ends_.to_server; }
    unique_fd& from() { return ends_.from_server; }

private:
    wire ends_;
    unique_fd input_{::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)};
    unique_fd output_{::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)};
};

struct stdio_server {
    asio::io_context context{1};
    std::optional<session> serving;
    std::optional<error_code> ended;

    explicit stdio_server(bool guard = true)
    {
        method_table methods;
        methods.add("echo", [](json_text params) { return params; });
        serving.emplace(stdio_stream(context.get_executor(), guard), std::move(methods));
        serving->async_run([this](error_code failed) { ended = failed; });
    }
    void run()
    {
        context.run();
        BOOST_REQUIRE(ended.has_value());
    }
};

ino_t what_is(int descriptor)
{
    struct stat known = {};
    return ::fstat(descriptor, &known) == 0 ? known.st_ino : 0;
}

constexpr std::string_view echo_request = R"({"jsonrpc":"2.0","id":1,"method":"echo","params":[7]})"
                                          "\n";

} // namespace

BOOST_AUTO_TEST_SUITE(stdio_stream_suite, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_session_serves_standard_input_and_output_and_puts_them_back)
{
    for (wire (*make)() : {pipe_wire, socket_wire}) {
        standard_ends ours(make());
        const ino_t input = what_is(STDIN_FILENO);
        const ino_t output = what_is(STDOUT_FILENO);
        stdio_server one;
        BOOST_TEST(what_is(STDIN_FILENO) != input);
        BOOST_TEST(what_is(STDOUT_FILENO) == what_is(STDERR_FILENO)); // what is printed
        write_all(ours.to().get(), echo_request);
        ours.to().reset();
        one.run();
        BOOST_TEST(!*one.ended);
        BOOST_TEST(what_is(STDIN_FILENO) == input); // before the session has gone
        BOOST_TEST(what_is(STDOUT_FILENO) == output);
        char reply[200];
        const ssize_t count = ::read(ours.from().get(), reply, sizeof reply);
        BOOST_REQUIRE(count > 0);
        BOOST_TEST(std::string(reply, count) == "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":[7]}\n");
    }
}

BOOST_AUTO_TEST_CASE(without_the_guard_the_descriptors_stay)
{
    standard_ends ours(pipe_wire());
    const ino_t output = what_is(STDOUT_FILENO);
    stdio_server one(false);
    BOOST_TEST(what_is(STDOUT_FILENO) == output);
    ours.to().reset();
    one.run();
    BOOST_TEST(!*one.ended);
}

BOOST_AUTO_TEST_CASE(there_is_one_at_a_time)
{
    standard_ends ours(pipe_wire());
    asio::io_context context;
    {
        const stdio_stream first(context.get_executor());
        BOOST_CHECK_THROW(stdio_stream(context.get_executor()), std::logic_error);
        BOOST_CHECK_THROW(run_stdio(method_table()), std::logic_error);
    }
    stdio_stream next(context.get_executor());
    stdio_stream moved = std::move(next);
    BOOST_CHECK_THROW(session(std::move(next), method_table()), std::logic_error);
}

BOOST_AUTO_TEST_CASE(after_its_end_they_are_the_process_own_again)
{
    standard_ends ours(pipe_wire());
    ours.to().reset();
    {
        stdio_server one;
        one.run();
        BOOST_CHECK_NO_THROW(stdio_stream(one.context.get_executor())); // though the session is there
        ::fcntl(STDOUT_FILENO, F_SETFL, O_NONBLOCK);
    }
    BOOST_TEST((::fcntl(STDOUT_FILENO, F_GETFL) & O_NONBLOCK) != 0); // what was set since stays
}

BOOST_AUTO_TEST_CASE(a_reader_that_has_gone_ends_the_session_and_not_the_process)
{
    for (wire (*make)() : {pipe_wire, socket_wire}) {
        standard_ends ours(make());
        stdio_server one;
        ours.from().reset();
        write_all(ours.to().get(), echo_request);
        one.run();
        BOOST_TEST(*one.ended == make_error_code(errc::peer_gone));
    }
}

BOOST_AUTO_TEST_CASE(output_that_is_closed_is_a_peer_that_has_gone)
{
    standard_ends ours(pipe_wire());
    ::close(STDOUT_FILENO);
    stdio_server one;
    write_all(ours.to().get(), echo_request);
    one.run();
    BOOST_TEST(*one.ended == make_error_code(errc::peer_gone));
}

BOOST_AUTO_TEST_CASE(it_tells_whether_input_is_a_file)
{
    standard_ends ours(pipe_wire());
    asio::io_context context;
    BOOST_TEST(!stdio_stream(context.get_executor()).is_input_file());
    const unique_fd file = make_memory_file();
    ::dup2(file.get(), STDIN_FILENO);
    BOOST_TEST(stdio_stream(context.get_executor()).is_input_file());
}

BOOST_AUTO_TEST_SUITE_END()
