#pragma once

#include <cstddef>
#include <cstdint>

namespace partyline::test {

/// What goes wrong with one of the calls of `recv` and `send` that the server makes, counted from 1. Test clients use
/// `read` and `write`, of which nothing goes wrong.
struct socket_plan {
    enum class kind : std::uint8_t {
        none,
        lose,   // this call and all that follow on that socket: the connection was reset
        refuse, // this call: it would block
        shorten // this call: it moves one byte
    };

    kind what = kind::none;
    std::size_t strikes_at = 0;
};

/// Makes calls fail as planned, for the length of a scope.
/// Thread safety: none; the program has one thread.
class armed_sockets {
public:
    explicit armed_sockets(socket_plan plan) noexcept;
    ~armed_sockets();
    armed_sockets(const armed_sockets&) = delete;
    armed_sockets& operator=(const armed_sockets&) = delete;

    bool has_struck() const noexcept;
};

} // namespace partyline::test
