#pragma once

#include "session/line_queue.hpp"
#include "session/line_sink.hpp"

#include <partyline/config.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace partyline {

/// Lines for a log that never make whoever writes them wait: nobody may read what they go to. Each line is one write.
/// Lines that find no room are kept, up to a bound, and go before the next ones; so does the rest of a line that had
/// room for a part of it. Lines beyond the bound are dropped and counted, and the next one that is taken is preceded by
/// a line that tells how many there were.
/// Thread safety: all of it.
class line_output {
public:
    /// Bytes that are kept; more only of one line that is longer.
    static constexpr std::size_t max_kept_bytes = line_queue::max_kept_bytes;
    /// What an output that goes away waits at most for a reader who is slow, or for a disk.
    static constexpr std::chrono::milliseconds longest_finish{500};

    PARTYLINE_EXPORT explicit line_output(std::unique_ptr<line_sink> to);
    /// Ends, unless it has.
    PARTYLINE_EXPORT ~line_output();
    line_output(const line_output&) = delete;
    line_output& operator=(const line_output&) = delete;

    /// From the next line on, what goes to a disk is written by a thread: every write to a file may wait.
    PARTYLINE_EXPORT void allow_thread() noexcept;
    /// Writes or keeps whole lines, each with its newline, or drops them. Returns why the sink could not write, if it
    /// is an error; where a thread writes, that is why it could not do so before.
    PARTYLINE_EXPORT error_code write(std::string_view lines) noexcept;
    /// Why the thread could not write, if that has not been returned.
    PARTYLINE_EXPORT error_code take_failure() noexcept;
    /// Goes on in what has the name now by which it was opened, with a whole line. Why that failed is returned by the
    /// next `write`; it goes on in what was open then.
    PARTYLINE_EXPORT void reopen() noexcept;
    /// Tells of what has been dropped, and writes what is kept as far as that is read within the time. Returns the
    /// number of lines that are neither written nor told of.
    PARTYLINE_EXPORT std::uint64_t finish(std::chrono::milliseconds longest) noexcept;
    /// Finishes, and ends the thread if there is one: whoever writes from here on does so alone. Returns the same.
    PARTYLINE_EXPORT std::uint64_t end() noexcept;

private:
    const std::shared_ptr<line_queue> queue_;
    std::atomic<bool> has_ended_ = false;
};

/// The one of standard error, which follows descriptor 2 to wherever that leads. It is finished when the process ends
/// by `exit`; it can be written to even after that.
PARTYLINE_EXPORT line_output& standard_error();

/// One that adds to the end of a file, by a thread if that is on a disk. Throws `std::system_error`. A FIFO has to have
/// a reader.
PARTYLINE_EXPORT std::shared_ptr<line_output> open_line_output(const std::string& path);

/// Finishes all those of files that are open, within that time altogether. For a process that may soon end in a way in
/// which nobody finishes them, as by a signal.
PARTYLINE_EXPORT void finish_files(std::chrono::milliseconds longest) noexcept;

} // namespace partyline
