#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::mcp::skills {

/// How a block scalar of YAML begins: `|` or `>`, perhaps an indentation, and what becomes of the breaks at its end.
struct block_header {
    bool is_folded = false;
    std::size_t indentation = 0; ///< 0: that of the first line
    char chomping = 'c';         ///< 'c': one break, '-': none, '+': all of them
};

/// Nothing for what is none.
std::optional<block_header> read_block_header(std::string_view text);
/// The text of its lines, which have lost their indentation.
std::string block_text(const block_header& how, const std::vector<std::string_view>& lines);

} // namespace partyline::mcp::skills
