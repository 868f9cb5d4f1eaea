#pragma once

#include "http/wire/request_head.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace partyline::http {

/// The head of a response: what the reader has found right. The views are good as long as its bytes.
struct received_head {
    int status = 0; // 100 to 599
    std::string_view reason;
    body_kind body = body_kind::none;
    std::uint64_t content_length = 0;
    bool is_http_1_0 = false;
    bool keeps_alive = true;                            // behind the body
    std::optional<std::chrono::seconds> idle_time = {}; // that the server keeps the connection for, where it says so
    std::span<const field> fields;

    /// The response itself is still to come (RFC 9110 §15.2).
    bool is_interim() const noexcept { return status < 200 && status != 101; }
    bool is_success() const noexcept { return status / 100 == 2; }
    /// The value of the first field of this name, which is in lower case; a null view where there is none.
    std::string_view find(std::string_view name) const noexcept { return find_field(fields, name); }
};

/// The request that a response is for, as far as that says whether there is a body.
enum class response_to : std::uint8_t { any, head, connect };

} // namespace partyline::http
