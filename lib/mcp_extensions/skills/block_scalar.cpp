#include "mcp_extensions/skills/block_scalar.hpp"

namespace partyline::mcp::skills {
namespace {

bool is_more_indented(std::string_view line)
{
    return line.starts_with(' ') || line.starts_with('\t');
}

// Breaks between lines are spaces, unless one of them has more indentation; of several breaks one goes.
std::string fold(const std::vector<std::string_view>& lines, std::size_t count)
{
    std::string out;
    std::size_t empty = 0; // lines since the last one with text
    std::optional<std::string_view> last;
    for (std::size_t i = 0; i != count; ++i) {
        const std::string_view line = lines[i];
        if (line.empty()) {
            ++empty;
            continue;
        }
        if (!last)
            out.append(empty, '\n');
        else if (is_more_indented(*last) || is_more_indented(line))
            out.append(empty + 1, '\n');
        else if (empty == 0)
            out.push_back(' ');
        else
            out.append(empty, '\n');
        out.append(line);
        last = line;
        empty = 0;
    }
    return out;
}

std::string keep_lines(const std::vector<std::string_view>& lines, std::size_t count)
{
    std::string out;
    for (std::size_t i = 0; i != count; ++i)
        out.append(i == 0 ? "" : "\n").append(lines[i]);
    return out;
}

} // namespace

std::optional<block_header> read_block_header(std::string_view text)
{
    if (text.empty() || (text.front() != '|' && text.front() != '>'))
        return std::nullopt;
    block_header read;
    read.is_folded = text.front() == '>';
    text.remove_prefix(1);
    for (; !text.empty() && text.front() != ' '; text.remove_prefix(1))
        if ((text.front() == '-' || text.front() == '+') && read.chomping == 'c')
            read.chomping = text.front();
        else if (text.front() >= '1' && text.front() <= '9' && read.indentation == 0)
            read.indentation = static_cast<std::size_t>(text.front() - '0');
        else
            return std::nullopt;
    const std::size_t behind = text.find_first_not_of(' ');
    if (behind != std::string_view::npos && text[behind] != '#')
        return std::nullopt;
    return read;
}

std::string block_text(const block_header& how, const std::vector<std::string_view>& lines)
{
    std::size_t count = lines.size(); // without the empty ones at the end
    while (count != 0 && lines[count - 1].empty())
        --count;
    std::string text = how.is_folded ? fold(lines, count) : keep_lines(lines, count);
    if (how.chomping == '+')
        text.append(lines.size() - count + (count == 0 ? 0 : 1), '\n');
    else if (how.chomping == 'c' && count != 0)
        text.push_back('\n');
    return text;
}

} // namespace partyline::mcp::skills
