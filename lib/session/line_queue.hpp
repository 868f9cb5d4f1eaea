#pragma once

#include "session/line_sink.hpp"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace partyline {

/// The lines of a `line_output` that have not been written, and the sink that they are for. Where the sink may wait, as
/// the file of a disk that is slow, full of other work or frozen does, a thread writes: started for the first line,
/// and left to itself at the end if it still waits then. That is why the queue is shared with it.
/// Thread safety: all of it.
class line_queue final : public std::enable_shared_from_this<line_queue> {
public:
    static constexpr std::size_t max_kept_bytes = 256 << 10;

    explicit line_queue(std::unique_ptr<line_sink> to) noexcept : sink_(std::move(to)) {}

    void allow_thread() noexcept;
    error_code write(std::string_view lines) noexcept;
    error_code take_failure() noexcept;
    void reopen() noexcept;
    std::uint64_t finish(std::chrono::milliseconds longest) noexcept;
    /// Has the thread end when it has written all, and waits for that so long. What is written from there on, the
    /// caller writes. Returns what `finish` does.
    std::uint64_t end_thread(std::chrono::milliseconds longest) noexcept;

private:
    bool starts_thread() noexcept;
    void run() noexcept;
    void run_once(std::unique_lock<std::mutex>& hold) noexcept;
    void give_back_batch() noexcept;
    void wake() noexcept;
    bool has_room_for(std::string_view lines) const noexcept;
    std::size_t send(std::string_view text, error_code& failed) noexcept;
    void send_kept() noexcept;
    void add_note_of_dropped();
    void take(std::string_view lines);
    std::uint64_t reopen_sink(std::string& unsent, error_code& failed) noexcept;
    void finish_here(std::chrono::milliseconds longest) noexcept;
    std::uint64_t count_unwritten() const noexcept;

    std::mutex mutex_;
    std::unique_ptr<line_sink> sink_; // the thread's alone, where there is one
    bool may_use_thread_ = false;
    std::string kept_;
    bool is_within_line_ = false; // of which the sink has the beginning; the thread's alone, as the sink is
    std::uint64_t dropped_ = 0;   // since that was told
    error_code failed_;           // of the sink, since that was told

    // With a thread:
    bool has_thread_ = false;
    std::string batch_; // what it writes next, its own while it is busy
    std::size_t batch_bytes_ = 0;
    std::uint64_t batch_lines_ = 0;
    bool has_work_ = false;
    bool is_busy_ = false;
    bool wants_reopen_ = false;
    bool is_ending_ = false;
    std::condition_variable work_;
    std::condition_variable done_;
};

} // namespace partyline
