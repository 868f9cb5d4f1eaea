#include "document.hpp"

#include "characters.hpp"

#include <algorithm>
#include <utility>

namespace plain_text {

document::document(std::int64_t version, std::string text) : version_(version), text_(std::move(text))
{
    find_lines(0);
}

std::string_view document::line(std::size_t number) const noexcept
{
    const std::size_t begin = starts_[number];
    const bool is_last = number + 1 == starts_.size();
    const std::size_t end = is_last ? text_.size() : starts_[number + 1];
    std::string_view whole = std::string_view(text_).substr(begin, end - begin);
    if (whole.ends_with('\n'))
        whole.remove_suffix(1);
    if (!is_last && whole.ends_with('\r'))
        whole.remove_suffix(1);
    return whole;
}

std::size_t document::offset_of(position at) const noexcept
{
    if (at.line >= starts_.size())
        return text_.size();
    return starts_[at.line] + byte_of_unit(line(at.line), at.character);
}

position document::position_of(std::size_t number, std::size_t byte) const noexcept
{
    const std::size_t units = count_units(line(number).substr(0, byte));
    return {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(units)};
}

document document::changed(std::int64_t version, const std::vector<text_change>& changes) const
{
    document next = *this;
    next.version_ = version;
    for (const text_change& change : changes)
        next.apply(change); // its positions are those that the one before has left
    return next;
}

void document::apply(const text_change& change)
{
    if (!change.where)
        return replace(0, text_.size(), change.text);
    const std::size_t start = offset_of(change.where->start);
    const std::size_t end = offset_of(change.where->end);
    replace(std::min(start, end), std::max(start, end), change.text);
}

void document::replace(std::size_t first, std::size_t last, std::string_view text)
{
    const auto after = std::upper_bound(starts_.begin(), starts_.end(), first);
    const auto line = static_cast<std::size_t>(after - starts_.begin()) - 1;
    text_.replace(first, last - first, text);
    find_lines(line == 0 ? 0 : line - 1); // a CR that ended the line before may have got its LF
}

// The first `known` lines begin where they did.
void document::find_lines(std::size_t known)
{
    starts_.resize(known + 1);
    for (std::size_t at = starts_.back(); at < text_.size();) {
        const char c = text_[at++];
        if (c != '\n' && c != '\r')
            continue;
        if (c == '\r' && at < text_.size() && text_[at] == '\n')
            ++at;
        starts_.push_back(at);
    }
}

} // namespace plain_text
