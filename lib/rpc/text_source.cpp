#include "rpc/text_source.hpp"

#include "protocol/json/read_double.hpp"
#include "protocol/json/scanner.hpp"
#include "rpc/row_reader.hpp"
#include "rpc/value_source.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace partyline::detail {
namespace {

constexpr std::size_t any_depth = std::numeric_limits<std::size_t>::max(); // it has been looked at

/// Reads digits, and what is before them; null where the number is none of this type.
template <class Integer>
const char* read_integer(const char* p, const char* end, Integer& into) noexcept
{
    const std::from_chars_result read = std::from_chars(p, end, into);
    return read.ec == std::errc() ? read.ptr : nullptr;
}

/// Whether a number goes on with a point or an exponent.
bool goes_on(const char* p) noexcept
{
    return *p == '.' || (*p | 0x20) == 'e';
}

/// The same for one of few digits, as nearly all are.
inline const char* read_short(const char* p, std::int64_t& into) noexcept
{
    constexpr std::ptrdiff_t most_digits = 18;
    const bool is_negative = *p == '-';
    const char* const begin = p + is_negative;
    std::uint64_t number = 0; // more digits only make it wrong
    for (p = begin; scanner::is_digit(*p); ++p)
        number = number * 10 + static_cast<unsigned char>(*p - '0');
    into = static_cast<std::int64_t>(is_negative ? 0 - number : number);
    return p == begin || p - begin > most_digits || goes_on(p) ? nullptr : p;
}

} // namespace

bool text_source::read_null()
{
    if (*at_ != 'n')
        return false;
    at_ += 4;
    return true;
}

bool text_source::read_bool(bool& into)
{
    if (*at_ != 't' && *at_ != 'f')
        return false;
    into = *at_ == 't';
    at_ += into ? 4 : 5;
    return true;
}

bool text_source::read_signed(std::int64_t& into, std::int64_t min, std::int64_t max)
{
    const char* p = read_short(at_, into);
    if (!p) [[unlikely]]
        p = read_integer(at_, end_, into);
    if (!p || goes_on(p) || into < min || into > max)
        return false;
    at_ = p;
    return true;
}

bool text_source::read_unsigned(std::uint64_t& into, std::uint64_t max)
{
    std::int64_t number = 0;
    const char* p = read_short(at_, number);
    into = static_cast<std::uint64_t>(number);
    if (!p || number < 0) [[unlikely]]
        p = read_integer(at_, end_, into);
    if (!p || goes_on(p) || into > max)
        return false;
    at_ = p;
    return true;
}

// An integer is one first, as where a value is made of it: -0 is 0.
bool text_source::read_double(double& into, double max)
{
    std::int64_t number = 0;
    if (const char* const p = read_short(at_, number)) {
        into = static_cast<double>(number);
        at_ = p;
        return std::abs(into) <= max;
    }
    const char* const p = partyline::read_double(at_, end_, into);
    if (!p || std::abs(into) > max)
        return false;
    at_ = p;
    return true;
}

inline bool text_source::read_plain(std::string_view& into) noexcept
{
    if (*at_ != '"')
        return false;
    const char* const begin = at_ + 1;
    const char* const end = skip_plain(begin, end_);
    if (*end != '"')
        return false;
    into = std::string_view(begin, static_cast<std::size_t>(end - begin));
    at_ = end + 1;
    return true;
}

bool text_source::read_view(std::string_view& into)
{
    return read_plain(into);
}

bool text_source::read_string(std::string_view& into)
{
    return read_plain(into) || read_special_string(into);
}

bool text_source::read_string(std::string& into)
{
    std::string_view text;
    if (!read_plain(text) && !read_special_string(text)) [[unlikely]]
        return false;
    into.assign(text.data(), text.size());
    return true;
}

bool text_source::read_special_string(std::string_view& into)
{
    if (*at_ != '"')
        return false;
    scanner scan;
    scan.start({at_, static_cast<std::size_t>(end_ - at_)});
    scan.decode_half_pairs(scanner::half_pairs::refused);
    const char* const behind = scan.read_string(at_, into, memory_);
    if (!behind) [[unlikely]]
        return false;
    at_ = behind;
    return true;
}

json_view text_source::skip()
{
    const char* const begin = at_;
    scanner scan;
    scan.start({begin, static_cast<std::size_t>(end_ - begin)});
    at_ = scan.skip_value(begin, any_depth);
    return json_view::checked({begin, static_cast<std::size_t>(at_ - begin)});
}

bool text_source::read_raw(json_view& into)
{
    into = skip();
    return true;
}

bool text_source::read_value(boost::json::value& into)
{
    boost::system::result<boost::json::value, error_object> built = skip().try_to_value(boost::json::storage_ptr());
    if (!built)
        return false;
    into = std::move(*built);
    return true;
}

// No value is made of a number that no double can hold, for which it takes an exponent or hundreds of digits, nor of an
// object of more than 80 members whose names collide, nor of a lone surrogate.
bool text_source::ignore()
{
    constexpr std::size_t harmless = 256;
    const std::string_view text = skip().text();
    const auto is_exponent = [](char before, char c) { return scanner::is_digit(before) && (c == 'e' || c == 'E'); };
    return text.size() <= harmless && text.find("\\u") == text.npos &&
           std::adjacent_find(text.begin(), text.end(), is_exponent) == text.end();
}

bool text_source::begin(char bracket) noexcept
{
    if (*at_ != bracket)
        return false;
    ++at_;
    return true;
}

inline bool text_source::next(char close) noexcept
{
    const char* p = scanner::skip_space(at_);
    const bool is_over = *p == close;
    if (is_over)
        ++p;
    else if (*p == ',') // not before the first one
        p = scanner::skip_space(p + 1);
    at_ = p;
    return !is_over;
}

// Its quotes and what is between, at one go. (The value comes behind it: there are as many bytes.)
inline bool text_source::skip_name(std::string_view name) noexcept
{
    const std::size_t size = name.size();
    if (size == 0 || static_cast<std::size_t>(end_ - at_) < size + 2 || at_[size + 1] != '"' ||
        std::memcmp(at_ + 1, name.data(), size) != 0)
        return false;
    at_ += size + 2;
    return true;
}

bool text_source::next_element()
{
    return next(']');
}

bool text_source::next_member(std::string_view& name, std::string_view likely)
{
    if (!next('}'))
        return false;
    if (skip_name(likely)) [[likely]] {
        name = likely;
    } else if (!read_string(name)) [[unlikely]] {
        fail();
        return false;
    }
    at_ = scanner::skip_space(scanner::skip_space(at_) + 1); // there is a colon between
    return true;
}

bool text_source::read_members(void* into, const member_table& table)
{
    if (table.rows.size() > row_set::most || !begin_object())
        return false;
    row_reader reader(into, table.rows, [&](std::size_t index) { return table.rows[index].name; });
    std::string_view name;
    for (std::size_t left = most_names(); next_member(name, reader.likely_name()); --left) {
        const std::size_t index = reader.find(name);
        if (left == 0)
            return false;
        if (index != table.rows.size()) {
            if (!reader.read(index, *this))
                return false;
        } else if (table.unknown.value_or(how_.unknown()) == unknown_members::refused || !ignore()) {
            return false;
        }
    }
    return !has_failed() && reader.end(*this);
}

bool text_source::read_nothing(void* into, const read_row& row)
{
    const char* const here = std::exchange(at_, "null");
    const bool is_read = row.read(into, *this);
    at_ = here;
    return is_read;
}

// Which alternative it is only a value shows.
bool text_source::read_alternative(void* into, const alternative_table& table)
{
    const bool is_whole = at_ == begin_; // whose members may be the session's own
    boost::json::value value;
    if (!read_value(value))
        return false;
    parameter_place within;
    if (!is_whole)
        within.enter(std::size_t(0));
    value_source from(&value, how_, std::move(within));
    return from.read_alternative(into, table);
}

boost::json::kind text_source::kind() const noexcept
{
    using boost::json::kind;
    switch (*at_) {
    case 'n': return kind::null;
    case 't':
    case 'f': return kind::bool_;
    case '"': return kind::string;
    case '[': return kind::array;
    case '{': return kind::object;
    default: return kind::double_; // of which kind only a value shows
    }
}

} // namespace partyline::detail
