#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/error.hpp>

#include <boost/json/storage_ptr.hpp>
#include <boost/json/value.hpp>
#include <boost/system/result.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace partyline {

class value_builder;

/// A view of one JSON value as text, known to be valid. Empty when there is none (a request without params).
///
/// Only the library makes these, from messages that it has checked. A view handed to a handler is valid until that
/// handler returns; keep a `json_text` to have it longer.
class PARTYLINE_EXPORT json_view {
public:
    json_view() = default;

    /// The value's text, without white space around it.
    std::string_view text() const noexcept { return text_; }
    /// Whether there is no value.
    bool empty() const noexcept { return text_.empty(); }

    /// Builds the value, null for an empty view. Integers past 64 bits become doubles, numbers too close to zero for
    /// one become zero; of duplicate keys the last wins. The value may be kept for ever and freed by any thread; its
    /// storage is the default one or the library's own. Throws `rpc_error` -32602 for a number that no double can hold
    /// (`1e400`), and for an object of more than 80 members whose names were chosen to collide in Boost.JSON's hash
    /// table: they would take quadratic time. Also for a lone surrogate in a string: see `lone_surrogates`.
    boost::json::value to_value() const;
    /// Builds the value in a storage of the caller's choice.
    boost::json::value to_value(boost::json::storage_ptr storage) const;
    /// Builds the value as `to_value()` does, but returns the error: a peer may send any number of such values, and to
    /// throw costs more than to read them.
    boost::system::result<boost::json::value, error_object> try_to_value() const;
    /// Builds the value in a storage of the caller's choice, and returns the error.
    boost::system::result<boost::json::value, error_object> try_to_value(boost::json::storage_ptr storage) const;
    /// Whether the value has been built while its message was read, so that `to_value()` only has to return it.
    bool is_built() const noexcept;

    /// For the library's own readers: `text` has been checked to be one JSON value, without white space around it. The
    /// byte after it in memory is the one that ended it there: a NUL, or the next byte of its message. `built` may have
    /// its value, to be taken once.
    static json_view checked(std::string_view text, value_builder* built = nullptr) noexcept
    {
        return json_view(text, built);
    }

private:
    json_view(std::string_view text, value_builder* built) noexcept : text_(text), built_(built) {}

    std::string_view text_;
    value_builder* built_ = nullptr;
};

/// JSON text that is kept: params taken raw, or a result that a handler has as text already.
///
/// Text that a handler made itself is checked when it becomes a result, and -32603 names the place if it is not JSON.
/// Text that came in a message has been checked and is not checked again.
class PARTYLINE_EXPORT json_text {
public:
    json_text() = default;
    /// Text that has been made here; it is checked when it is sent.
    explicit json_text(std::string text) noexcept : text_(std::move(text)) {}
    /// A copy of text that has been checked.
    explicit json_text(json_view view) : text_(view.text()), checked_(true) {}

    /// The text, as it came or was made.
    const std::string& text() const noexcept { return text_; }
    /// Whether there is no text.
    bool empty() const noexcept { return text_.empty(); }
    /// Builds the value, as that of a view is built: `reply->to_value()`. Throws also `std::invalid_argument`, for text
    /// that a handler made itself and that is no JSON, or is nested deeper than by the default of `limits::depth`.
    boost::json::value to_value() const;
    /// Whether the text came in a message, and so needs no check before it is sent.
    bool is_checked() const noexcept { return checked_; }

private:
    std::string text_;
    bool checked_ = false;
};

} // namespace partyline
