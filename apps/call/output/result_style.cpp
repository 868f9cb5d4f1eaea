#include "result_style.hpp"

#include <cstdlib>
#include <string_view>

#include <unistd.h>

namespace call {
namespace {

std::string_view text_of(const char* variable)
{
    return variable ? variable : "";
}

} // namespace

result_style style_of(color_choice wanted, bool is_terminal, const char* no_color, const char* term)
{
    if (wanted == color_choice::always)
        return result_style::colored;
    if (!is_terminal)
        return result_style::exact;
    const bool knows_colors = !text_of(term).empty() && text_of(term) != "dumb";
    const bool may_be_colored = wanted == color_choice::automatic && text_of(no_color).empty() && knows_colors;
    return may_be_colored ? result_style::colored : result_style::indented;
}

result_style style_of_output(color_choice wanted)
{
    return style_of(wanted, ::isatty(STDOUT_FILENO) != 0, std::getenv("NO_COLOR"), std::getenv("TERM"));
}

} // namespace call
