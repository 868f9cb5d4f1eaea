#pragma once

#include "mcp/schema/pattern/pattern_cursor.hpp"
#include "mcp/schema/pattern/pattern_tree.hpp"

#include <optional>
#include <string_view>

namespace partyline::mcp::detail {

/// Reads a regular expression of ECMA-262, as far as it can be matched in linear time: neither back-references nor
/// look-around nor word boundaries. Throws `std::invalid_argument`.
class pattern_reader {
public:
    explicit pattern_reader(std::string_view text);

    pattern_tree read();

private:
    struct repeats {
        std::size_t min;
        std::size_t max;
    };

    pattern_tree read_alternatives();
    pattern_tree read_sequence();
    pattern_tree read_repeated();
    pattern_tree read_atom();
    pattern_tree read_group();
    void skip_group_head();
    void skip_group_name();
    std::optional<repeats> read_repeats();
    std::optional<repeats> read_counts();
    std::optional<std::size_t> read_number();

    pattern_cursor from_;
    std::size_t depth_ = 0;
};

} // namespace partyline::mcp::detail
