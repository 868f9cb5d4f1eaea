#pragma once

namespace partyline::test {

/// How many sockets this program has made so far that a child process started at that moment would have inherited. (A
/// flag that is set a moment later does not help: another thread may fork in between.) A program that links this has
/// its own `socket`, `accept` and `socketpair`.
int inheritable_sockets() noexcept;

} // namespace partyline::test
