#pragma once

#include "child_process.hpp"
#include "unique_fd.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace partyline::test {

using line_handler = std::function<void(std::string_view line)>;

/// Reads what a child writes, line by line. Every wait ends after `patience` with an exception.
class line_reader {
public:
    line_reader() = default;
    explicit line_reader(unique_fd fd);

    /// The next line without its newline; at the end of the stream a last line without one, then nothing.
    std::optional<std::string> read_line();
    /// All that comes until the end of the stream.
    std::string read_rest();
    /// Hands out every line that comes, until `done` or the end of the stream; what has come beyond that may be handed
    /// out too. For many lines: this keeps none.
    void read_lines(const line_handler& on_line, const std::function<bool()>& done);
    /// Waits until there is something to read, or the end.
    void wait_readable() const;

    int fd() const noexcept { return fd_.get(); }
    void close() noexcept { fd_.reset(); }

private:
    friend std::string exchange(unique_fd, std::string_view, line_reader&);
    friend void exchange(int, std::string_view, line_reader&, const line_handler&);
    bool read_some(); // false at the end
    void hand_out(const line_handler& on_line);
    void write_while_reading(int to, std::string_view text, const std::function<void()>& on_read);

    unique_fd fd_;
    std::string pending_;
};

/// Writes all of `text`, however slowly the child reads.
void write_all(int fd, std::string_view text);
/// Writes as much of `text` as fits without anybody reading, and returns its size.
std::size_t write_what_fits(int fd, std::string_view text);
/// Writes `text` and closes while reading all that comes back.
std::string exchange(unique_fd to, std::string_view text, line_reader& from);
/// Writes `text` while handing out every line that comes back meanwhile.
void exchange(int to, std::string_view text, line_reader& from, const line_handler& on_line);

} // namespace partyline::test
