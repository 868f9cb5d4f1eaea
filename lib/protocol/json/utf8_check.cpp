#include "protocol/json/utf8_check.hpp"

#include "protocol/json/utf8.hpp"

#include <cstdint>
#include <cstring>

namespace partyline {
namespace {

// Whether a sequence can begin so. What may follow in it depends on no more than the second byte, and where that is
// still to come, its least or its greatest value fits.
bool can_begin(const char* bytes, std::size_t count) noexcept
{
    for (const char fill : {'\x80', '\xBF'}) {
        char whole[4] = {fill, fill, fill, fill};
        std::memcpy(whole, bytes, count);
        if (utf8::sequence_length(whole) > count)
            return true;
    }
    return false;
}

// The first byte that is not ASCII, or the end.
std::size_t skip_ascii(std::string_view text, std::size_t at) noexcept
{
    constexpr std::uint64_t high_bits = 0x8080808080808080;
    for (std::uint64_t word = 0; text.size() - at >= sizeof word; at += sizeof word) {
        std::memcpy(&word, text.data() + at, sizeof word);
        if ((word & high_bits) != 0)
            break;
    }
    while (at != text.size() && static_cast<signed char>(text[at]) >= 0)
        ++at;
    return at;
}

} // namespace

bool utf8_check::feed(std::string_view piece) noexcept
{
    if (carried_ != 0 && !complete_carried(piece))
        return false;
    const char* const end = piece.data() + piece.size();
    for (std::size_t at = 0;;) {
        at = skip_ascii(piece, at);
        if (at == piece.size())
            return true;
        const char* const behind = utf8::skip_sequences(piece.data() + at, end);
        if (behind == piece.data() + at)
            return carry(piece.substr(at));
        at = static_cast<std::size_t>(behind - piece.data());
    }
}

// Takes bytes off the piece until the sequence is whole.
bool utf8_check::complete_carried(std::string_view& piece) noexcept
{
    while (!piece.empty() && carried_ != 0) {
        carry_[carried_++] = piece.front();
        piece.remove_prefix(1);
        if (utf8::sequence_length(carry_, carry_ + carried_) == carried_)
            carried_ = 0;
        else if (carried_ == sizeof carry_ || !can_begin(carry_, carried_))
            return false;
    }
    return true;
}

// What is left begins with no whole sequence.
bool utf8_check::carry(std::string_view rest) noexcept
{
    if (rest.size() >= sizeof carry_ || !can_begin(rest.data(), rest.size()))
        return false;
    std::memcpy(carry_, rest.data(), rest.size());
    carried_ = rest.size();
    return true;
}

} // namespace partyline
