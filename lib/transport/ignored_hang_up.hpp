#pragma once

#include <partyline/config.hpp>

#include <mutex>

#include <signal.h>

namespace partyline {

/// SIGHUP of a program that takes it although its user has it ignored, as by nohup. What the program starts is to
/// ignore it nevertheless, and inherits that only while the program does.
/// Process-wide. Thread safety: all of it.
class ignored_hang_up {
public:
    /// It is taken from here on.
    static void note_taken();
    /// It is not taken any more: it is ignored again.
    static void give_up() noexcept;

    /// Has it ignored as long as this lives, where it is taken. What comes meanwhile is lost.
    PARTYLINE_EXPORT ignored_hang_up();
    PARTYLINE_EXPORT ~ignored_hang_up();
    ignored_hang_up(const ignored_hang_up&) = delete;
    ignored_hang_up& operator=(const ignored_hang_up&) = delete;

private:
    std::unique_lock<std::mutex> hold_;
    struct sigaction before_ = {};
};

} // namespace partyline
