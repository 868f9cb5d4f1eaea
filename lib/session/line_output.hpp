#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/errc.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace partyline {

/// Where a `line_output` writes to.
class line_sink {
public:
    line_sink() = default;
    virtual ~line_sink() = default;
    line_sink(const line_sink&) = delete;
    line_sink& operator=(const line_sink&) = delete;

    /// Writes as many bytes as there is room for, without waiting, and returns how many. `failed` is set by errors
    /// only: that there is no room is none.
    virtual std::size_t try_write(std::string_view bytes, error_code& failed) noexcept = 0;
    /// Waits until there may be room; false when that has taken too long.
    virtual bool wait_for_room(std::chrono::milliseconds longest) noexcept = 0;
};

/// Lines for a log that never make whoever writes them wait: nobody may read what they go to. Each line is one write.
/// Lines that find no room are kept, up to a bound, and go before the next ones; so does the rest of a line that had
/// room for a part of it. Lines beyond the bound are dropped and counted, and the next one that is taken is preceded by
/// a line that tells how many there were.
/// Thread safety: all of it.
class line_output {
public:
    /// Bytes that are kept; more only of one line that is longer.
    static constexpr std::size_t max_kept_bytes = 256 << 10;
    /// What an output that goes away waits at most for a reader who is slow.
    static constexpr std::chrono::milliseconds longest_finish{500};

    explicit line_output(std::unique_ptr<line_sink> to) noexcept : sink_(std::move(to)) {}
    /// Finishes.
    ~line_output() { finish(longest_finish); }
    line_output(const line_output&) = delete;
    line_output& operator=(const line_output&) = delete;

    /// Writes or keeps whole lines, each with its newline, or drops them. Returns why the sink could not write, if it
    /// is an error.
    PARTYLINE_EXPORT error_code write(std::string_view lines) noexcept;
    /// Tells of what has been dropped, and writes what is kept as far as that is read within the time.
    void finish(std::chrono::milliseconds longest) noexcept;

private:
    std::size_t send(std::string_view text) noexcept;
    void send_kept() noexcept;
    void add_note_of_dropped();
    void take(std::string_view lines);

    std::mutex mutex_;
    std::unique_ptr<line_sink> sink_;
    std::string kept_;
    std::uint64_t dropped_ = 0; // since that was told
    error_code failed_;         // by the sink, just now
};

/// The one of standard error, which follows descriptor 2 to wherever that leads. It is finished when the process ends
/// by `exit`; it can be written to even after that.
PARTYLINE_EXPORT line_output& standard_error();

/// One that adds to the end of a file. Throws `std::system_error`. A FIFO has to have a reader.
PARTYLINE_EXPORT std::shared_ptr<line_output> open_line_output(const std::string& path);

} // namespace partyline
