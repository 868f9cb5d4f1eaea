#pragma once

#include "http/wire/refusal.hpp"
#include "http/wire/request_head.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace partyline::http {

struct head_limits {
    std::size_t bytes = std::size_t(16) << 10;
    std::size_t fields = 100;
    std::size_t target = std::size_t(8) << 10;
};

/// Reads the head of an HTTP/1.1 request, strictly (RFC 9112). Whatever two readers may understand differently is refused: a
/// proxy in front that sees another end of the request would have its clients smuggle requests past it. So a line ends with
/// CR LF and nothing else, no line is folded, a length is digits and is there once, and there is no other coding than chunked.
///
/// Flow: `read()` with all that has come of the request, again with more of it, wherever that is by then, until it is `done`
/// or `refused`. What is wrong is refused as soon as it has come. `reset()` for the next one.
/// Cost: linear in what comes, however it is cut.
class head_reader {
public:
    enum class state : std::uint8_t { more, done, refused };

    explicit head_reader(head_limits most) : most_(most) {}

    state read(std::string_view bytes);
    /// Of one that is done: its views are into the bytes of the last `read()`.
    const request_head& head() const noexcept { return head_; }
    /// How many bytes it takes, the empty line at its end included.
    std::size_t size() const noexcept { return at_; }
    const refusal& why() const noexcept { return why_; }
    void reset() noexcept;

private:
    /// What is being read.
    enum class part : std::uint8_t { start, method, target, version, name, value, end, over };
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

    bool step(std::string_view bytes);
    bool read_start(std::string_view bytes);
    bool read_method(std::string_view bytes);
    bool read_target(std::string_view bytes);
    bool read_version(std::string_view bytes);
    bool read_name(std::string_view bytes);
    bool read_value(std::string_view bytes);
    bool read_end(std::string_view bytes);
    bool skip(std::string_view bytes, std::uint8_t of) noexcept;
    bool refuse(int status, const char* reason) noexcept;

    // When all of it has come: head_rules.cpp
    bool finish(std::string_view bytes);
    bool finish_target();
    bool finish_fields();
    bool take_field(const field& one);
    bool take_host(std::string_view value);
    bool take_length(std::string_view value);
    bool take_coding(std::string_view value);
    bool take_connection(std::string_view value);
    bool check_complete();

    head_limits most_;
    part at_part_ = part::start;
    std::size_t at_ = 0;    // the next byte to be looked at
    std::size_t begin_ = 0; // of this part
    place method_;
    place target_;
    bool is_http_1_0_ = false;
    std::vector<field_place> places_;
    std::vector<field> fields_;
    request_head head_;
    std::string_view target_host_; // of an absolute target
    bool has_host_ = false;
    bool has_length_ = false;
    bool has_coding_ = false;
    bool has_close_ = false;
    refusal why_;
};

} // namespace partyline::http
