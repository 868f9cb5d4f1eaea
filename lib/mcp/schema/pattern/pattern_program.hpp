#pragma once

#include "mcp/schema/pattern/pattern_tree.hpp"

#include <cstdint>
#include <vector>

namespace partyline::mcp::detail {

inline constexpr std::size_t max_pattern_steps = 4000;

/// One step of matching; but for a jump it goes on with the step behind it.
struct pattern_step {
    enum class kind : std::uint8_t { character, begin, end, split, jump, found };

    kind what;
    std::uint32_t operand = 0; // the number of a set; where a jump goes, or a split as well
};

/// A pattern as steps that a matcher can be at several of at a time (Thompson's construction).
struct pattern_program {
    std::vector<pattern_step> steps;
    std::vector<code_point_set> sets;
};

/// Throws `std::invalid_argument` for a pattern that would take too many steps.
pattern_program make_pattern_program(const pattern_tree& tree);

} // namespace partyline::mcp::detail
