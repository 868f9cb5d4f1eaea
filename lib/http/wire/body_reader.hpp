#pragma once

#include "http/wire/refusal.hpp"
#include "http/wire/request_head.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace partyline::http {

/// Reads the body behind a head, as strictly as that: one of a told length, in chunks (RFC 9112 §7.1), whose extensions
/// and trailers are bounded and mean nothing, or what comes up to the end of the connection.
///
/// Flow: `start()`, then `read()` what comes while it says `more`, and `finish()` where the connection ends. Memory
/// grows with what has come, never on the word of a length.
class body_reader {
public:
    enum class state : std::uint8_t { more, done, refused };

    explicit body_reader(std::size_t most) : most_(most) {}

    void start(body_kind kind, std::uint64_t length);
    void start(const request_head& head) { start(head.body, head.content_length); }
    state current() const noexcept { return now_; }
    /// Appends what is body to `out`; `used` is how many of the bytes belong to this request.
    state read(std::string_view bytes, std::size_t& used, std::string& out);
    /// Nothing more comes: `done` where the body goes on to there, else `more` says that it was cut off.
    state finish() noexcept;
    const refusal& why() const noexcept { return why_; }

private:
    // size: the digits of a chunk's size; extension: the rest of their line; ..._lf: the LF behind a CR; data_cr: the
    // end of a chunk's data; trailer: the start of a line behind the last chunk; trailer_name, trailer_value: one of
    // these fields.
    enum class part : std::uint8_t {
        length,
        to_end,
        size,
        extension,
        size_lf,
        data,
        data_cr,
        data_lf,
        trailer,
        trailer_name,
        trailer_value,
        trailer_lf,
        last_lf
    };

    // Within one: before or in its name, before or in its value, in quotes, behind them.
    enum class extension : std::uint8_t { name_begin, name, value_begin, value, quoted, over };

    state take_data(std::string_view bytes, std::size_t& used, std::string& out, part next);
    state take_rest(std::string_view bytes, std::size_t& used, std::string& out);
    bool take(char c);
    bool take_size(char c);
    bool take_extension(char c);
    bool take_size_end();
    bool take_trailer(char c);
    bool refuse(int status, const char* reason) noexcept;

    std::size_t most_;
    std::size_t taken_ = 0;   // of the body
    std::uint64_t left_ = 0;  // of the body, or of this chunk
    unsigned digits_ = 0;     // of this chunk's size
    std::size_t extras_ = 0;  // bytes of all extensions
    std::size_t trailer_ = 0; // bytes of all trailers
    std::string trailer_name_;
    part at_ = part::length;
    extension in_ = extension::name_begin;
    state now_ = state::done;
    refusal why_;
};

} // namespace partyline::http
