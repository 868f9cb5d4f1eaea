#pragma once

namespace partyline {

/// Opens what a descriptor of a pipe, FIFO or terminal leads to once more, through /proc: a description of our own,
/// whose O_NONBLOCK no other process shares. It is non-blocking, and the caller's. -1 for anything else (a socket can't
/// be opened again, a regular file would lose its offset), and where that is not allowed (another user's pipe).
int open_own_description(int descriptor) noexcept;

} // namespace partyline
