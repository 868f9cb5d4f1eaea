#pragma once

#include <partyline/config.hpp>

#include <cstddef>
#include <string_view>

namespace partyline {

/// Whether text that comes in pieces is UTF-8. A sequence may be cut between two of them.
/// Thread safety: none.
class PARTYLINE_EXPORT utf8_check {
public:
    /// False: no text can begin like that.
    bool feed(std::string_view piece) noexcept;
    /// Whether the text could end here: it does not within a sequence.
    bool is_whole() const noexcept { return carried_ == 0; }
    void reset() noexcept { carried_ = 0; }

private:
    bool complete_carried(std::string_view& piece) noexcept;
    bool carry(std::string_view rest) noexcept;

    char carry_[4] = {};      // the beginning of a sequence
    std::size_t carried_ = 0; // of these, at most 3
};

} // namespace partyline
