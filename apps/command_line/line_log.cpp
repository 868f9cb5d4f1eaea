#include "command_line/line_log.hpp"

#include "command_line/closed_descriptors.hpp"
#include "session/line_output.hpp"
#include "session/redaction.hpp"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <new>
#include <system_error>
#include <utility>

namespace command_line {
namespace {

std::error_code add_line(partyline::line_output& to, std::string_view line) noexcept
try {
    return to.write(std::string(line) + '\n');
} catch (const std::bad_alloc&) {
    return std::make_error_code(std::errc::not_enough_memory);
}

class log_file;

// The signal that has them opened again is the process's, so they are, too.
struct open_files {
    std::mutex mutex;
    std::list<log_file*> all;

    static open_files& instance()
    {
        static open_files& files = *new open_files; // logs may be destroyed later than what is static
        return files;
    }
};

class log_file {
public:
    log_file(const std::string& option, const std::string& path, line_log tell)
        : to_(partyline::open_line_output(path)), name_(option + ' ' + path), tell_(std::move(tell))
    {
        open_files& files = open_files::instance();
        const std::lock_guard<std::mutex> hold(files.mutex);
        files.all.push_back(this);
    }
    ~log_file()
    {
        {
            open_files& files = open_files::instance();
            const std::lock_guard<std::mutex> hold(files.mutex);
            files.all.remove(this);
        }
        const std::uint64_t left = to_->end();
        tell_failure(to_->take_failure());
        if (left != 0)
            tell_problem("lines that could not be written: " + std::to_string(left));
    }
    log_file(const log_file&) = delete;
    log_file& operator=(const log_file&) = delete;

    void add(std::string_view line) noexcept { tell_failure(add_line(*to_, line)); }
    void reopen() noexcept
    {
        has_failed_ = false;
        to_->reopen();
    }

private:
    void tell_failure(const std::error_code& failed) noexcept
    {
        if (failed && !has_failed_.exchange(true))
            tell_problem(failed.message());
    }
    void tell_problem(const std::string& problem) noexcept
    try {
        tell_(name_ + ": " + problem);
    } catch (...) { // nobody can be told
    }

    std::shared_ptr<partyline::line_output> to_;
    std::string name_;
    line_log tell_;
    std::atomic<bool> has_failed_ = false; // since it was opened
};

} // namespace

void say(std::string_view lines) noexcept
try {
    add_line(partyline::standard_error(), partyline::redacted(lines));
} catch (const std::bad_alloc&) { // nobody can be told
}

void say_as_program(std::string_view line) noexcept
try {
    say(std::string(program_invocation_short_name) + ": " + std::string(line));
} catch (const std::bad_alloc&) { // nobody can be told
}

void say_text(std::string_view text) noexcept
try {
    partyline::standard_error().write(text);
} catch (const std::bad_alloc&) { // nobody can be told
}

void say_by_thread() noexcept
try {
    partyline::standard_error().allow_thread();
} catch (const std::bad_alloc&) { // then it is written as it was
}

line_log open_line_log(const std::string& option, const std::string& path, line_log tell)
{
    if (path == "-")
        return [](std::string_view line) { add_line(partyline::standard_error(), line); };
    occupy_closed_descriptors(); // else the file is standard error, where that is closed
    return [to = std::make_shared<log_file>(option, path, std::move(tell))](std::string_view line) { to->add(line); };
}

void reopen_line_logs() noexcept
{
    open_files& files = open_files::instance();
    const std::lock_guard<std::mutex> hold(files.mutex);
    for (log_file* const one : files.all)
        one->reopen();
}

} // namespace command_line
