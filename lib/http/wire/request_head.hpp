#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace partyline::http {

/// A field of a head: its name as it came, its value without blanks around it.
struct field {
    std::string_view name;
    std::string_view value;
};

/// The value of the first field of this name, which is in lower case; a null view where there is none.
std::string_view find_field(std::span<const field> fields, std::string_view name) noexcept;

/// Whether a list has this element, in whatever case. The fields of one name are one list (RFC 9110 §5.3). What is
/// looked for is in lower case.
bool has_element(std::span<const field> fields, std::string_view name, std::string_view element);

/// How long a body is (RFC 9112 §6.3). Where that is neither told nor chunked, a request has none, and a response goes
/// on to the end of the connection.
enum class body_kind : std::uint8_t { none, length, chunked, to_end };

/// The head of a request: what the reader has found right. The views are good as long as its bytes.
struct request_head {
    std::string_view method;
    std::string_view target; // as it came
    std::string_view path;   // of it, without the query; "*" for that
    std::string_view query;  // behind the question mark
    std::string_view host;   // name and port, as Host says them
    body_kind body = body_kind::none;
    std::uint64_t content_length = 0;
    bool is_http_1_0 = false;
    bool keeps_alive = true;
    bool expects_continue = false;
    bool has_unknown_expectation = false;
    std::span<const field> fields;

    /// The value of the first field of this name, which is in lower case; a null view where there is none.
    std::string_view find(std::string_view name) const noexcept { return find_field(fields, name); }
    std::size_t count(std::string_view name) const noexcept;
};

/// Of one of the same length, which is in lower case: whether it is the same but for capital letters.
bool is_same_name(std::string_view came, std::string_view lower) noexcept;

/// Whether a field has this name, which is in lower case and not empty. Most are told by their length and first letter.
inline bool is_name(std::string_view came, std::string_view lower) noexcept
{
    return came.size() == lower.size() && (came.front() | 0x20) == (lower.front() | 0x20) && is_same_name(came, lower);
}

} // namespace partyline::http
