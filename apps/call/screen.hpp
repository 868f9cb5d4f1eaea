#pragma once

#include "progress_note.hpp"

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>

namespace call {

/// Standard error: lines, and on a terminal a bar below them that is drawn again and again. Elsewhere each progress is
/// a line.
class screen {
public:
    /// `columns` tells how wide the terminal is; empty: it is none.
    screen(std::ostream& out, std::function<std::size_t()> columns) : out_(&out), columns_(std::move(columns)) {}

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

    std::ostream* out_;
    std::function<std::size_t()> columns_;
    std::string bar_;
    bool is_typing_ = false;
};

/// How wide the terminal behind a descriptor is, to be asked whenever that matters; an empty function if it is none.
std::function<std::size_t()> terminal_columns(int fd);

} // namespace call
