#include "shown_line.hpp"

#include <algorithm>

namespace call {

std::string shown_lines(std::string_view text, std::string_view indent)
{
    constexpr int most = 100;
    std::string all;
    int count = 0;
    for (std::size_t begin = 0; begin < text.size() && count <= most; ++count) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string line = count == most ? "..." : shown_line(text.substr(begin, end - begin));
        all.append(indent).append(line).append("\n");
        begin = end + 1;
    }
    return all;
}

std::string shown_text(std::string_view text)
{
    std::string all;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find_first_of("\n\t", begin), text.size());
        all += partyline::printable(text.substr(begin, end - begin));
        if (end < text.size())
            all += text[end];
        begin = end + 1;
    }
    return all;
}

} // namespace call
