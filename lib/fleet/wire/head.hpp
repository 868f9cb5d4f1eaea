#pragma once

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/json_text.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::fleet {

/// The line of JSON that stands before a message. Longer ones are refused unread.
inline constexpr std::size_t max_head_bytes = std::size_t(64) << 10;

/// A payload: the line and, behind its line feed, the message to the byte.
struct split_payload {
    std::string_view head;
    std::string_view message;
    bool is_whole = false; // whether there is a line feed where it may be
};
split_payload split(std::string_view payload) noexcept;

/// A text in which people see each byte, up to some size: no line feeds and other controls. It may be any UTF-8 else.
bool is_plain(std::string_view text, std::size_t max_bytes) noexcept;

/// Reads an object that has no other members than those named, each at most once. `text` has to stay.
class head_reader {
public:
    /// At most 16 of them.
    explicit head_reader(std::span<const std::string_view> names) : names_(names) {}

    /// Empty, or why the text is refused.
    std::string_view read(const std::string& text);

    /// Of the member of that index; empty where there is none.
    json_view operator[](std::size_t index) const noexcept { return values_[index]; }

    /// The string that a member is; `out` stays as it is where there is none. False where the member is something else.
    bool text(std::size_t index, std::string& out) const;
    /// The same for a whole number from 1 to 2^53, written in digits alone.
    bool number(std::size_t index, std::uint64_t& out) const noexcept;
    /// The same for true or false.
    bool flag(std::size_t index, bool& out) const noexcept;

private:
    std::string_view take(std::string_view name, std::string_view value) noexcept;

    std::span<const std::string_view> names_;
    json_view values_[16] = {};
};

/// Writes such an object, member by member.
class head_writer {
public:
    void text(std::string_view name, std::string_view value);
    void number(std::string_view name, std::uint64_t value);
    /// JSON that was written elsewhere.
    void raw(std::string_view name, std::string_view json);

    /// The object, a line feed, and the message.
    std::string finish(std::string_view message);

private:
    byte_buffer out_;
    char mark_ = '{';
};

/// A JSON array of strings, and back. At most `max` of them; false where it is none, or one is no string.
std::string text_list(std::span<const std::string> texts);
bool read_text_list(json_view from, std::size_t max, std::vector<std::string>& out);

} // namespace partyline::fleet
