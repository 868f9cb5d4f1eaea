#include "session/line_output.hpp"

#include "session/descriptor_sink.hpp"
#include "session/quiet_signal.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <new>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace partyline {

using std::chrono::steady_clock;

namespace {

std::size_t count_of(std::string_view lines) noexcept
{
    return static_cast<std::size_t>(std::count(lines.begin(), lines.end(), '\n'));
}

} // namespace

error_code line_output::write(std::string_view lines) noexcept
{
    const std::lock_guard<std::mutex> hold(mutex_);
    failed_ = {};
    send_kept();
    if (!kept_.empty() && kept_.size() + lines.size() > max_kept_bytes) {
        dropped_ += count_of(lines);
        return failed_;
    }
    try {
        add_note_of_dropped();
        send_kept();
        take(lines);
    } catch (const std::bad_alloc&) {
        dropped_ += count_of(lines);
    }
    return failed_;
}

void line_output::finish(std::chrono::milliseconds longest) noexcept
{
    // Whoever has made these harmless while it served may have put them back.
    const quiet_signal gone_reader(SIGPIPE);
    const quiet_signal full_file(SIGXFSZ);
    const std::lock_guard<std::mutex> hold(mutex_);
    try {
        add_note_of_dropped();
    } catch (const std::bad_alloc&) { // then nobody is told
    }
    const auto end = steady_clock::now() + longest;
    std::size_t before = 0;
    for (send_kept(); !kept_.empty() && kept_.size() != before; send_kept()) {
        before = kept_.size();
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - steady_clock::now());
        if (left.count() <= 0 || !sink_->wait_for_room(left))
            return;
    }
}

// Each line is one write, so that those of several processes do not mix.
std::size_t line_output::send(std::string_view text) noexcept
{
    std::size_t sent = 0;
    while (sent != text.size()) {
        const std::size_t end = std::min(text.find('\n', sent), text.size() - 1) + 1;
        const std::size_t count = sink_->try_write(text.substr(sent, end - sent), failed_);
        sent += count;
        if (sent != end)
            break;
    }
    return sent;
}

void line_output::send_kept() noexcept
{
    if (kept_.empty())
        return;
    kept_.erase(0, send(kept_));
    if (kept_.empty())
        kept_ = std::string();
}

void line_output::add_note_of_dropped()
{
    if (dropped_ == 0)
        return;
    kept_ += "partyline: lines dropped here, since nobody has read them in time: " + std::to_string(dropped_) + '\n';
    dropped_ = 0;
}

void line_output::take(std::string_view lines)
{
    const std::size_t sent = kept_.empty() ? send(lines) : 0;
    try {
        kept_ += lines.substr(sent);
    } catch (const std::bad_alloc&) {
        if (sent != 0)
            kept_ = '\n'; // needs no memory: the next line does not continue this one
        throw;
    }
}

line_output& standard_error()
{
    // Never destroyed: whoever logs may outlive everything else.
    static line_output* const instance = new line_output(std::make_unique<descriptor_sink>(STDERR_FILENO));
    struct finisher {
        ~finisher() { instance->finish(line_output::longest_finish); }
    };
    static const finisher at_exit;
    return *instance;
}

std::shared_ptr<line_output> open_line_output(const std::string& path)
{
    constexpr int for_all = 0666;
    const int opened = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, for_all);
    if (opened < 0)
        throw std::system_error(errno, std::generic_category());
    return std::make_shared<line_output>(std::make_unique<descriptor_sink>(owned_descriptor(opened)));
}

} // namespace partyline
