#include "support/child_fixture.hpp"
#include "support/descriptors.hpp"
#include "transport/platform/spawn_apart.hpp"

#include <boost/test/unit_test.hpp>

#include <cerrno>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

using partyline::test::checked;

namespace {

// A plan whose child writes into a pipe of ours.
struct spawn_apart_fixture {
    spawn_apart_fixture()
    {
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawnattr_init(&attributes);
        ::posix_spawn_file_actions_adddup2(&actions, pipe.write.get(), STDOUT_FILENO);
    }
    ~spawn_apart_fixture()
    {
        ::posix_spawn_file_actions_destroy(&actions);
        ::posix_spawnattr_destroy(&attributes);
        if (pid > 0)
            ::waitpid(pid, nullptr, 0);
    }

    int start(std::string file, std::string argument)
    {
        char* words[] = {file.data(), argument.data(), nullptr};
        const int failed = partyline::spawn_apart(pid, file.c_str(), actions, attributes, words, environ);
        pipe.write = partyline::test::unique_fd();
        return failed;
    }

    std::string read_all() const
    {
        std::string all;
        char room[256];
        while (const ssize_t count = checked(static_cast<int>(::read(pipe.read.get(), room, sizeof room)), "read"))
            all.append(room, static_cast<std::size_t>(count));
        return all;
    }

    partyline::test::pipe_ends pipe = partyline::test::make_pipe();
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    pid_t pid = -1;
};

// By a sandbox that allows neither close_range nor unshare.
bool is_refused(int failed)
{
    return failed == EPERM || failed == ENOSYS;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(spawning_apart, spawn_apart_fixture, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(the_child_has_three_descriptors_and_ours_stay_as_they_are)
{
    const partyline::test::unique_fd leaky(checked(::open("/dev/null", O_RDONLY), "open")); // without close-on-exec
    const int failed = start(partyline::test::odd_child(), "tell_descriptors");
    if (is_refused(failed) || ::access("/proc/thread-self/fd", X_OK) != 0) {
        BOOST_TEST_MESSAGE("left out: a thread can't have descriptors of its own here");
        return;
    }
    BOOST_TEST(failed == 0);
    BOOST_TEST(read_all() == "0 1 2 \n");
    BOOST_TEST(::fcntl(leaky.get(), F_GETFD) == 0);
}

BOOST_AUTO_TEST_CASE(what_it_fails_with_is_told)
{
    const int failed = start("/no/such/file", "");
    BOOST_TEST((failed == ENOENT || is_refused(failed)));
    BOOST_TEST(read_all().empty());
}

BOOST_AUTO_TEST_SUITE_END()
