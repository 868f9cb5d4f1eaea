#pragma once

#include "protocol/json/scanner.hpp"

#include <partyline/protocol/json_text.hpp>

#include <string>
#include <string_view>

namespace partyline::detail {

/// Steps through the elements of an array or the members of an object, as text: no value is built.
///
/// Flow: `next()` before each element; false at the end. The text has been checked, so nothing can be wrong with it.
class element_cursor {
public:
    explicit element_cursor(json_view container) noexcept;

    bool next();

    /// A member's name, decoded; valid until the next one. Empty in an array.
    std::string_view name() const noexcept { return name_; }
    json_view value() const noexcept { return value_; }

private:
    scanner scan_;
    const char* at_;
    bool is_object_;
    std::string_view name_;
    std::string decoded_;
    json_view value_;
};

} // namespace partyline::detail
