#include "mcp/schema/pattern/pattern_reader.hpp"

#include "mcp/schema/pattern/pattern_escapes.hpp"

#include <algorithm>
#include <utility>

namespace partyline::mcp::detail {
namespace {

pattern_tree character(code_point_set set)
{
    return {.what = pattern_tree::kind::character, .set = std::move(set)};
}

} // namespace

pattern_reader::pattern_reader(std::string_view text) : from_(text.substr(0, 4 * max_pattern_characters))
{
    if (text.size() > max_pattern_characters)
        from_.refuse("it is longer than " + std::to_string(max_pattern_characters) + " bytes");
}

pattern_tree pattern_reader::read()
{
    pattern_tree all = read_alternatives();
    if (!from_.is_at_end())
        from_.refuse("a parenthesis is closed that was not opened");
    return all;
}

pattern_tree pattern_reader::read_alternatives()
{
    pattern_tree all{.what = pattern_tree::kind::alternatives};
    do {
        all.parts.push_back(read_sequence());
    } while (from_.take_if(U'|'));
    return all;
}

pattern_tree pattern_reader::read_sequence()
{
    pattern_tree all;
    while (!from_.is_at_end() && from_.peek() != U'|' && from_.peek() != U')')
        all.parts.push_back(read_repeated());
    return all;
}

pattern_tree pattern_reader::read_repeated()
{
    pattern_tree atom = read_atom();
    const std::optional<repeats> times = read_repeats();
    if (!times)
        return atom;
    if (atom.what == pattern_tree::kind::begin || atom.what == pattern_tree::kind::end)
        from_.refuse("an anchor cannot be repeated");
    from_.take_if(U'?'); // lazy: the same is found
    pattern_tree all{.what = pattern_tree::kind::repeat, .min = times->min, .max = times->max};
    all.parts.push_back(std::move(atom));
    return all;
}

pattern_tree pattern_reader::read_atom()
{
    const char32_t c = from_.take();
    switch (c) {
    case U'^': return {.what = pattern_tree::kind::begin};
    case U'$': return {.what = pattern_tree::kind::end};
    case U'.': return character(line_ends().inverted());
    case U'[': return character(read_class(from_));
    case U'\\': return character(read_escape(from_));
    case U'(': return read_group();
    case U'*':
    case U'+':
    case U'?': from_.refuse("there is nothing to repeat");
    default: return character(code_point_set({{c, c}}));
    }
}

pattern_tree pattern_reader::read_group()
{
    if (++depth_ > max_pattern_groups)
        from_.refuse("more than " + std::to_string(max_pattern_groups) + " groups in each other");
    skip_group_head();
    pattern_tree all = read_alternatives();
    if (!from_.take_if(U')'))
        from_.refuse("a parenthesis is not closed");
    --depth_;
    return all;
}

void pattern_reader::skip_group_head()
{
    if (!from_.take_if(U'?') || from_.take_if(U':'))
        return;
    const char32_t next = from_.peek(1);
    const bool has_name = from_.peek() == U'<' && next != U'=' && next != U'!';
    if (has_name)
        return skip_group_name();
    if (from_.peek() == U'=' || from_.peek() == U'!' || from_.peek() == U'<')
        from_.refuse("look-around cannot be matched in linear time");
    from_.refuse("there is no such kind of group");
}

void pattern_reader::skip_group_name()
{
    do {
        from_.take();
        if (from_.is_at_end())
            from_.refuse("a group's name has no end");
    } while (from_.peek() != U'>');
    from_.take();
}

std::optional<pattern_reader::repeats> pattern_reader::read_repeats()
{
    if (from_.take_if(U'*'))
        return repeats{0, no_end};
    if (from_.take_if(U'+'))
        return repeats{1, no_end};
    if (from_.take_if(U'?'))
        return repeats{0, 1};
    const std::size_t begin = from_.position();
    const std::optional<repeats> counts = from_.take_if(U'{') ? read_counts() : std::nullopt;
    if (!counts)
        from_.go_back_to(begin); // a brace that begins no count is a character
    return counts;
}

std::optional<pattern_reader::repeats> pattern_reader::read_counts()
{
    const std::optional<std::size_t> min = read_number();
    if (!min)
        return std::nullopt;
    std::size_t max = *min;
    if (from_.take_if(U','))
        max = read_number().value_or(no_end);
    if (!from_.take_if(U'}'))
        return std::nullopt;
    if (max < *min)
        from_.refuse("a repetition of at least more than at most");
    if (*min > max_pattern_repeats || (max != no_end && max > max_pattern_repeats))
        from_.refuse("more than " + std::to_string(max_pattern_repeats) + " repetitions");
    return repeats{*min, max};
}

// Bigger numbers than any that is allowed are as good as one that is too big.
std::optional<std::size_t> pattern_reader::read_number()
{
    std::optional<std::size_t> number;
    while (from_.peek() >= U'0' && from_.peek() <= U'9') {
        const std::size_t digit = from_.take() - U'0';
        number = std::min(number.value_or(0) * 10 + digit, max_pattern_repeats + 1);
    }
    return number;
}

} // namespace partyline::mcp::detail
