#pragma once

#include "fleet/wire/names.hpp"
#include "fleet/wire/read_outcome.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace partyline::fleet {

/// What one side of a session says to the other: a line of JSON and, behind it, a piece of its bytes.
///
///     {"v":1,"id":"FRONT.N","run":"WORKER.R","n":3,"has":2,"taken":1}
///
/// `id` is the call that has opened the session, `run` its run at the worker. Both sides say the same, so that a
/// session that was opened twice is told apart from the one that its front knows.
struct channel_message {
    enum class kind : std::uint8_t {
        piece,  // a number, and bytes
        end,    // a number, behind that of the last piece: nothing more will come
        answer, // neither: only what this side has
        ping,   // to be answered
        abort,  // this side is gone, or does not know the session
    };

    call_id id;
    std::string run;
    kind is = kind::answer;
    std::uint64_t number = 0; // of a piece, or of the end; from 1 on
    std::uint64_t has = 0;    // so many pieces of the other side have come, all up to this one
    std::uint64_t taken = 0;  // so many of these have been read, so that there is room for others
    std::string bytes = {};

    bool operator==(const channel_message&) const = default;
};

/// Longest piece. NATS takes 1 MiB unless told, and rarely less than this.
inline constexpr std::size_t max_piece_bytes = std::size_t(16) << 10;

/// Why it can't be one; empty where it can.
std::string_view problem_of(const channel_message& one);

/// The payload. Only of a message without a problem.
std::string write_channel_message(const channel_message& one);
/// The same with these bytes, and not its own.
std::string write_channel_message(const channel_message& head, std::string_view bytes);

/// The same back, as strictly as replies are read.
read_outcome<channel_message> read_channel_message(std::string_view payload);

} // namespace partyline::fleet
