#include "session/line_output.hpp"

#include "session/descriptor_sink.hpp"

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include <unistd.h>

namespace partyline {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

milliseconds left_until(steady_clock::time_point end) noexcept
{
    return std::max(std::chrono::ceil<milliseconds>(end - steady_clock::now()), milliseconds(0));
}

// Those of files.
struct open_outputs {
    std::mutex mutex;
    std::vector<std::weak_ptr<line_output>> all;

    static open_outputs& instance()
    {
        static open_outputs& outputs = *new open_outputs; // whoever logs may outlive everything else
        return outputs;
    }
};

void enter(const std::shared_ptr<line_output>& opened)
{
    open_outputs& outputs = open_outputs::instance();
    const std::lock_guard<std::mutex> hold(outputs.mutex);
    std::erase_if(outputs.all, [](const std::weak_ptr<line_output>& one) { return one.expired(); });
    outputs.all.push_back(opened);
}

} // namespace

line_output::line_output(std::unique_ptr<line_sink> to) : queue_(std::make_shared<line_queue>(std::move(to))) {}

line_output::~line_output()
{
    if (!has_ended_) // it has been waited for
        end();
}

void line_output::allow_thread() noexcept
{
    queue_->allow_thread();
}

error_code line_output::write(std::string_view lines) noexcept
{
    return queue_->write(lines);
}

error_code line_output::take_failure() noexcept
{
    return queue_->take_failure();
}

void line_output::reopen() noexcept
{
    queue_->reopen();
}

std::uint64_t line_output::finish(std::chrono::milliseconds longest) noexcept
{
    return queue_->finish(longest);
}

std::uint64_t line_output::end() noexcept
{
    has_ended_ = true;
    const auto until = steady_clock::now() + longest_finish;
    queue_->finish(longest_finish);
    return queue_->end_thread(left_until(until));
}

line_output& standard_error()
{
    // Never destroyed: whoever logs may outlive everything else.
    static line_output* const instance = new line_output(std::make_unique<descriptor_sink>(STDERR_FILENO));
    struct finisher {
        ~finisher() { instance->end(); }
    };
    static const finisher at_exit;
    return *instance;
}

std::shared_ptr<line_output> open_line_output(const std::string& path)
{
    auto opened = std::make_shared<line_output>(std::make_unique<descriptor_sink>(path));
    opened->allow_thread();
    enter(opened);
    return opened;
}

void finish_files(std::chrono::milliseconds longest) noexcept
{
    const auto until = steady_clock::now() + longest;
    open_outputs& outputs = open_outputs::instance();
    std::vector<std::weak_ptr<line_output>> all;
    try {
        const std::lock_guard<std::mutex> hold(outputs.mutex);
        all = outputs.all;
    } catch (const std::bad_alloc&) { // they are finished as they go away
    }
    for (const std::weak_ptr<line_output>& one : all) {
        if (const auto open = one.lock())
            open->finish(left_until(until));
    }
}

} // namespace partyline
