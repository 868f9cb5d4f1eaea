#pragma once

#include "http/wire/field_reader.hpp"
#include "http/wire/framing_fields.hpp"
#include "http/wire/refusal.hpp"
#include "http/wire/request_head.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace partyline::http {

struct head_limits {
    std::size_t bytes = std::size_t(16) << 10;
    std::size_t fields = 100;
    std::size_t target = std::size_t(8) << 10;
};

/// Reads the head of an HTTP/1.1 request, strictly (RFC 9112). Whatever two readers may understand differently is
/// refused: a proxy in front that sees another end of the request would have its clients smuggle requests past it.
///
/// Flow: `read()` with all that has come of the request, again with more of it, wherever that is by then, until it is
/// `done` or `refused`. What is wrong is refused as soon as it has come. `reset()` for the next one.
/// Cost: linear in what comes, however it is cut.
class head_reader {
public:
    enum class state : std::uint8_t { more, done, refused };

    explicit head_reader(head_limits most) : most_(most), fields_(most.fields) {}

    state read(std::string_view bytes);
    /// Of one that is done: its views are into the bytes of the last `read()`.
    const request_head& head() const noexcept { return head_; }
    /// Whether anything has come but empty lines in front.
    bool has_begun() const noexcept { return at_part_ != part::start; }
    /// How many bytes it takes, with empty lines in front and that at its end; of one that has not begun, those that
    /// are skipped.
    std::size_t size() const noexcept { return at_; }
    const refusal& why() const noexcept { return why_; }
    void reset() noexcept;

private:
    /// What is being read.
    enum class part : std::uint8_t { start, method, target, version, fields, over };
    // Where something stands in the bytes, which may move.
    struct place {
        std::size_t begin = 0;
        std::size_t end = 0;
        std::string_view in(std::string_view bytes) const noexcept { return bytes.substr(begin, end - begin); }
    };

    bool step(std::string_view bytes);
    bool read_start(std::string_view bytes);
    bool read_method(std::string_view bytes);
    bool read_target(std::string_view bytes);
    bool read_version(std::string_view bytes);
    bool begin_fields(std::size_t at) noexcept;
    bool read_fields(std::string_view bytes);
    bool skip(std::string_view bytes, std::uint8_t of) noexcept;
    bool refuse(int status, const char* reason) noexcept;
    bool accept(const refusal& of) noexcept;

    // When all of it has come: head_rules.cpp
    bool finish(std::string_view bytes);
    bool finish_target();
    bool finish_fields();
    bool take_field(const field& one);
    bool take_host(std::string_view value);
    bool check_complete();

    head_limits most_;
    part at_part_ = part::start;
    std::size_t at_ = 0;    // the next byte to be looked at
    std::size_t begin_ = 0; // of this part
    place method_;
    place target_;
    bool is_http_1_0_ = false;
    field_reader fields_;
    request_head head_;
    std::string_view target_host_; // of an absolute target
    bool has_host_ = false;
    framing_fields framing_;
    refusal why_;
};

} // namespace partyline::http
