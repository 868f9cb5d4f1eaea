#pragma once

#include "rpc/text_source.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace partyline::detail {

/// Which of the rows of a table have been read.
class row_set {
public:
    static constexpr std::size_t most = 64;

    bool has(std::size_t index) const noexcept { return (bits_ >> index & 1) != 0; }
    void add(std::size_t index) noexcept
    {
        bits_ |= std::uint64_t(1) << index;
        ++size_;
    }
    std::size_t size() const noexcept { return size_; }

private:
    std::uint64_t bits_ = 0;
    std::size_t size_ = 0;
};

/// Reads members into the rows of a table, from text. The next member is looked for where the last one was found, since
/// most come in order.
template <class NameOf>
class row_reader {
public:
    row_reader(void* into, array_view<const read_row> rows, NameOf name_of)
        : into_(into), rows_(rows), name_of_(name_of)
    {
    }

    /// The name of the row behind the last one; empty when there is none, or none that is plain text.
    std::string_view likely_name() const noexcept
    {
        const wire_text name = next_ == rows_.size() ? wire_text{} : name_of_(next_);
        return name.is_plain ? name.text : std::string_view();
    }

    /// The row of that name; `rows.size()` when there is none.
    std::size_t find(std::string_view name) const noexcept
    {
        if (next_ != rows_.size() && name_of_(next_).text.data() == name.data()) [[likely]]
            return next_;
        std::size_t index = 0;
        while (index != rows_.size() && name_of_(index).text != name)
            ++index;
        return index;
    }

    /// False also for one that comes again: the last one counts then.
    bool read(std::size_t index, text_source& from)
    {
        if (read_.has(index))
            return false;
        read_.add(index);
        next_ = index + 1;
        return rows_[index].read(into_, from);
    }

    /// Reads what has been left out; false where it is required.
    bool end(text_source& from)
    {
        if (read_.size() == rows_.size()) [[likely]]
            return true;
        for (std::size_t i = 0; i != rows_.size(); ++i)
            if (!read_.has(i) && (rows_[i].is_required || !from.read_nothing(into_, rows_[i])))
                return false;
        return true;
    }

private:
    void* into_;
    array_view<const read_row> rows_;
    NameOf name_of_;
    row_set read_;
    std::size_t next_ = 0;
};

} // namespace partyline::detail
