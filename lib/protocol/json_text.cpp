#include <partyline/protocol/json_text.hpp>

#include "value_scan.hpp"

#include <partyline/protocol/error.hpp>

#include <boost/json/value_stack.hpp>

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

template <class Number>
bool parse(std::string_view text, Number& number)
{
    return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc();
}

/// Builds what the scanner meets on Boost.JSON's own stack.
class value_builder {
public:
    static constexpr bool decodes = true;

    explicit value_builder(json::storage_ptr storage) : stack_({}, room_, sizeof room_)
    {
        stack_.reset(std::move(storage));
    }

    void string(std::string_view text) { stack_.push_string(text); }
    void key(std::string_view text) { stack_.push_key(text); }
    void boolean(bool value) { stack_.push_bool(value); }
    void null() { stack_.push_null(); }
    void array(std::size_t count) { stack_.push_array(count); }
    void object(std::size_t count) { stack_.push_object(count); }
    bool number(std::string_view text, bool is_integer)
    {
        return (is_integer && push_integer(text)) || push_double(text);
    }

    json::value release() { return stack_.release(); }
    std::string_view refused() const noexcept { return refused_; }

private:
    bool push_integer(std::string_view text)
    {
        std::int64_t value = 0;
        std::uint64_t large = 0;
        if (parse(text, value))
            stack_.push_int64(value);
        else if (parse(text, large))
            stack_.push_uint64(large);
        else
            return false;
        return true;
    }

    bool push_double(std::string_view text)
    {
        double value = 0;
        if (parse(text, value))
            stack_.push_double(value);
        else if (is_tiny(text))
            stack_.push_double(text.front() == '-' ? -0.0 : 0.0);
        else
            refused_ = text;
        return refused_.empty();
    }

    alignas(json::value) unsigned char room_[2048];
    json::value_stack stack_;
    std::string_view refused_;
};

[[noreturn]] void refuse_number(std::string_view text)
{
    json::object data;
    data["expected"] = "a finite number";
    data["got"] = text.substr(0, 64); // enough to find it by; it may be megabytes long
    throw rpc_error(error_codes::invalid_params, "Invalid params", std::move(data));
}

} // namespace

json::value json_view::to_value(json::storage_ptr storage) const
{
    if (empty())
        return json::value(nullptr, std::move(storage));
    value_builder builder(std::move(storage));
    scanner scan;
    scan.start(text_);
    if (!scan.value(text_.data(), builder, std::numeric_limits<std::size_t>::max()))
        refuse_number(builder.refused());
    return builder.release();
}

} // namespace partyline
