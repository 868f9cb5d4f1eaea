#include "support/child_fixture.hpp"
#include "support/descriptors.hpp"
#include "support/scratch_directory.hpp"

#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <cerrno>
#include <stdexcept>

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>

namespace asio = boost::asio;
using partyline::child_channel;
using partyline::child_options;
using partyline::child_process;
using partyline::child_stderr;
using partyline::test::checked;

namespace {

struct fixture : partyline::test::child_fixture {
    // What is thrown when it is started.
    std::string refusal(std::vector<std::string> command, child_options options = {})
    {
        try {
            child_process(context.get_executor(), std::move(command), std::move(options));
        } catch (const boost::system::system_error& failed) {
            return failed.what();
        }
        return "started";
    }

    std::string told(std::vector<std::string> arguments, child_options options = {})
    {
        child_process child = start(std::move(arguments), std::move(options));
        return read_all(child);
    }
};

// Takes a standard descriptor away for a while.
class closed_descriptor {
public:
    explicit closed_descriptor(int number) : number_(number), kept_(partyline::test::duplicate(number))
    {
        ::close(number_);
    }
    ~closed_descriptor() { ::dup2(kept_.get(), number_); }
    closed_descriptor(const closed_descriptor&) = delete;
    closed_descriptor& operator=(const closed_descriptor&) = delete;

private:
    int number_;
    partyline::test::unique_fd kept_;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(child_start_suite, fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(what_cannot_be_started_is_named_with_the_reason)
{
    const partyline::test::scratch_directory scratch;
    const std::string plain = (scratch / "plain").string();
    partyline::test::write_file(plain, "no program");
    const std::string broken = (scratch / "broken").string();
    partyline::test::write_file(broken, "no program either");
    checked(::chmod(broken.c_str(), 0755), "chmod");

    BOOST_TEST(refusal({"nosuch"}) == "cannot start 'nosuch': No such file or directory");
    BOOST_TEST(refusal({"/no/such"}) == "cannot start '/no/such': No such file or directory");
    BOOST_TEST(refusal({plain}) == "cannot start '" + plain + "': Permission denied");
    BOOST_TEST(refusal({broken}) == "cannot start '" + broken + "': Exec format error");
    BOOST_TEST(refusal({"/"}) == "cannot start '/': Permission denied");
    child_options elsewhere;
    elsewhere.working_directory = "/no/where";
    BOOST_TEST(refusal({"true"}, elsewhere) == "cannot start 'true' in '/no/where': No such file or directory");
    elsewhere.working_directory = plain;
    BOOST_TEST(refusal({"true"}, elsewhere) == "cannot start 'true' in '" + plain + "': Not a directory");
    BOOST_TEST(!partyline::test::has_children());
}

BOOST_AUTO_TEST_CASE(whether_it_can_be_started_is_known_before)
{
    const partyline::test::scratch_directory scratch;
    partyline::test::write_file(scratch / "plain", "no program");
    checked(::symlink(partyline::test::odd_child().c_str(), (scratch / "here").c_str()), "symlink");
    const auto told = [](const std::string& program, const child_options& options = {}) {
        return child_process::check({program}, options).value();
    };
    BOOST_TEST(told("nosuch") == ENOENT);
    BOOST_TEST(told("/no/such") == ENOENT);
    BOOST_TEST(told("/") == EACCES);
    BOOST_TEST(told((scratch / "plain").string()) == EACCES);
    BOOST_TEST(told("sh") == 0);
    child_options options;
    options.working_directory = (scratch / ".").string();
    BOOST_TEST(told("./here", options) == 0);
    BOOST_TEST(told("here", options) == ENOENT);
    options.variables["PATH"] = (scratch / "none").string() + "::.:" + (scratch / ".").string();
    BOOST_TEST(told("plain", options) == EACCES);
    BOOST_TEST(told("here", options) == 0);
    BOOST_CHECK_THROW(told(""), std::invalid_argument);
    BOOST_TEST(!partyline::test::has_children());
}

BOOST_AUTO_TEST_CASE(what_cannot_be_a_command_is_misuse)
{
    BOOST_CHECK_THROW(refusal({}), std::invalid_argument);
    BOOST_CHECK_THROW(refusal({""}), std::invalid_argument);
    BOOST_CHECK_THROW(refusal({"true", std::string("a\0b", 3)}), std::invalid_argument);
    child_options options;
    options.variables = {{"A=B", "1"}};
    BOOST_CHECK_THROW(refusal({"true"}, options), std::invalid_argument);
    options.variables = {{"", "1"}};
    BOOST_CHECK_THROW(refusal({"true"}, options), std::invalid_argument);
    options.variables = {{"A", std::string("\0", 1)}};
    BOOST_CHECK_THROW(refusal({"true"}, options), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(nothing_stays_open_when_it_cannot_be_started)
{
    refusal({"nosuch"});
    const std::size_t before = partyline::test::count_descriptors();
    child_options captured;
    captured.errors = child_stderr::capture;
    for (const auto channel : {child_channel::pipes, child_channel::socket_pair}) {
        captured.channel = channel;
        refusal({"nosuch"}, captured);
    }
    BOOST_TEST(partyline::test::count_descriptors() == before);
}

BOOST_AUTO_TEST_CASE(arguments_come_as_they_are)
{
    BOOST_TEST(told({"tell_arguments", "", "a b", "$HOME *", "\xff\n"}) == "[]\n[a b]\n[$HOME *]\n[\xff\n]\n");
}

BOOST_AUTO_TEST_CASE(the_environment_is_ours_or_a_part_of_it_or_none_and_what_is_added)
{
    checked(::setenv("PARTYLINE_ONE", "1", 1), "setenv");
    checked(::setenv("PARTYLINE_OTHER", "2", 1), "setenv");
    child_options options;
    options.variables = {{"PARTYLINE_OTHER", "other"}, {"PARTYLINE_NEW", "a=b"}};
    const std::string all = told({"tell_environment"}, options);
    BOOST_TEST(all.find("PATH=") != all.npos);
    BOOST_TEST(all.find("PARTYLINE_NEW=a=b\nPARTYLINE_ONE=1\nPARTYLINE_OTHER=other\n") != all.npos);

    options.inherited_variables = {"PARTYLINE_ONE", "PARTYLINE_OTHER", "PARTYLINE_NOT_THERE"};
    BOOST_TEST(told({"tell_environment"}, options) == "PARTYLINE_NEW=a=b\nPARTYLINE_ONE=1\nPARTYLINE_OTHER=other\n");
    options.inherited_variables.emplace();
    BOOST_TEST(told({"tell_environment"}, options) == "PARTYLINE_NEW=a=b\nPARTYLINE_OTHER=other\n");
    options.variables.clear();
    BOOST_TEST(told({"tell_environment"}, options) == "");
}

BOOST_AUTO_TEST_CASE(a_program_is_looked_for_in_the_path_that_the_child_gets)
{
    const partyline::test::scratch_directory scratch;
    checked(::mkdir((scratch / "first").c_str(), 0700), "mkdir");
    checked(::mkdir((scratch / "second").c_str(), 0700), "mkdir");
    partyline::test::write_file(scratch / "first/odd", "can't be run");
    checked(::symlink(partyline::test::odd_child().c_str(), (scratch / "second/odd").c_str()), "symlink");
    child_options options;
    options.inherited_variables.emplace();
    options.variables["PATH"] = (scratch / "none").string() + "::.:" + (scratch / "first").string();
    options.working_directory = (scratch / "second").string(); // which "." is then
    BOOST_TEST(refusal({"odd"}, options) == "cannot start 'odd': Permission denied");
    options.working_directory.clear();
    options.variables["PATH"] += ':' + (scratch / "second").string();
    child_process found(context.get_executor(), {"odd", "tell_arguments", "x"}, options);
    BOOST_TEST(read_all(found) == "[x]\n");

    options.variables.clear(); // so it is in ours
    child_process ours(context.get_executor(), {"sh", "-c", "echo found"}, options);
    BOOST_TEST(read_all(ours) == "found\n");
}

BOOST_AUTO_TEST_CASE(it_starts_in_its_working_directory)
{
    const partyline::test::scratch_directory scratch;
    const std::string path = std::filesystem::canonical(scratch / ".").string();
    child_options options;
    options.working_directory = path;
    BOOST_TEST(told({"tell_directory"}, options) == path + '\n');
    checked(::symlink(partyline::test::odd_child().c_str(), (scratch / "here").c_str()), "symlink");
    child_process relative(context.get_executor(), {"./here", "tell_directory"}, options);
    BOOST_TEST(read_all(relative) == path + '\n');
}

// rule: security.descriptors.children
BOOST_AUTO_TEST_CASE(it_has_three_descriptors_whatever_we_have_open)
{
    std::vector<partyline::test::unique_fd> leaky; // without close-on-exec
    for (int i = 0; i < 200; ++i)
        leaky.emplace_back(checked(::open("/dev/null", O_RDONLY), "open"));
    checked(::dup2(leaky.back().get(), 900), "dup2");
    leaky.emplace_back(900);
    for (const auto channel : {child_channel::pipes, child_channel::socket_pair})
        for (const auto errors : {child_stderr::pass_on, child_stderr::capture, child_stderr::drop}) {
            child_options options;
            options.channel = channel;
            options.errors = errors;
            BOOST_TEST(told({"tell_descriptors"}, options) == "0 1 2 \n");
        }
}

BOOST_AUTO_TEST_CASE(our_own_standard_descriptors_may_be_closed)
{
    wait_exit(start({"exit"})); // now the context has the descriptors that it needs
    std::vector<std::string> said;
    for (const auto channel : {child_channel::pipes, child_channel::socket_pair}) {
        const closed_descriptor input(0);
        const closed_descriptor output(1);
        const closed_descriptor errors(2);
        child_options options;
        options.channel = channel;
        said.push_back(told({"tell_descriptors"}, options));
        child_process echo = start({"echo"}, options);
        // Nothing of ours has taken their place: a stray print would go there.
        const bool is_free = ::fcntl(0, F_GETFD) < 0 && ::fcntl(1, F_GETFD) < 0 && ::fcntl(2, F_GETFD) < 0;
        said.push_back(is_free ? "free" : "taken");
        write_some(echo, "hello");
        echo.close_send();
        said.push_back(read_all(echo));
    }
    const std::vector<std::string> expected{"0 1 2 \n", "free", "hello", "0 1 2 \n", "free", "hello"};
    BOOST_TEST(said == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(it_starts_without_blocked_or_ignored_signals_in_a_group_of_its_own)
{
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    const auto old_pipe = ::signal(SIGPIPE, SIG_IGN);
    const auto old_hangup = ::signal(SIGHUP, SIG_IGN);
    const std::string said = told({"tell_signals"});
    ::signal(SIGPIPE, old_pipe);
    ::signal(SIGHUP, old_hangup);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    // The one that is left is SIGHUP: nohup means all who come after.
    BOOST_TEST(said == "ignores " + std::to_string(SIGHUP) + "\nleads its group\n");
}

// rule: security.descriptors.children
BOOST_AUTO_TEST_CASE(every_descriptor_of_ours_is_closed_on_exec)
{
    std::vector<int> open_before; // whoever runs this may have left some
    for (int fd = 0; fd < 1024; ++fd)
        open_before.push_back(::fcntl(fd, F_GETFD) >= 0);
    child_options captured;
    captured.errors = child_stderr::capture;
    const child_process one = start({"deaf"}, captured);
    captured.channel = child_channel::socket_pair;
    const child_process two = start({"deaf"}, captured);
    int ours = 0;
    for (int fd = 0; fd < 1024; ++fd) {
        const int flags = open_before[static_cast<std::size_t>(fd)] ? -1 : ::fcntl(fd, F_GETFD);
        BOOST_TEST((flags < 0 || (flags & FD_CLOEXEC) != 0));
        ours += flags >= 0;
    }
    BOOST_TEST(ours >= 8);
}

BOOST_AUTO_TEST_SUITE_END()
