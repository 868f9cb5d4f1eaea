#pragma once

#include "mcp/schema/pattern/code_point_set.hpp"

#include <cstddef>
#include <vector>

namespace partyline::mcp::detail {

inline constexpr std::size_t max_pattern_characters = 4096;
inline constexpr std::size_t max_pattern_groups = 32; // in each other
inline constexpr std::size_t max_pattern_repeats = 1000;
inline constexpr std::size_t no_end = std::size_t(-1);

/// A pattern as it is written. Which text a group took, and whether a repetition is greedy, makes no difference to
/// whether the pattern is found, so nothing is kept of that.
struct pattern_tree {
    enum class kind { character, begin, end, sequence, alternatives, repeat };

    kind what = kind::sequence;
    code_point_set set = {};
    std::vector<pattern_tree> parts = {};
    std::size_t min = 1; // of a repeat
    std::size_t max = 1;
};

} // namespace partyline::mcp::detail
