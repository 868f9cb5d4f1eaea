#include "transport/stream/write_pace.hpp"

#include "session/due_time.hpp"

#include <algorithm>

namespace partyline {

write_pace::write_pace(clock::duration window, std::size_t least) noexcept
    : window_(window.count() == 0 ? clock::duration::max() : window), least_(std::max<std::size_t>(least, 1))
{
}

void write_pace::start(clock::time_point now, std::int64_t read) noexcept
{
    is_running_ = true;
    read_ = read;
    deadline_ = due_time(now, window_);
}

void write_pace::note(clock::time_point now, std::int64_t read) noexcept
{
    if (!is_running_ || read <= read_)
        return;
    const auto most = due_time(now, window_);
    // In floating point: the product of a long window and many bytes has no room in an integer.
    const double part = static_cast<double>(read - read_) / static_cast<double>(least_);
    read_ = read;
    if (part >= 1)
        deadline_ = most;
    else
        deadline_ = std::min(most, due_time(deadline_, std::chrono::duration_cast<clock::duration>(window_ * part)));
}

} // namespace partyline
