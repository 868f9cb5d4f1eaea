#pragma once

#include "mcp/schema/pattern/pattern_program.hpp"
#include "mcp/schema/step_budget.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace partyline::mcp::detail {

/// A regular expression, to be looked for anywhere in a text. The time is that of the text's length times the
/// pattern's.
class pattern {
public:
    /// Throws `std::invalid_argument` for a text that is no pattern, or none that can be matched in linear time.
    explicit pattern(std::string_view text);

    std::string_view text() const noexcept { return text_; }
    std::size_t size() const noexcept { return program_.steps.size(); }
    /// False too when the budget is used up.
    bool is_found_in(std::string_view text, step_budget& budget) const;

private:
    std::string text_;
    pattern_program program_;
};

} // namespace partyline::mcp::detail
