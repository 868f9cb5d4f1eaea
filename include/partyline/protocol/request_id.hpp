#pragma once

#include <partyline/config.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace partyline {

/// The id of a request, with the exact text that it had in the message.
///
/// A reply repeats the text byte for byte: `1`, `1.0`, `"1"`, `0`, `-1`, `""`, `9007199254740993` and `null` are eight
/// different ids. Two texts name the same request when their keys are equal: strings are compared decoded (`"\u0061"`
/// is `"a"`), numbers by their exact text.
class PARTYLINE_EXPORT request_id {
public:
    /// Makes an empty id, as that of a notification. Not the same as the id `null`.
    request_id() = default;
    /// A number, as of a request that was made here.
    explicit request_id(std::int64_t number) : text_(std::to_string(number)) { text_size_ = text_.size(); }

    /// Makes an id from its text in a message, and its key as `message` gives it.
    request_id(std::string_view text, std::string_view key) { assign(text, key); }

    /// Keeps the memory that the last id took.
    void assign(std::string_view text, std::string_view key);
    /// Removes the id, and keeps the memory.
    void clear() noexcept;

    /// Whether there is no id.
    bool empty() const noexcept { return text_size_ == 0; }
    /// Whether the id is `null`.
    bool is_null() const noexcept { return text() == "null"; }
    /// Whether the id is a string.
    bool is_string() const noexcept { return !empty() && text_.front() == '"'; }

    /// The JSON text as it stood in the message.
    std::string_view text() const noexcept { return std::string_view(text_).substr(0, text_size_); }
    /// Kind and decoded value in one string: equal for equal ids only.
    std::string_view key() const noexcept
    {
        return text_.size() == text_size_ ? std::string_view(text_) : std::string_view(text_).substr(text_size_);
    }

    friend bool operator==(const request_id& a, const request_id& b) noexcept { return a.key() == b.key(); }

private:
    std::string text_; // the text, and after it the key where that differs (a string with escapes)
    std::size_t text_size_ = 0;
};

} // namespace partyline
