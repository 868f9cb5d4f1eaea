#pragma once

#include <partyline/protocol/byte_buffer.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace partyline::http {

/// What a frame is (RFC 6455 §5.2). Others are reserved.
enum class opcode : std::uint8_t { continuation = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10 };

/// Why a connection ends (RFC 6455 §7.4, and the registry of such codes).
enum class close_code : std::uint16_t {
    normal = 1000,
    going_away = 1001,
    protocol_error = 1002,
    unsupported_data = 1003,
    no_code = 1005, // what a frame without a code means; never sent
    bad_text = 1007,
    policy_violation = 1008,
    too_big = 1009,
    internal_error = 1011,
    service_restart = 1012,
    try_again_later = 1013,
};

/// Whether a peer may send this code.
bool is_valid_code(std::uint16_t code) noexcept;

using mask_key = std::array<char, 4>;

/// What is in front of a frame's content.
struct frame_head {
    enum class state : std::uint8_t { more, done, refused };

    opcode type = opcode::continuation;
    bool is_last = false; // of the frames of a message
    bool is_masked = false;
    mask_key mask{};
    std::uint64_t length = 0;
    std::size_t size = 0; // of the head itself

    static constexpr std::size_t max_size = 14;
    static constexpr std::uint64_t max_control = 125; // bytes of a frame that is no message

    bool is_control() const noexcept { return type >= opcode::close; }
    /// Reads it where all of it has come. Refused is what breaks the rules for each frame alone: reserved bits, unknown
    /// frames, lengths in more bytes than they need, long or divided control frames.
    state read(std::string_view bytes) noexcept;
};

/// The room that is left in front of an outgoing message, for the usual length.
inline constexpr std::size_t usual_head = 4;

/// Puts the head in front of what stands in `out` from `start + usual_head` on. Returns where the content begins then.
std::size_t finish_frame(byte_buffer& out, std::size_t start, opcode type, const mask_key* mask);

/// Appends a frame of at most `max_control` bytes of content.
void append_control(byte_buffer& out, opcode type, std::string_view content, const mask_key* mask);

/// Changes each byte by its byte of the key. It is its own inverse.
void apply_mask(char* bytes, std::size_t count, const mask_key& key) noexcept;

/// Moves bytes to a place before theirs, which may reach into them, and applies the mask. Says whether all are ASCII
/// then.
bool move_unmasked(char* to, const char* from, std::size_t count, const mask_key& key) noexcept;

/// The key for what follows the first `count` bytes of a frame.
mask_key rotated(const mask_key& key, std::uint64_t count) noexcept;

} // namespace partyline::http
