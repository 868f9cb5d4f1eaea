#pragma once

#include "http/wire/refusal.hpp"
#include "http/wire/request_head.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace partyline::http {

/// Reads the fields of a head (RFC 9112 §5), those of a request and of a response alike, and the empty line behind
/// them. Strictly: a line ends with CR LF and nothing else, no line is folded, no blank stands in front of a colon.
///
/// Flow: `start()` where they begin, then `read()` with all that has come of the head, again with more of it, wherever
/// that is by then, until it is `done` or `refused`.
/// Cost: linear in what comes, however it is cut.
class field_reader {
public:
    enum class state : std::uint8_t { more, done, refused };

    explicit field_reader(std::size_t most) : most_(most) {}

    void start(std::size_t at) noexcept;
    state read(std::string_view bytes);
    /// Of those that are done: behind their end.
    std::size_t end() const noexcept { return at_; }
    /// Of those that are done, with views into these bytes.
    std::span<const field> fields_in(std::string_view bytes);
    const refusal& why() const noexcept { return why_; }

private:
    // Where something stands in the bytes, which may move.
    struct place {
        std::size_t begin = 0;
        std::size_t end = 0;
        std::string_view in(std::string_view bytes) const noexcept { return bytes.substr(begin, end - begin); }
    };
    struct field_place {
        place name;
        place value;
    };

    bool read_name(std::string_view bytes);
    bool read_value(std::string_view bytes);
    bool read_end(std::string_view bytes);
    bool refuse(int status, const char* reason) noexcept;

    std::size_t most_;
    std::size_t at_ = 0;    // the next byte to be looked at
    std::size_t begin_ = 0; // of this name or value
    bool is_in_value_ = false;
    bool is_over_ = false;
    std::vector<field_place> places_;
    std::vector<field> fields_; // as many as there were at most
    refusal why_;
};

} // namespace partyline::http
