// A child process for tests, as odd as they come. What it does is its first argument.

#include <partyline/partyline.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <dirent.h>
#include <signal.h>
#include <unistd.h>

namespace {

using words = std::vector<std::string>;

void say(const std::string& line)
{
    std::cout << line << std::endl;
}

[[noreturn]] void wait_for_ever()
{
    for (;;)
        ::pause();
}

int number(const words& arguments, std::size_t index)
{
    return index < arguments.size() ? std::atoi(arguments[index].c_str()) : 0;
}

int exit_at_once(const words& arguments)
{
    return number(arguments, 0);
}

int die(const words& arguments)
{
    ::signal(number(arguments, 0), SIG_DFL);
    ::raise(number(arguments, 0));
    return 0;
}

int echo(const words&)
{
    char room[65536];
    for (ssize_t count; (count = ::read(STDIN_FILENO, room, sizeof room)) > 0;)
        for (ssize_t done = 0; done < count;) {
            const ssize_t sent = ::write(STDOUT_FILENO, room + done, static_cast<std::size_t>(count - done));
            if (sent <= 0)
                return 1;
            done += sent;
        }
    return 0;
}

void say_no(int)
{
    (void)!::write(STDOUT_FILENO, "no\n", 3);
}

// Cares neither for the end of its input nor for SIGTERM, to which it says no.
int stubborn(const words&)
{
    ::signal(SIGTERM, say_no);
    say("ready");
    wait_for_ever();
}

// Leaves at SIGTERM.
int deaf(const words&)
{
    say("ready");
    wait_for_ever();
}

// Leaves at the end of its input, with a status.
int polite(const words& arguments)
{
    say("ready");
    char byte;
    while (::read(STDIN_FILENO, &byte, 1) > 0) {
    }
    return number(arguments, 0);
}

int close_input(const words&)
{
    ::close(STDIN_FILENO);
    say("closed");
    wait_for_ever();
}

int close_output(const words&)
{
    ::close(STDOUT_FILENO);
    wait_for_ever();
}

int rubbish(const words&)
{
    const std::string text("\0\xff\xfe{]\n\n\r\x1b[31m", 13);
    return ::write(STDOUT_FILENO, text.data(), text.size()) > 0 ? 0 : 1;
}

// 16 MiB of lines to standard error, and meanwhile echoes.
int flood(const words& arguments)
{
    std::thread flooding([] {
        const std::string line = std::string(63, 'x') + '\n';
        for (int i = 0; i < 256 * 1024; ++i)
            std::fwrite(line.data(), 1, line.size(), stderr);
    });
    const int result = echo(arguments);
    flooding.join();
    std::fprintf(stderr, "last words\n");
    return result;
}

// Says its words on standard error and ends with a status.
int complain(const words& arguments)
{
    for (std::size_t i = 1; i < arguments.size(); ++i)
        std::cerr << arguments[i];
    return number(arguments, 0);
}

// The second one is obeyed.
struct sigaction no_once()
{
    struct sigaction action{};
    action.sa_handler = say_no;
    action.sa_flags = SA_RESETHAND;
    return action;
}

// Leaves a child of its own behind, which holds the pipes; says its number. "free": that has left the group.
// "stubborn": it says no to the first SIGTERM. "chatty": it never stops writing. "waiting": this one doesn't leave.
int have_child(const words& arguments)
{
    const auto is = [&](const char* what) {
        return std::find(arguments.begin(), arguments.end(), what) != arguments.end();
    };
    int ready[2];
    int go[2];
    if (::pipe(ready) != 0 || ::pipe(go) != 0)
        return 1;
    const struct sigaction once = no_once();
    char byte;
    const pid_t child = ::fork();
    if (child == 0) {
        ::alarm(60); // in case that the test forgets it
        if (is("free"))
            ::setsid();
        if (is("stubborn"))
            ::sigaction(SIGTERM, &once, nullptr);
        ::close(ready[0]);
        ::close(ready[1]);
        ::close(go[1]);
        while (::read(go[0], &byte, 1) > 0) {
        }
        while (is("chatty"))
            if (::write(STDOUT_FILENO, "chatter\n", 8) < 0)
                ::_exit(0);
        wait_for_ever();
    }
    ::close(ready[1]);
    while (::read(ready[0], &byte, 1) > 0) {
    }
    say(std::to_string(child));
    ::close(go[1]);
    if (is("waiting"))
        wait_for_ever();
    return 7;
}

int tell_environment(const words&)
{
    words all;
    for (char** entry = environ; *entry; ++entry)
        all.push_back(*entry);
    std::sort(all.begin(), all.end());
    for (const std::string& entry : all)
        say(entry);
    return 0;
}

int tell_directory(const words&)
{
    char path[4096];
    say(::getcwd(path, sizeof path) ? path : "?");
    return 0;
}

int tell_descriptors(const words&)
{
    std::vector<int> open;
    DIR* const list = ::opendir("/proc/self/fd");
    while (const dirent* const entry = ::readdir(list))
        if (entry->d_name[0] != '.' && std::atoi(entry->d_name) != ::dirfd(list))
            open.push_back(std::atoi(entry->d_name));
    ::closedir(list);
    std::sort(open.begin(), open.end());
    std::string line;
    for (const int one : open)
        line += std::to_string(one) + ' ';
    say(line);
    return 0;
}

int tell_signals(const words&)
{
    sigset_t blocked;
    ::sigprocmask(SIG_SETMASK, nullptr, &blocked);
    for (int signal = 1; signal < 32; ++signal) {
        struct sigaction action;
        if (::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN)
            say("ignores " + std::to_string(signal));
        if (::sigismember(&blocked, signal) == 1)
            say("blocks " + std::to_string(signal));
    }
    say(::getpgrp() == ::getpid() ? "leads its group" : "is led");
    return 0;
}

int tell_arguments(const words& arguments)
{
    for (const std::string& word : arguments)
        say('[' + word + ']');
    return 0;
}

// A server: "die" says its last words and leaves calls unanswered.
int serve(const words& arguments)
{
    partyline::method_table methods;
    methods.add("echo", [](boost::json::value params) { return params; });
    methods.add("die", [status = number(arguments, 0)] {
        std::cerr << "last words\n";
        ::_exit(status);
    });
    return partyline::run_stdio(std::move(methods));
}

const std::map<std::string, int (*)(const words&)> modes{
    {"exit", exit_at_once},
    {"die", die},
    {"echo", echo},
    {"stubborn", stubborn},
    {"deaf", deaf},
    {"polite", polite},
    {"close_input", close_input},
    {"close_output", close_output},
    {"rubbish", rubbish},
    {"serve", serve},
    {"flood", flood},
    {"complain", complain},
    {"have_child", have_child},
    {"tell_environment", tell_environment},
    {"tell_directory", tell_directory},
    {"tell_descriptors", tell_descriptors},
    {"tell_signals", tell_signals},
    {"tell_arguments", tell_arguments},
};

} // namespace

int main(int argc, char** argv)
{
    words arguments(argv + 1, argv + argc);
    const auto mode = modes.find(arguments.empty() ? "" : arguments.front());
    if (mode == modes.end())
        return 2;
    arguments.erase(arguments.begin());
    return mode->second(arguments);
}
