#pragma once

#include <boost/json/value.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace call {

/// What a progress value says, for a person to read.
struct progress_note {
    /// 0 to 100, where the value tells it.
    std::optional<double> percent;
    /// Everything else in it, in words; may be empty.
    std::string message;
};

/// Reads a progress value: a number from 0 to 100 or an object's `percentage` are a percentage, `progress` and `total`
/// make one; `title` and `message` are words, and so is a string. Whatever else a server takes for progress is shown as
/// JSON.
progress_note read_progress(const boost::json::value& value);

/// "progress 40%: message", behind the label if there is one. A long one is cut.
std::string to_line(const progress_note& note, std::string_view label);

/// "[========            ] 40% message", cut to `width` columns.
std::string to_bar(const progress_note& note, std::string_view label, std::size_t width);

} // namespace call
