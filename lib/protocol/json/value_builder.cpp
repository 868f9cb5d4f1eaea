#include "protocol/json/value_builder.hpp"

#include "protocol/json/read_double.hpp"
#include "protocol/json/value_scan.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>

namespace partyline {
namespace {

namespace json = boost::json;

/// The decimal exponent that is written out, or an extreme one where it is past all counting.
long long written_exponent(std::string_view text)
{
    const std::size_t e = text.find_first_of("eE");
    if (e == text.npos)
        return 0;
    text.remove_prefix(text[e + 1] == '+' ? e + 2 : e + 1);
    long long exponent = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), exponent).ec == std::errc())
        return exponent;
    const long long extreme = std::numeric_limits<long long>::max() / 2;
    return text.front() == '-' ? -extreme : extreme;
}

/// Of a number out of a double's range: whether it is too close to zero, not too far from it.
bool is_tiny(std::string_view text)
{
    const std::string_view mantissa = text.substr(0, text.find_first_of("eE"));
    const auto point = static_cast<long long>(std::min(mantissa.find('.'), mantissa.size()));
    const auto first_digit = static_cast<long long>(mantissa.find_first_of("123456789"));
    return written_exponent(text) + point - first_digit < 0;
}

template <class Integer>
bool parse(std::string_view text, Integer& number)
{
    return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc();
}

/// What the scanner tells. It stands in here, unnamed outside, so that the whole scan becomes one function.
struct value_sink {
    static constexpr bool decodes = true;
    static constexpr bool may_skip = false;

    json::value_stack& stack;
    name_watch& names;
    scanner& scan;
    value_builder::refusal& refused;

    void string(std::string_view text) { stack.push_string(text); }
    void key(std::string_view text, const char* place, std::size_t index)
    {
        if (index >= name_watch::unwatched) [[unlikely]]
            names.add(place);
        stack.push_key(text);
    }
    void boolean(bool value) { stack.push_bool(value); }
    void null() { stack.push_null(); }
    void array(std::size_t count) { stack.push_array(count); }
    bool object(std::size_t count)
    {
        if (count > name_watch::unwatched && names.end_object(count, scan)) [[unlikely]] {
            refused = {{}, count};
            return false;
        }
        stack.push_object(count);
        return true;
    }
    bool number(std::string_view text, bool is_integer)
    {
        return (is_integer && push_integer(text)) || push_double(text);
    }

    bool push_integer(std::string_view text)
    {
        std::int64_t value = 0;
        std::uint64_t large = 0;
        if (parse(text, value))
            stack.push_int64(value);
        else if (parse(text, large))
            stack.push_uint64(large);
        else
            return false;
        return true;
    }

    [[gnu::cold]] bool refuse(std::string_view text)
    {
        refused = {text, 0};
        return false;
    }

    bool push_double(std::string_view text)
    {
        double value = 0;
        if (read_double(text.data(), text.data() + text.size(), value))
            stack.push_double(value);
        else if (is_tiny(text))
            stack.push_double(text.front() == '-' ? -0.0 : 0.0);
        else
            return refuse(text);
        return true;
    }
};

/// For as long as it lives.
class half_pairs_rule {
public:
    half_pairs_rule(scanner& scan, scanner::half_pairs as) noexcept : scan_(scan) { scan_.decode_half_pairs(as); }
    ~half_pairs_rule() { scan_.decode_half_pairs(scanner::half_pairs::kept); }
    half_pairs_rule(const half_pairs_rule&) = delete;
    half_pairs_rule& operator=(const half_pairs_rule&) = delete;

private:
    scanner& scan_;
};

} // namespace

const char* value_builder::read(scanner& scan, const char* p, std::size_t room, json::storage_ptr storage)
{
    stack_.reset(std::move(storage));
    names_.forget();
    const half_pairs_rule rule(scan, halves_);
    value_sink out{stack_, names_, scan, refused_};
    p = scan.value(p, out, room);
    has_value_ = p != nullptr;
    return p;
}

} // namespace partyline
