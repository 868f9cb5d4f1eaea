#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace partyline {

/// Whether a stream begins with the request line of HTTP: a method (any token of RFC 9110 §5.6.2; there is no list of
/// them), a blank, a target, and the version (RFC 9112 §3). No message of ours does: a JSON text begins otherwise, and
/// a header's name ends with a colon. A line of plain words is a bad message, and no more than that. Or with a TLS
/// handshake (RFC 8446 §5.1), as `https:` does: a page may have a say in some of its bytes.
///
/// Flow: `feed()` what comes, in pieces of any size, as long as the answer is `open`. A line's end settles it, so
/// nothing that a framing makes of the bytes meanwhile is a message.
class http_check {
public:
    enum class answer : std::uint8_t { open, http, other };

    answer feed(std::string_view bytes) noexcept;

private:
    enum class part : std::uint8_t { start, method, target };

    answer take(char c) noexcept;

    part at_ = part::start;
    std::size_t matched_ = 0; // of what begins the version
};

} // namespace partyline
