#include "output_lines.hpp"

#include "tools/text/excerpt.hpp"

#include <algorithm>

namespace tools {

void output_lines::feed(std::string_view piece)
{
    while (!piece.empty()) {
        has_begun_ = true;
        const std::string_view part = piece.substr(0, piece.find('\n'));
        // One byte more than is shown, so that it shows that there was more.
        line_ += part.substr(0, max_line + 1 - std::min(line_.size(), max_line + 1));
        if (part.size() == piece.size())
            return;
        tell();
        piece.remove_prefix(part.size() + 1);
    }
}

void output_lines::finish()
{
    if (has_begun_)
        tell();
}

void output_lines::tell()
{
    const std::string line = std::move(line_);
    line_.clear();
    has_begun_ = false;
    if (on_line_)
        on_line_(excerpt_of(line, 0, 0, max_line));
}

} // namespace tools
