#pragma once

#include <optional>
#include <string_view>
#include <utility>

namespace partyline::fleet {

/// What was read of a payload, or why it is refused: a text of the program, so that it can be logged and counted.
template <class Value>
struct read_outcome {
    read_outcome(Value read) : value(std::move(read)) {}
    read_outcome(std::string_view why) : refused(why) {}
    read_outcome(const char* why) : refused(why) {}

    explicit operator bool() const noexcept { return value.has_value(); }

    std::optional<Value> value;
    std::string_view refused = {};
};

} // namespace partyline::fleet
