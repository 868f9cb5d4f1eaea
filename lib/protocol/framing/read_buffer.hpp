#pragma once

#include "protocol/framing/spare_buffers.hpp"

#include <partyline/protocol/byte_buffer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

namespace partyline {

/// What has been read and not yet been handed out, in one piece.
class read_buffer {
public:
    /// Where to read to: what a pipe holds, and up to as much again as there is of a message that is longer than that.
    /// `most` is the most that is ever to be left over.
    std::span<char> prepare(std::size_t most)
    {
        make_room();
        if (bytes_.capacity() == 0)
            bytes_ = detail::take_spare_buffer();
        const std::size_t left = bytes_.size();
        if (bytes_.capacity() <= left + read_size) // one byte is more than is read: see at()
            bytes_.reserve(left + growth(left, most) + 1);
        is_lent_ = true;
        return {bytes_.data() + left, std::min(bytes_.capacity() - left - 1, std::max(read_size, left))};
    }
    void commit(std::size_t count) noexcept
    {
        bytes_.commit(count);
        is_lent_ = false;
    }

    std::string_view pending() const noexcept { return {bytes_.data() + begin_, bytes_.size() - begin_}; }
    /// The byte at `position` of what is pending, or the one behind the last. Something must have been read.
    char& at(std::size_t position) noexcept { return bytes_.data()[begin_ + position]; }
    void drop(std::size_t count) noexcept { begin_ += count; }
    /// Drops `count` bytes at `position` of what is pending, and moves what is behind them.
    void erase(std::size_t position, std::size_t count) noexcept
    {
        if (count == 0)
            return;
        const std::size_t behind = pending().size() - position - count;
        std::memmove(&at(position), &at(position) + count, behind);
        bytes_.truncate(begin_ + position + behind);
    }

    /// Keeps nothing where nothing is pending, else no more memory than twice that, and twice what is read at once. Not
    /// while a read is under way into what `prepare()` gave.
    void release_memory()
    {
        if (is_lent_)
            return;
        if (pending().empty()) {
            detail::keep_spare_buffer(std::exchange(bytes_, byte_buffer()));
            begin_ = 0;
            return;
        }
        // More than `prepare()` takes for it, so that no byte is moved again and again while its message comes in
        // pieces.
        if (bytes_.capacity() <= 2 * (read_size + pending().size()))
            return;
        byte_buffer smaller;
        smaller.reserve(pending().size() + 1); // see at()
        smaller.append(pending());
        bytes_.swap(smaller);
        begin_ = 0;
    }

private:
    static constexpr std::size_t read_size = std::size_t(64) << 10;
    static constexpr std::size_t kept_size = std::size_t(1) << 20; // above that memory is given back after a message

    // By more than is read at once: whoever grows at each short read may move all that is there each time.
    static std::size_t growth(std::size_t left, std::size_t most) noexcept
    {
        return std::max(read_size + read_size / 2, std::min(left, most + read_size - std::min(left, most)));
    }

    void make_room()
    {
        bytes_.erase_front(begin_);
        begin_ = 0;
        if (bytes_.capacity() <= kept_size || bytes_.size() >= kept_size / 2)
            return;
        byte_buffer smaller;
        smaller.append(bytes_.view());
        bytes_.swap(smaller);
    }

    byte_buffer bytes_;
    std::size_t begin_ = 0; // of what is pending
    bool is_lent_ = false;  // what prepare() gave is being read to
};

} // namespace partyline
