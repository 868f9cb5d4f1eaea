#include "mcp/state/arguments_digest.hpp"

#include "protocol/json/value_scan.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace partyline::mcp {
namespace {

/// Writes what the scanner tells as canonical text, piece behind piece: a scalar is one piece, and when an array or
/// object ends, the pieces of its elements become one. None is the beginning of another, so that pieces in a row stay
/// apart.
///
/// An array or object whose text is long is replaced by its digest: so each byte is copied a few times at most, however
/// deep it stands, and short ones (`[],[],[]`) cost no digest each.
class canonical_text {
public:
    static constexpr bool decodes = true;
    static constexpr bool may_skip = false;

    void string(std::string_view text) { add_sized('s', text); }
    void key(std::string_view text, const char*, std::size_t) { string(text); }
    void boolean(bool value) { add(value ? "t" : "f"); }
    void null() { add("z"); }
    bool number(std::string_view text, bool)
    {
        add_sized('n', text);
        return true;
    }
    void array(std::size_t count) { end('a', count, {text_, begin_of_last(count)}); }
    bool object(std::size_t count);

    const std::string& text() const noexcept { return text_; }

private:
    using member = std::pair<std::string_view, std::string_view>; // the pieces of its name and its value

    static constexpr std::size_t longest_kept = 128;

    std::size_t begin_of_last(std::size_t count) const
    {
        return count == 0 ? text_.size() : begins_[begins_.size() - count];
    }
    std::string_view piece(std::size_t index) const;
    std::vector<member> last_members(std::size_t count) const;
    void add(std::string_view piece);
    void add_sized(char kind, std::string_view text);
    void end(char kind, std::size_t count, std::string pieces);

    std::string text_;
    std::vector<std::size_t> begins_; // of each piece
};

bool canonical_text::object(std::size_t count)
{
    std::vector<member> members = last_members(count);
    // Of the same name they stay in order, which is that of their pieces.
    std::sort(members.begin(), members.end(), [](const member& a, const member& b) {
        return std::pair(a.first, a.second.data()) < std::pair(b.first, b.second.data());
    });
    std::string pieces;
    for (const auto& [name, value] : members)
        pieces.append(name).append(value);
    end('o', 2 * count, std::move(pieces));
    return true;
}

std::string_view canonical_text::piece(std::size_t index) const
{
    const std::size_t end = index + 1 == begins_.size() ? text_.size() : begins_[index + 1];
    return std::string_view(text_).substr(begins_[index], end - begins_[index]);
}

std::vector<canonical_text::member> canonical_text::last_members(std::size_t count) const
{
    std::vector<member> members;
    members.reserve(count);
    for (std::size_t i = begins_.size() - 2 * count; i != begins_.size(); i += 2)
        members.emplace_back(piece(i), piece(i + 1));
    return members;
}

void canonical_text::add(std::string_view piece)
{
    begins_.push_back(text_.size());
    text_ += piece;
}

void canonical_text::add_sized(char kind, std::string_view text)
{
    begins_.push_back(text_.size());
    text_.append(1, kind).append(std::to_string(text.size())).append(1, ':').append(text);
}

void canonical_text::end(char kind, std::size_t count, std::string pieces)
{
    text_.resize(begin_of_last(count));
    begins_.resize(begins_.size() - count);
    if (pieces.size() <= longest_kept)
        return add_sized(kind, pieces);
    const char long_kind = kind == 'a' ? 'A' : 'O';
    add(std::string(1, long_kind).append(bytes_of(sha256(pieces))));
}

} // namespace

sha256_digest digest_of_arguments(json_view arguments)
{
    if (arguments.empty() || arguments.text() == "null")
        arguments = json_view::checked("{}");
    canonical_text canonical;
    scanner scan;
    scan.start(arguments.text());
    scan.value(arguments.text().data(), canonical, std::numeric_limits<std::size_t>::max()); // checked: it can't fail
    return sha256(canonical.text());
}

} // namespace partyline::mcp
