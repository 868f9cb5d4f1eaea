#include "session/line_queue.hpp"

#include "session/quiet_signal.hpp"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include <pthread.h>

namespace partyline {

using std::chrono::steady_clock;

namespace {

constexpr std::size_t longest_spare = 16 << 10;

std::uint64_t count_of(std::string_view lines) noexcept
{
    return static_cast<std::uint64_t>(std::count(lines.begin(), lines.end(), '\n'));
}

constexpr std::string_view loss_note = "partyline: lines dropped here, which could not be written in time: ";

// With those that a note in it tells of.
std::uint64_t count_with_dropped(std::string_view lines) noexcept
{
    std::uint64_t count = 0;
    for (std::size_t end = 0; (end = lines.find('\n')) != lines.npos; lines.remove_prefix(end + 1)) {
        std::uint64_t told = 1;
        if (lines.starts_with(loss_note))
            std::from_chars(lines.data() + loss_note.size(), lines.data() + end, told);
        count += told;
    }
    return count;
}

// A thread that starts meanwhile takes no signals: neither those of the program, nor those of what it writes to.
class all_signals_blocked {
public:
    all_signals_blocked()
    {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~all_signals_blocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    all_signals_blocked(const all_signals_blocked&) = delete;
    all_signals_blocked& operator=(const all_signals_blocked&) = delete;

private:
    sigset_t before_;
};

} // namespace

void line_queue::allow_thread() noexcept
{
    const std::lock_guard<std::mutex> hold(mutex_);
    may_use_thread_ = true;
}

error_code line_queue::write(std::string_view lines) noexcept
{
    const std::lock_guard<std::mutex> hold(mutex_);
    const bool by_thread = starts_thread();
    if (!by_thread)
        send_kept();
    try {
        if (!has_room_for(lines)) {
            dropped_ += count_of(lines);
        } else {
            add_note_of_dropped();
            if (!by_thread)
                send_kept();
            take(lines);
        }
    } catch (const std::bad_alloc&) {
        dropped_ += count_of(lines);
    }
    if (by_thread)
        wake();
    return std::exchange(failed_, error_code());
}

void line_queue::reopen() noexcept
{
    const std::lock_guard<std::mutex> hold(mutex_);
    wants_reopen_ = has_thread_;
    failed_ = {};
    if (has_thread_)
        wake();
    else
        dropped_ += reopen_sink(kept_, failed_);
}

std::uint64_t line_queue::finish(std::chrono::milliseconds longest) noexcept
{
    std::unique_lock<std::mutex> hold(mutex_);
    try {
        add_note_of_dropped();
    } catch (const std::bad_alloc&) { // then nobody is told
    }
    if (!has_thread_) {
        finish_here(longest);
    } else if (!kept_.empty() || batch_bytes_ != 0 || is_busy_) {
        wake();
        done_.wait_for(hold, longest, [this] { return !has_work_ && !is_busy_; });
    }
    return count_unwritten();
}

// Others may still write meanwhile: the thread takes that with it.
std::uint64_t line_queue::end_thread(std::chrono::milliseconds longest) noexcept
{
    std::unique_lock<std::mutex> hold(mutex_);
    may_use_thread_ = false;
    is_ending_ = true;
    work_.notify_one();
    done_.wait_for(hold, longest, [this] { return !has_thread_; });
    return count_unwritten();
}

std::uint64_t line_queue::count_unwritten() const noexcept
{
    return count_with_dropped(kept_) + batch_lines_ + dropped_;
}

error_code line_queue::take_failure() noexcept
{
    const std::lock_guard<std::mutex> hold(mutex_);
    return std::exchange(failed_, error_code());
}

// Once there is one, it stays, wherever the sink leads then.
bool line_queue::starts_thread() noexcept
{
    if (has_thread_ || !may_use_thread_ || !sink_->may_wait())
        return has_thread_;
    try {
        const all_signals_blocked inherited_by_thread;
        std::thread([self = shared_from_this()] { self->run(); }).detach();
        has_thread_ = true;
    } catch (const std::exception&) { // no memory, or no more threads: it is written as it was
    }
    return has_thread_;
}

void line_queue::run() noexcept
{
    std::unique_lock<std::mutex> hold(mutex_);
    for (;;) {
        work_.wait(hold, [this] { return has_work_ || is_ending_; });
        if (is_ending_ && !has_work_)
            break;
        run_once(hold);
        done_.notify_all();
    }
    give_back_batch();
    has_thread_ = false;
    done_.notify_all();
}

void line_queue::give_back_batch() noexcept
{
    try {
        kept_.insert(0, batch_);
    } catch (const std::bad_alloc&) {
        dropped_ += batch_lines_;
    }
    batch_ = std::string();
    batch_bytes_ = 0;
    batch_lines_ = 0;
}

void line_queue::run_once(std::unique_lock<std::mutex>& hold) noexcept
{
    has_work_ = false;
    if (batch_.empty())
        batch_.swap(kept_);
    batch_bytes_ = batch_.size();
    batch_lines_ = count_with_dropped(batch_);
    is_busy_ = true;
    const bool wants_reopen = std::exchange(wants_reopen_, false);
    hold.unlock();
    error_code failed;
    const std::uint64_t cut = wants_reopen ? reopen_sink(batch_, failed) : 0;
    batch_.erase(0, send(batch_, failed));
    if (batch_.empty() && batch_.capacity() > longest_spare)
        batch_ = std::string(); // the memory of a burst is not kept for ever
    hold.lock();
    is_busy_ = false;
    batch_bytes_ = batch_.size();
    batch_lines_ = count_with_dropped(batch_);
    dropped_ += cut;
    if (wants_reopen_)
        failed_ = {}; // it is about what is not used any more
    else if (failed || wants_reopen)
        failed_ = failed;
    has_work_ = has_work_ || (batch_.empty() && !kept_.empty());
}

void line_queue::wake() noexcept
{
    if (!std::exchange(has_work_, true) && !is_busy_)
        work_.notify_one();
}

// One line has room always.
bool line_queue::has_room_for(std::string_view lines) const noexcept
{
    const std::size_t kept = kept_.size() + batch_bytes_;
    return kept == 0 || kept + lines.size() <= max_kept_bytes;
}

// Each line is one write, so that those of several processes do not mix; a file takes many lines as one.
std::size_t line_queue::send(std::string_view text, error_code& failed) noexcept
{
    const bool is_file = sink_->may_wait();
    std::size_t sent = 0;
    while (sent != text.size()) {
        const std::size_t end = is_file ? text.size() : std::min(text.find('\n', sent), text.size() - 1) + 1;
        const std::size_t count = sink_->try_write(text.substr(sent, end - sent), failed);
        sent += count;
        if (count != 0)
            is_within_line_ = text[sent - 1] != '\n';
        if (sent != end)
            break;
    }
    return sent;
}

void line_queue::send_kept() noexcept
{
    if (kept_.empty())
        return;
    kept_.erase(0, send(kept_, failed_));
    if (kept_.empty())
        kept_ = std::string();
}

void line_queue::add_note_of_dropped()
{
    if (dropped_ == 0)
        return;
    kept_.append(loss_note).append(std::to_string(dropped_)).append("\n");
    dropped_ = 0;
}

void line_queue::take(std::string_view lines)
{
    const std::size_t sent = kept_.empty() && !has_thread_ ? send(lines, failed_) : 0;
    try {
        kept_ += lines.substr(sent);
    } catch (const std::bad_alloc&) {
        if (sent != 0)
            kept_ = '\n'; // needs no memory: the next line does not continue this one
        throw;
    }
}

// The rest of a line whose beginning is in the old file is no line in the new one. Returns how many were cut.
std::uint64_t line_queue::reopen_sink(std::string& unsent, error_code& failed) noexcept
{
    failed = sink_->reopen();
    if (failed || !std::exchange(is_within_line_, false) || unsent.empty())
        return 0;
    unsent.erase(0, std::min(unsent.find('\n'), unsent.size() - 1) + 1);
    return 1;
}

void line_queue::finish_here(std::chrono::milliseconds longest) noexcept
{
    // Whoever has made these harmless while it served may have put them back.
    const quiet_signal gone_reader(SIGPIPE);
    const quiet_signal full_file(SIGXFSZ);
    const auto end = steady_clock::now() + longest;
    std::size_t before = 0;
    for (send_kept(); !kept_.empty() && kept_.size() != before; send_kept()) {
        before = kept_.size();
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - steady_clock::now());
        if (left.count() <= 0 || !sink_->wait_for_room(left))
            break;
    }
    failed_ = {}; // whoever ends is not told
}

} // namespace partyline
