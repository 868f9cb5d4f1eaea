#include "session/line_output.hpp"

#include "session/descriptor_sink.hpp"

#include <utility>

#include <unistd.h>

namespace partyline {

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
    const std::uint64_t left = queue_->finish(longest_finish);
    queue_->end_thread();
    return left;
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
    return opened;
}

} // namespace partyline
