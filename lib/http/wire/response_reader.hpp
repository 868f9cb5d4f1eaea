#pragma once

#include "http/wire/field_reader.hpp"
#include "http/wire/framing_fields.hpp"
#include "http/wire/received_head.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace partyline::http {

struct response_limits {
    std::size_t bytes = std::size_t(64) << 10; // of one head; cookies and policies are long
    std::size_t fields = 200;
    std::size_t interim = 16; // heads in front of that of the response
};

/// Reads the head of a response of HTTP/1.x, as strictly as that of a request (RFC 9112): a server, or a proxy in
/// between, whose response has two meanings is one whose connection must not be used again.
///
/// Flow: `begin()` with what was asked, then `read()` with all that has come, again with more of it, wherever that is
/// by then, until it is `done` or `refused`. Behind a head that `is_interim()`, `skip_interim()`, and `read()` what
/// comes behind that. Cost: linear in what comes, however it is cut.
class response_reader {
public:
    enum class state : std::uint8_t { more, done, refused };

    explicit response_reader(response_limits most) : most_(most), fields_(most.fields) {}

    void begin(response_to what) noexcept;
    state read(std::string_view bytes);
    /// The next head is another one.
    void skip_interim() noexcept;
    /// Of one that is done: its views are into the bytes of the last `read()`.
    const received_head& head() const noexcept { return head_; }
    /// How many bytes it takes, the empty line at its end included.
    std::size_t size() const noexcept { return at_; }
    /// Of one that is refused: what, where, and what was expected.
    const char* why() const noexcept { return why_; }

private:
    bool read_status_line(std::string_view bytes);
    bool read_version(std::string_view bytes);
    bool read_status(std::string_view bytes);
    bool read_reason(std::string_view bytes);
    bool read_fields(std::string_view bytes);
    bool refuse(const char* reason) noexcept;

    // When all of it has come: response_rules.cpp
    bool finish(std::string_view bytes);
    bool take_field(const field& one);
    bool accept(const refusal& of) noexcept;
    void take_idle_time(std::string_view value);
    void decide_body() noexcept;

    response_limits most_;
    response_to what_ = response_to::any;
    std::size_t interim_ = 0;
    bool is_in_fields_ = false;
    std::size_t at_ = 0; // the next byte to be looked at
    std::size_t reason_end_ = 0;
    field_reader fields_;
    framing_fields framing_;
    received_head head_;
    const char* why_ = nullptr;
};

} // namespace partyline::http
