#include "transport/child/line_splitter.hpp"

#include <algorithm>
#include <utility>

namespace partyline {

std::vector<std::string> line_splitter::feed(std::string_view piece)
{
    std::vector<std::string> lines;
    for (std::size_t end; (end = piece.find('\n')) != piece.npos; piece.remove_prefix(end + 1)) {
        add(piece.substr(0, end));
        lines.push_back(take());
    }
    add(piece);
    has_begun_ = has_begun_ || !piece.empty();
    return lines;
}

std::vector<std::string> line_splitter::finish()
{
    std::vector<std::string> lines;
    if (has_begun_)
        lines.push_back(take());
    return lines;
}

void line_splitter::add(std::string_view part)
{
    line_.append(part.substr(0, max_line_ - std::min(max_line_, line_.size())));
}

std::string line_splitter::take()
{
    has_begun_ = false;
    if (line_.ends_with('\r'))
        line_.pop_back();
    return std::exchange(line_, std::string());
}

} // namespace partyline
