#pragma once

#include <sys/stat.h>

namespace partyline {

/// One of the process's standard descriptors, as the wire of a session: a descriptor of our own, non-blocking where
/// that matters, whose setting no other process shares. O_NONBLOCK belongs to the open file description, which the
/// parent and every sibling may share, so:
/// - pipe, FIFO, terminal: opened once more through /proc, which makes a description of our own; where that fails
/// (another
///   user's pipe), the shared one is set, and restored at the end;
/// - socket: can't be opened again, and is never set (see shared_socket.hpp);
/// - regular file, other device: never opened again (that would lose its offset and O_APPEND); needs no O_NONBLOCK
/// where
///   it is read and written directly, else set and restored.
class wire_descriptor {
public:
    /// Moves `standard` (0 or 1) to a private close-on-exec descriptor. Throws `system_error`.
    explicit wire_descriptor(int standard);
    ~wire_descriptor();
    wire_descriptor(const wire_descriptor&) = delete;
    wire_descriptor& operator=(const wire_descriptor&) = delete;

    /// A new descriptor of the wire, which the caller owns.
    int open() const;
    bool is_regular_file() const noexcept { return S_ISREG(mode_); }
    bool is_socket() const noexcept { return S_ISSOCK(mode_); }

    /// Puts the original's flags back, if they may have been changed. Safe in a signal handler, and to call twice.
    void restore_flags() const noexcept;
    /// Puts the original back to where it was.
    void restore() const noexcept;

private:
    int standard_;
    int original_;
    int flags_;
    mode_t mode_;
};

} // namespace partyline
