#pragma once

#include "progress_note.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace call {

/// Standard error: lines, and on a terminal a bar below them that is drawn again and again. Elsewhere each progress is
/// a line.
class status_output {
public:
    /// `write` takes each piece that is written; `columns` tells how wide the terminal is; empty: it is none.
    status_output(std::function<void(std::string_view)> write, std::function<std::size_t()> columns)
        : write_(std::move(write)), columns_(std::move(columns))
    {
    }

    /// Writes a line above the bar.
    void say(std::string_view line);
    void show_progress(const progress_note& note, std::string_view label);
    /// Takes the bar away: what it showed has ended, or something else is about to be written to the terminal.
    void clear_bar();
    /// No bar is drawn while the user types on the terminal.
    void begin_typing();
    void end_typing() { is_typing_ = false; }

private:
    void draw(std::string bar);

    std::function<void(std::string_view)> write_;
    std::function<std::size_t()> columns_;
    std::string bar_;
    bool is_typing_ = false;
};

/// How wide the terminal behind a descriptor is, to be asked whenever that matters; an empty function if it is none.
std::function<std::size_t()> terminal_columns(int fd);

} // namespace call
