#include "transport/child/child_start.hpp"

#include "transport/child/child_descriptors.hpp"
#include "transport/child/child_environment.hpp"
#include "transport/child/spawn_plan.hpp"
#include "transport/platform/descriptors.hpp"

#include <boost/system/system_error.hpp>

#include <cerrno>
#include <stdexcept>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace partyline {
namespace {

class start_failure final : public boost::system::system_error {
public:
    start_failure(int code, const std::string& text)
        : system_error(code, boost::system::system_category()), text_(text + ": " + this->code().message())
    {
    }

    const char* what() const noexcept override { return text_.c_str(); } // and no "[system:2]"

private:
    std::string text_;
};

void check_words(const std::vector<std::string>& command)
{
    if (command.empty() || command.front().empty())
        throw std::invalid_argument("a child process needs a command");
    for (const std::string& word : command)
        if (word.find('\0') != word.npos)
            throw std::invalid_argument("no word of a command has a zero byte: '" + command.front() + "'");
}

// Before the start: afterwards nobody could tell a missing directory from a missing program.
void check_directory(const std::string& directory, const std::string& program)
{
    if (!directory.empty() && ::access((directory + "/.").c_str(), X_OK) != 0)
        throw start_failure(errno, "cannot start '" + program + "' in '" + directory + "'");
}

// Where it fails, the end of the process is looked for in other ways.
owned_descriptor open_end(pid_t pid)
{
    const owned_descriptor end = open_process_end(pid);
    return owned_descriptor(::fcntl(end.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

// Like execvp: what can't be run is passed over, and told only if nothing else is found. `run` returns an errno or 0.
template <class Run>
int find_first(const std::vector<std::string>& places, Run run)
{
    int failed = ENOENT;
    for (const std::string& file : places) {
        const int why = run(file);
        if (why == 0)
            return 0;
        if (why == ENOENT || why == ENOTDIR)
            continue;
        failed = why;
        if (why != EACCES)
            break;
    }
    return failed;
}

int why_not_runnable(const std::string& file)
{
    struct stat known{};
    if (::stat(file.c_str(), &known) != 0)
        return errno;
    if (!S_ISREG(known.st_mode))
        return EACCES;
    return ::faccessat(AT_FDCWD, file.c_str(), X_OK, AT_EACCESS) == 0 ? 0 : errno;
}

pid_t spawn(std::vector<std::string>& command, child_environment& environment, const spawn_plan& plan)
{
    std::vector<char*> words;
    words.reserve(command.size() + 1);
    for (std::string& word : command)
        words.push_back(word.data());
    words.push_back(nullptr);
    const std::vector<char*> variables = environment.pointers();
    pid_t pid = -1;
    const int failed = find_first(environment.places_of(command.front()), [&](const std::string& file) {
        return plan.run(pid, file, words.data(), variables.data());
    });
    if (failed != 0)
        throw boost::system::system_error(failed, boost::system::system_category());
    return pid;
}

} // namespace

void check_child(const std::vector<std::string>& command, const child_options& options)
{
    check_words(command);
    const child_environment environment(options);
}

error_code check_file(const std::vector<std::string>& command, const child_options& options)
{
    check_words(command);
    const std::string& directory = options.working_directory;
    const int failed = find_first(child_environment(options).places_of(command.front()), [&](const std::string& file) {
        return why_not_runnable(file.starts_with('/') || directory.empty() ? file : directory + '/' + file);
    });
    return {failed, boost::system::system_category()};
}

started_child start_child(std::vector<std::string> command, const child_options& options)
{
    check_words(command);
    check_directory(options.working_directory, command.front());
    child_environment environment(options);
    try {
        spawn_plan plan;
        child_descriptors descriptors(options, plan);
        if (!options.working_directory.empty())
            plan.enter(options.working_directory);
        plan.close_others();
        const pid_t pid = spawn(command, environment, plan);
        return {process_group(pid), std::move(descriptors.input), std::move(descriptors.output),
                std::move(descriptors.errors), open_end(pid)};
    } catch (const boost::system::system_error& failed) {
        throw start_failure(failed.code().value(), "cannot start '" + command.front() + "'");
    }
}

} // namespace partyline
