#pragma once

#include "http/wire/refusal.hpp"

#include <cstdint>
#include <string_view>

namespace partyline::http {

/// What the fields of a head say about where its body ends, and about the connection: of a request and of a response
/// alike (RFC 9112 §6, §9.3). Whatever two readers may understand differently is refused: a length is digits and is
/// there once, and there is no other coding than chunked.
class framing_fields {
public:
    // Each takes the value of such a field. The refusal has no status where that is right.
    refusal take_length(std::string_view value);
    refusal take_coding(std::string_view value);
    refusal take_connection(std::string_view value);
    /// Of them all, once they were taken.
    refusal check(bool is_http_1_0) const noexcept;

    bool has_length() const noexcept { return has_length_; }
    std::uint64_t length() const noexcept { return length_; }
    bool is_chunked() const noexcept { return has_coding_; }
    /// Connection says so.
    bool closes() const noexcept { return has_close_; }
    bool keeps_alive() const noexcept { return has_keep_alive_; }

private:
    std::uint64_t length_ = 0;
    bool has_length_ = false;
    bool has_coding_ = false;
    bool has_close_ = false;
    bool has_keep_alive_ = false;
};

/// Whether it is a list of tokens, divided by commas.
bool is_word_list(std::string_view value) noexcept;

} // namespace partyline::http
