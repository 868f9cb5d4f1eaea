#include "child_process.hpp"

#include "descriptors.hpp"
#include "readiness.hpp"
#include "test_threads.hpp"

#include <array>
#include <fstream>
#include <stdexcept>

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

namespace partyline::test {

namespace {

std::chrono::nanoseconds to_duration(const timeval& time)
{
    return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

// Between vfork and exec, in the memory of the parent, which waits: nothing that allocates, locks or writes there.
void place(int fd, int number)
{
    if (fd < 0)
        ::close(number);
    else
        ::dup2(fd, number);
}

[[noreturn]] void become(const char* program, char* const* arguments, child_stdio stdio)
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int number : {SIGPIPE, SIGHUP, SIGINT, SIGTERM, SIGCHLD, SIGALRM})
        ::signal(number, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    // A session of its own: a terminal it opens carelessly would become its controlling one, and hang it up.
    ::setsid();
    place(stdio.in, 0);
    place(stdio.out, 1);
    place(stdio.err, 2);
    ::syscall(SYS_close_range, 3U, ~0U, 0U);
    ::execv(program, arguments);
    ::_exit(127);
}

} // namespace

child_process::child_process(const std::string& program, const std::vector<std::string>& arguments, child_stdio stdio)
{
    std::vector<std::string> words = by_test_threads(program, arguments);
    words.insert(words.begin(), program);
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);

    // Not fork(): the time until the child runs is not to depend on how much memory this process has, for
    // partyline-bench.
    pid_ = checked(::vfork(), "vfork");
    if (pid_ == 0)
        become(program.c_str(), pointers.data(), stdio);
    pidfd_ = unique_fd(checked(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)), "pidfd_open"));
}

child_process::~child_process()
{
    if (has_exited())
        return;
    ::kill(pid_, SIGKILL);
    exits_within(patience);
}

void child_process::signal(int number) const
{
    checked(::kill(pid_, number), "kill");
}

int child_process::wait_exit()
{
    if (!exits_within(patience))
        throw std::runtime_error("the child still runs");
    return *status_;
}

bool child_process::exits_within(std::chrono::milliseconds time)
{
    if (status_)
        return true;
    if (!is_ready(pidfd_.get(), POLLIN, time))
        return false;
    int status = 0;
    rusage used{};
    checked(::wait4(pid_, &status, 0, &used), "wait4");
    total_cpu_time_ = to_duration(used.ru_utime) + to_duration(used.ru_stime);
    status_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return true;
}

std::size_t child_process::resident_bytes() const
{
    std::ifstream statm("/proc/" + std::to_string(pid_) + "/statm");
    std::size_t total = 0;
    std::size_t resident = 0;
    statm >> total >> resident;
    return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

std::size_t child_process::peak_resident_bytes() const
{
    std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
    for (std::string word; status >> word;) {
        std::size_t kibibytes = 0;
        if (word == "VmHWM:" && status >> kibibytes)
            return kibibytes * 1024;
    }
    throw std::runtime_error("the system does not tell the peak of a process's memory");
}

} // namespace partyline::test
