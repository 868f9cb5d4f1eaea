#include <partyline/transport/child_report.hpp>

#include <partyline/protocol/writer.hpp>

namespace partyline {

std::optional<child_exit> child_report::exit() const
{
    const std::lock_guard lock(mutex_);
    return exit_;
}

std::string child_report::last_stderr_lines() const
{
    const std::lock_guard lock(mutex_);
    std::string text;
    for (const std::string& line : lines_)
        text.append(text.empty() ? "" : "\n").append(line);
    return text;
}

void child_report::set_exit(child_exit how)
{
    const std::lock_guard lock(mutex_);
    exit_ = how;
}

void child_report::add_stderr_line(std::string_view line)
{
    const std::lock_guard lock(mutex_);
    lines_.push_back(to_valid_utf8(line));
    size_ += lines_.back().size() + 1;
    while (lines_.size() > max_lines || size_ > max_bytes) {
        size_ -= lines_.front().size() + 1;
        lines_.pop_front();
    }
}

} // namespace partyline
