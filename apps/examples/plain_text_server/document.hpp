#pragma once

#include "text_block.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plain_text {

/// A place in a document (LSP 3.17, Position): both count from 0, `character` in UTF-16 code units.
struct position {
    std::uint32_t line = 0;
    std::uint32_t character = 0;

    friend bool operator==(const position&, const position&) = default;
};

/// From `start` up to, and without, `end`.
struct range {
    position start;
    position end;

    friend bool operator==(const range&, const range&) = default;
};

/// One change of a document (LSP 3.17, TextDocumentContentChangeEvent).
struct text_change {
    /// What is replaced; unset: all of it.
    std::optional<range> where;
    std::string text;
};

/// One version of a document. Lines end with LF, CR LF or CR, which are no part of them; there is always a last one,
/// which may be empty.
///
/// A position that does not exist is brought back to one that does: behind the end of a line to that end, behind the
/// last line to the end of the text, within a surrogate pair to its beginning. A range whose end comes first is turned
/// round.
///
/// Its text stands in blocks of whole lines, of which an edit makes only those anew that it changes: who types in a
/// text of megabytes does not wait for it to be copied.
class document {
public:
    document(std::int64_t version, std::string_view text);

    std::int64_t version() const noexcept { return version_; }
    std::string text() const;
    std::size_t line_count() const noexcept;
    std::string_view line(std::size_t number) const noexcept;

    /// The byte at a position.
    std::size_t offset_of(position at) const noexcept;
    /// The position of a byte of a line, counted from where that begins.
    position position_of(std::size_t line, std::size_t byte) const noexcept;

    /// The version that the changes make of it, one after the other.
    document changed(std::int64_t version, const std::vector<text_change>& changes) const;

private:
    struct block {
        shared_block lines;
        std::size_t first_line;
        std::size_t first_byte;
    };
    struct place {
        std::size_t block;
        std::size_t byte; // in it

        friend auto operator<=>(const place&, const place&) = default;
    };

    void set(std::string_view text);
    void apply(const text_change& change);
    void replace(place first, place last, std::string_view by);
    void exchange(std::size_t begin, std::size_t end, std::vector<shared_block> by);
    void count_from(std::size_t first);
    place find(position at) const noexcept;
    std::size_t block_of(std::size_t line) const noexcept;
    static bool ends_before(std::string_view text, std::string_view next) noexcept;

    std::int64_t version_;
    std::vector<block> blocks_; // all but the last one end with a line; that is the last line
};

} // namespace plain_text
