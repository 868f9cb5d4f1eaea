#include "document.hpp"

#include "characters.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace plain_text {

document::document(std::int64_t version, std::string_view text) : version_(version)
{
    set(text);
}

void document::set(std::string_view text)
{
    blocks_.clear();
    for (shared_block& lines : make_blocks(text))
        blocks_.push_back({std::move(lines), 0, 0});
    count_from(0);
}

void document::count_from(std::size_t first)
{
    blocks_.front().first_line = blocks_.front().first_byte = 0;
    for (std::size_t i = std::max<std::size_t>(first, 1); i < blocks_.size(); ++i) {
        const block& before = blocks_[i - 1];
        blocks_[i].first_line = before.first_line + before.lines->line_count();
        blocks_[i].first_byte = before.first_byte + before.lines->text().size();
    }
}

std::string document::text() const
{
    std::string all;
    for (const block& it : blocks_)
        all += it.lines->text();
    return all;
}

std::size_t document::line_count() const noexcept
{
    return blocks_.back().first_line + 1; // the last block is the last line
}

std::size_t document::block_of(std::size_t line) const noexcept
{
    const auto behind = std::ranges::upper_bound(blocks_, line, {}, &block::first_line);
    return static_cast<std::size_t>(behind - blocks_.begin()) - 1;
}

std::string_view document::line(std::size_t number) const noexcept
{
    const block& in = blocks_[block_of(number)];
    return in.lines->line(number - in.first_line);
}

document::place document::find(position at) const noexcept
{
    if (at.line >= line_count())
        return {blocks_.size() - 1, blocks_.back().lines->text().size()};
    const std::size_t index = block_of(at.line);
    const block& in = blocks_[index];
    const std::size_t line = at.line - in.first_line;
    return {index, in.lines->start_of(line) + byte_of_unit(in.lines->line(line), at.character)};
}

std::size_t document::offset_of(position at) const noexcept
{
    const place found = find(at);
    return blocks_[found.block].first_byte + found.byte;
}

position document::position_of(std::size_t number, std::size_t byte) const noexcept
{
    const std::size_t units = count_units(line(number).substr(0, byte));
    return {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(units)};
}

document document::changed(std::int64_t version, const std::vector<text_change>& changes) const
{
    document next = *this; // shares all blocks
    next.version_ = version;
    for (const text_change& change : changes)
        next.apply(change); // its positions are those that the one before has left
    return next;
}

void document::apply(const text_change& change)
{
    if (!change.where)
        return set(change.text);
    const place start = find(change.where->start);
    const place end = find(change.where->end);
    replace(std::min(start, end), std::max(start, end), change.text);
}

// Makes the blocks anew in which something changes, and a neighbour where a line end goes or comes at their edge.
void document::replace(place first, place last, std::string_view by)
{
    std::string text = blocks_[first.block].lines->text().substr(0, first.byte);
    text.append(by).append(blocks_[last.block].lines->text(), last.byte);
    std::size_t begin = first.block;
    std::size_t end = last.block + 1;
    if (begin != 0 && blocks_[begin - 1].lines->text().ends_with('\r')) // an LF may come behind it
        text.insert(0, blocks_[--begin].lines->text());
    while (end != blocks_.size() && !ends_before(text, blocks_[end].lines->text()))
        text += blocks_[end++].lines->text();
    exchange(begin, end, make_blocks(text));
}

// Whether a line ends at the end of `text` when `next` follows.
bool document::ends_before(std::string_view text, std::string_view next) noexcept
{
    if (text.ends_with('\r'))
        return !next.starts_with('\n');
    return text.ends_with('\n') || text.empty();
}

void document::exchange(std::size_t begin, std::size_t end, std::vector<shared_block> by)
{
    if (end != blocks_.size())
        by.pop_back(); // what is behind the last line end: nothing
    std::vector<block> fresh;
    for (shared_block& lines : by)
        fresh.push_back({std::move(lines), blocks_[begin].first_line, blocks_[begin].first_byte});
    const std::size_t same = std::min(fresh.size(), end - begin);
    const auto at = blocks_.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto left = std::move(fresh.begin(), fresh.begin() + static_cast<std::ptrdiff_t>(same), at);
    if (same < fresh.size())
        blocks_.insert(left, std::make_move_iterator(fresh.begin() + static_cast<std::ptrdiff_t>(same)),
                       std::make_move_iterator(fresh.end()));
    else
        blocks_.erase(left, blocks_.begin() + static_cast<std::ptrdiff_t>(end));
    count_from(begin);
}

} // namespace plain_text
