// What the service manager is told, by a socket as systemd's.

#include "served_program.hpp"
#include "support/descriptors.hpp"
#include "support/line_reader.hpp"
#include "support/scratch_directory.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

using namespace partyline::test;

namespace {

// Bound to a path, or to "@" and a name in the abstract namespace.
class notify_socket {
public:
    explicit notify_socket(std::string address) : address_(std::move(address))
    {
        fd_ = unique_fd(checked(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0), "socket"));
        sockaddr_un to{};
        to.sun_family = AF_UNIX;
        std::copy(address_.begin(), address_.end(), to.sun_path);
        const bool is_abstract = address_.front() == '@';
        if (is_abstract)
            to.sun_path[0] = '\0';
        const std::size_t bytes = offsetof(sockaddr_un, sun_path) + address_.size() + (is_abstract ? 0 : 1);
        checked(::bind(fd_.get(), reinterpret_cast<sockaddr*>(&to), static_cast<socklen_t>(bytes)), "bind");
        const timeval longest{patience.count() / 1000, 0};
        checked(::setsockopt(fd_.get(), SOL_SOCKET, SO_RCVTIMEO, &longest, sizeof longest), "SO_RCVTIMEO");
    }

    std::string variable() const { return "NOTIFY_SOCKET=" + address_; }
    std::string next()
    {
        char text[1024];
        const auto count = ::recv(fd_.get(), text, sizeof text, 0);
        return count < 0 ? "(nothing)" : std::string(text, static_cast<std::size_t>(count));
    }
    // The next one that says something else.
    std::string next_but(std::string_view other)
    {
        std::string said = next();
        while (said == other)
            said = next();
        return said;
    }

private:
    std::string address_;
    unique_fd fd_;
};

const std::string env = "/usr/bin/env";

std::string abstract_name()
{
    return "@partyline-test-" + std::to_string(::getpid());
}

} // namespace

BOOST_AUTO_TEST_SUITE(service_managers, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(are_told_when_a_program_listens_reloads_and_stops)
{
    for (const service_program& each : all_programs()) {
        BOOST_TEST_CONTEXT(each.name())
        {
            const scratch_directory scratch;
            notify_socket manager((scratch / "notify").string());
            served_program s(env, {manager.variable()}, each, {});
            BOOST_TEST(manager.next() == "READY=1");
            s.process().signal(SIGHUP);
            BOOST_TEST(manager.next().starts_with("RELOADING=1\nMONOTONIC_USEC="));
            BOOST_TEST(manager.next() == "READY=1");
            s.process().signal(SIGTERM);
            BOOST_TEST(manager.next() == "STOPPING=1");
            BOOST_TEST(s.process().wait_exit() == each.end_code);
        }
    }
}

BOOST_AUTO_TEST_CASE(are_reached_in_the_abstract_namespace)
{
    notify_socket manager(abstract_name());
    served_program s(env, {manager.variable()}, http_programs().front(), {});
    BOOST_TEST(manager.next() == "READY=1");
}

BOOST_AUTO_TEST_CASE(are_told_by_sessions_on_sockets_too)
{
    const scratch_directory scratch;
    notify_socket manager((scratch / "notify").string());
    pipe_ends errors = make_pipe();
    child_process s(env, {manager.variable(), PARTYLINE_ECHO, "--unix", (scratch / "socket").string()},
                    {-1, -1, errors.write.get()});
    BOOST_TEST(manager.next() == "READY=1");
    s.signal(SIGHUP);
    BOOST_TEST(manager.next().starts_with("RELOADING=1\n"));
    BOOST_TEST(manager.next() == "READY=1");
    s.signal(SIGTERM);
    BOOST_TEST(manager.next() == "STOPPING=1");
    BOOST_TEST(s.wait_exit() == 128 + SIGTERM);
}

BOOST_AUTO_TEST_CASE(that_watch_are_told_by_and_by_that_the_loop_runs)
{
    for (const service_program& each : all_programs()) {
        BOOST_TEST_CONTEXT(each.name())
        {
            const scratch_directory scratch;
            notify_socket manager((scratch / "notify").string());
            served_program s(env, {manager.variable(), "WATCHDOG_USEC=20000"}, each, {});
            BOOST_TEST(manager.next() == "READY=1");
            for (int i = 0; i < 5; ++i)
                BOOST_TEST(manager.next() == "WATCHDOG=1");
            s.process().signal(SIGTERM);
            BOOST_TEST(manager.next_but("WATCHDOG=1") == "STOPPING=1");
            BOOST_TEST(s.process().wait_exit() == each.end_code);
        }
    }
}

BOOST_AUTO_TEST_CASE(that_watch_another_process_are_told_nothing_of_this_one)
{
    const scratch_directory scratch;
    notify_socket manager((scratch / "notify").string());
    served_program s(env, {manager.variable(), "WATCHDOG_USEC=2000", "WATCHDOG_PID=1"}, http_programs().front(), {});
    BOOST_TEST(manager.next() == "READY=1");
    for (int i = 0; i < 100; ++i)
        s.ask_for(i);
    s.process().signal(SIGTERM);
    BOOST_TEST(manager.next() == "STOPPING=1");
}

BOOST_AUTO_TEST_CASE(are_not_told_by_programs_that_cannot_listen)
{
    const scratch_directory scratch;
    notify_socket manager((scratch / "notify").string());
    served_program first(http_programs().front(), {});
    pipe_ends errors = make_pipe();
    child_process second(env, {manager.variable(), PARTYLINE_ECHO, "--http", std::to_string(first.port())},
                         {-1, -1, errors.write.get()});
    BOOST_TEST(second.wait_exit() == 3);
    served_program third(env, {manager.variable()}, http_programs().front(), {});
    BOOST_TEST(manager.next() == "READY=1"); // of the third one
    BOOST_TEST(third.end() == 128 + SIGTERM);
    BOOST_TEST(manager.next() == "STOPPING=1");
}

BOOST_AUTO_TEST_CASE(that_read_nothing_make_no_program_wait)
{
    const scratch_directory scratch;
    notify_socket manager((scratch / "notify").string());
    served_program s(env, {manager.variable(), "WATCHDOG_USEC=2000"}, http_programs().front(), {});
    for (int i = 0; i < 50; ++i) {
        s.process().signal(SIGHUP);
        s.ask_for(i);
    }
    BOOST_TEST(s.end() == 128 + SIGTERM);
    BOOST_TEST(manager.next() == "READY=1");
}

BOOST_AUTO_TEST_CASE(that_are_not_there_are_complained_about_once)
{
    const scratch_directory scratch;
    const std::string nowhere = (scratch / "nowhere").string();
    served_program s(env, {"NOTIFY_SOCKET=" + nowhere}, http_programs().front(), {});
    s.process().signal(SIGHUP);
    s.ask_for(1);
    BOOST_TEST(s.end() == 128 + SIGTERM);
    BOOST_TEST(s.said_rest() ==
               "partyline-echo: the service manager can't be told anything: No such file or directory\n");
}

BOOST_AUTO_TEST_CASE(that_are_named_wrongly_are_complained_about_once)
{
    const scratch_directory scratch;
    const notify_socket manager((scratch / "notify").string());
    const std::string told = "partyline-echo: the service manager can't be told anything: ";
    const std::string watched = "partyline-echo: the service manager does not watch this program: ";
    const std::string no_path = "NOTIFY_SOCKET is neither a path that begins with / nor a name that begins with @\n";
    for (const auto& [variables, said] :
         {std::pair(words{"NOTIFY_SOCKET=notify", "WATCHDOG_USEC=soon"}, told + no_path),
          std::pair(words{"NOTIFY_SOCKET=/" + std::string(200, 'x')}, told + "NOTIFY_SOCKET is too long\n"),
          std::pair(words{manager.variable(), "WATCHDOG_USEC=soon"}, watched + "WATCHDOG_USEC is no time\n"),
          std::pair(words{manager.variable(), "WATCHDOG_USEC=0"}, watched + "WATCHDOG_USEC is no time\n"),
          std::pair(words{manager.variable(), "WATCHDOG_USEC=1000", "WATCHDOG_PID=me"},
                    watched + "WATCHDOG_PID is no number\n"),
          std::pair(words{manager.variable(), "WATCHDOG_USEC=soon", "WATCHDOG_PID=1"}, std::string())}) {
        pipe_ends errors = make_pipe();
        words command = variables;
        command.insert(command.end(), {PARTYLINE_ECHO, "--unix", (scratch / "socket").string()});
        child_process s(env, command, {-1, -1, errors.write.get()});
        errors.write.reset();
        line_reader lines(std::move(errors.read));
        if (!said.empty())
            BOOST_TEST(lines.read_line().value_or("(end)") + '\n' == said);
        BOOST_TEST(lines.read_line().value_or("(end)").starts_with("listening on "));
        s.signal(SIGHUP);
        s.signal(SIGTERM);
        BOOST_TEST(s.wait_exit() == 128 + SIGTERM);
        BOOST_TEST(lines.read_rest() == "");
    }
}

BOOST_AUTO_TEST_CASE(are_told_of_an_end_that_nobody_has_asked_for)
{
    const scratch_directory scratch;
    notify_socket manager((scratch / "notify").string());
    const std::string program = (scratch / "server").string();
    std::filesystem::create_symlink(PARTYLINE_ECHO, program);
    const service_program gateway{PARTYLINE_GATEWAY, {"--http", "0"}, {"--retry-after", "0", "--", program}};
    served_program s(env, {manager.variable()}, gateway, {});
    BOOST_TEST(manager.next() == "READY=1");
    std::filesystem::remove(program);
    s.client().post("/rpc", R"({"jsonrpc":"2.0","id":1,"method":"echo"})");
    BOOST_TEST(manager.next() == "STOPPING=1");
    BOOST_TEST(s.process().wait_exit() == 3);
}

BOOST_AUTO_TEST_CASE(are_none_of_the_business_of_child_processes)
{
    const scratch_directory scratch;
    notify_socket manager((scratch / "notify").string());
    const std::string server = "env | grep -e NOTIFY_SOCKET -e WATCHDOG >&2; echo looked >&2; exec \"$0\"";
    const service_program gateway{PARTYLINE_GATEWAY, {"--http", "0"}, {"--", "/bin/sh", "-c", server, PARTYLINE_ECHO}};
    served_program s(env, {manager.variable(), "WATCHDOG_USEC=60000000"}, gateway, {});
    BOOST_TEST(s.client().ask("/rpc", R"({"jsonrpc":"2.0","id":1,"method":"echo"})").status == 200);
    BOOST_TEST(s.said_next() == "partyline-gateway: server: looked");
}

BOOST_AUTO_TEST_SUITE_END()
