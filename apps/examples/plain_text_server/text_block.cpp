#include "text_block.hpp"

#include <utility>

namespace plain_text {
namespace {

// An edit writes one anew and looks at the list of all: this is about even for some megabytes.
constexpr std::size_t block_bytes = 2048;

} // namespace

std::size_t end_of_line(std::string_view text, std::size_t at) noexcept
{
    while (at < text.size()) {
        const char c = text[at++];
        if (c == '\r' && at < text.size() && text[at] == '\n')
            ++at;
        if (c == '\r' || c == '\n')
            break;
    }
    return at;
}

text_block::text_block(std::string lines) : text_(std::move(lines))
{
    std::size_t at = 0;
    do {
        starts_.push_back(at);
        at = end_of_line(text_, at);
    } while (at < text_.size());
}

std::string_view text_block::line(std::size_t number) const noexcept
{
    const std::size_t begin = starts_[number];
    const std::size_t end = number + 1 == starts_.size() ? text_.size() : starts_[number + 1];
    std::string_view whole = std::string_view(text_).substr(begin, end - begin);
    if (whole.ends_with('\n'))
        whole.remove_suffix(1);
    if (whole.ends_with('\r'))
        whole.remove_suffix(1);
    return whole;
}

std::vector<shared_block> make_blocks(std::string_view text)
{
    std::vector<shared_block> blocks;
    const auto add = [&](std::string_view lines) {
        blocks.push_back(std::make_shared<text_block>(std::string(lines)));
    };
    const std::size_t last = text.find_last_of("\r\n");
    const std::size_t ended = last == text.npos ? 0 : last + 1;
    std::size_t begin = 0;
    for (std::size_t at = 0; at < ended; at = end_of_line(text, at)) {
        if (at - begin < block_bytes || ended - at < block_bytes)
            continue; // none becomes small: else their number would grow with the edits, not with the text
        add(text.substr(begin, at - begin));
        begin = at;
    }
    if (begin < ended)
        add(text.substr(begin, ended - begin));
    add(text.substr(ended));
    return blocks;
}

} // namespace plain_text
