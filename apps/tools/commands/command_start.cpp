#include "command_start.hpp"

#include "command_line/descriptor_limit.hpp"
#include "command_line/with_users_signals.hpp"
#include "tools/tool_error.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <new>
#include <utility>

#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>

namespace tools {
namespace {

// They fail for want of memory only.
void check_plan(int failed)
{
    if (failed != 0)
        throw std::bad_alloc();
}

// What happens between the birth of the process and its program's first step.
class start_plan {
public:
    start_plan(int folder, int output)
    {
        check_plan(::posix_spawn_file_actions_init(&actions_));
        check_plan(::posix_spawnattr_init(&attributes_));
        check_plan(::posix_spawn_file_actions_addfchdir_np(&actions_, folder));
        check_plan(::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0));
        check_plan(::posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO));
        check_plan(::posix_spawn_file_actions_adddup2(&actions_, output, STDERR_FILENO));
        check_plan(::posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1));
        set_signals();
    }
    start_plan(const start_plan&) = delete;
    start_plan& operator=(const start_plan&) = delete;
    ~start_plan()
    {
        ::posix_spawnattr_destroy(&attributes_);
        ::posix_spawn_file_actions_destroy(&actions_);
    }

    int run(pid_t& pid, const std::string& program, char* const* words) const
    {
        int failed = 0;
        command_line::with_users_signals(
            [&] { failed = ::posix_spawn(&pid, program.c_str(), &actions_, &attributes_, words, environ); });
        if (failed == 0)
            command_line::restore_descriptor_limit(pid);
        return failed;
    }

private:
    void set_signals()
    {
        sigset_t signals;
        ::sigemptyset(&signals);
        ::posix_spawnattr_setsigmask(&attributes_, &signals);
        ::sigfillset(&signals);
        ::sigdelset(&signals, SIGHUP); // nohup is meant for all who come after
        ::posix_spawnattr_setsigdefault(&attributes_, &signals);
        ::posix_spawnattr_setpgroup(&attributes_, 0);
        ::posix_spawnattr_setflags(&attributes_,
                                   POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    }

    posix_spawn_file_actions_t actions_;
    posix_spawnattr_t attributes_;
};

struct output_pipe {
    descriptor read;
    descriptor write;
};

// Above 2: the child's numbers 0 to 2 are given away before they are copied.
descriptor above_standard(descriptor low)
{
    descriptor high(::fcntl(low.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    if (!high)
        throw_failure("cannot make a pipe", errno);
    return high;
}

output_pipe make_output_pipe()
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        throw_failure("cannot make a pipe", errno);
    descriptor read(ends[0]);
    descriptor write(ends[1]);
    return {above_standard(std::move(read)), above_standard(std::move(write))};
}

pid_t spawn_command(const std::string& program, std::vector<std::string>& words, const start_plan& plan)
{
    std::vector<char*> pointers;
    for (std::string& word : words) {
        if (word.find('\0') != word.npos)
            throw tool_error("no argument of a command has a zero byte: " + in_quotes(word));
        pointers.push_back(word.data());
    }
    pointers.push_back(nullptr);
    pid_t pid = -1;
    if (const int failed = plan.run(pid, program, pointers.data()))
        throw_failure("cannot start " + in_quotes(words.front()), failed);
    return pid;
}

// Without it nobody would tell us of the end.
descriptor open_end(pid_t leader)
{
    descriptor end(static_cast<int>(::syscall(SYS_pidfd_open, leader, 0)));
    if (!end)
        throw_failure("cannot see when a command ends", errno);
    return end;
}

} // namespace

started_command start_command(const std::string& program, std::vector<std::string> words, int folder)
{
    output_pipe output = make_output_pipe();
    const start_plan plan(folder, output.write.get());
    const pid_t leader = spawn_command(program, words, plan);
    command_group group(leader);
    return {std::move(group), std::move(output.read), open_end(leader)};
}

} // namespace tools
