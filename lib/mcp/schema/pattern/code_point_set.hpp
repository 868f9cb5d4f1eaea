#pragma once

#include <bitset>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::mcp::detail {

inline constexpr char32_t last_code_point = 0x10FFFF;

struct code_point_range {
    char32_t first;
    char32_t last;
};

/// The characters that one place of a pattern stands for.
class code_point_set {
public:
    code_point_set() = default;
    explicit code_point_set(std::vector<code_point_range> ranges);

    const std::vector<code_point_range>& ranges() const noexcept { return ranges_; }
    code_point_set inverted() const;
    bool contains(char32_t c) const noexcept { return c < ascii_.size() ? ascii_[c] : is_in_ranges(c); }

private:
    void merge();
    bool is_in_ranges(char32_t c) const noexcept;

    std::vector<code_point_range> ranges_; // sorted, apart from each other
    std::bitset<128> ascii_;               // the same once more
};

/// The sets of ECMA-262: `\d`, `\w`, `\s`, and what `.` does not stand for.
code_point_set digits();
code_point_set word_characters();
code_point_set white_space();
code_point_set line_ends();

/// Takes the first character off a text that is not empty; bytes that are not UTF-8 are U+FFFD each.
char32_t take_code_point(std::string_view& text) noexcept;
std::u32string code_points_of(std::string_view text);

} // namespace partyline::mcp::detail
