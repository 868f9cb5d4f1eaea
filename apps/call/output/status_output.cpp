#include "status_output.hpp"

#include <utility>

#include <sys/ioctl.h>
#include <unistd.h>

namespace call {
namespace {

constexpr std::string_view to_line_start = "\r\x1b[K"; // and what stands there is erased

} // namespace

void status_output::say(std::string_view line)
{
    std::string text;
    if (!bar_.empty())
        text += to_line_start;
    text.append(line).append("\n");
    if (!bar_.empty())
        text.append(to_line_start).append(bar_);
    write_(text); // in one piece: a server may write there, too
}

void status_output::show_progress(const progress_note& note, std::string_view label)
{
    if (!columns_)
        return say(to_line(note, label));
    if (is_typing_)
        return;
    const std::size_t width = columns_();
    draw(to_bar(note, label, width == 0 ? 0 : width - 1)); // a full line would make some terminals begin another
}

void status_output::clear_bar()
{
    draw({});
}

void status_output::begin_typing()
{
    clear_bar();
    is_typing_ = true;
}

void status_output::draw(std::string bar)
{
    if (bar == bar_)
        return;
    bar_ = std::move(bar);
    write_(std::string(to_line_start) + bar_);
}

std::function<std::size_t()> terminal_columns(int fd)
{
    if (!::isatty(fd))
        return {};
    return [fd] {
        winsize size = {};
        const bool is_known = ::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col != 0;
        return std::size_t(is_known ? size.ws_col : 80);
    };
}

} // namespace call
