#include "mcp/schema/check/number_order.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace json = boost::json;

namespace partyline::mcp::detail {
namespace {

constexpr double two_to_63 = 9223372036854775808.0;
constexpr double two_to_64 = 2 * two_to_63;

template <class A, class B>
std::strong_ordering order_integers(A a, B b) noexcept
{
    if (std::cmp_less(a, b))
        return std::strong_ordering::less;
    return std::cmp_equal(a, b) ? std::strong_ordering::equal : std::strong_ordering::greater;
}

std::strong_ordering order_doubles(double a, double b) noexcept
{
    if (std::isnan(a) || std::isnan(b))
        return int(std::isnan(b)) <=> int(std::isnan(a));
    return a < b ? std::strong_ordering::less : a > b ? std::strong_ordering::greater : std::strong_ordering::equal;
}

// Within 64 bits a double's integral part is compared as an integer, and then its fraction.
template <class Integer>
std::strong_ordering order_mixed(Integer a, double b) noexcept
{
    if (std::isnan(b) || b < -two_to_63)
        return std::strong_ordering::greater;
    if (b >= two_to_64)
        return std::strong_ordering::less;
    const double whole = std::floor(b);
    const auto order = whole < 0 ? order_integers(a, static_cast<std::int64_t>(whole))
                                 : order_integers(a, static_cast<std::uint64_t>(whole));
    return order == 0 && b > whole ? std::strong_ordering::less : order;
}

template <class A>
std::strong_ordering order_to(A a, const json::value& b) noexcept
{
    if (b.is_int64())
        return order_integers(a, b.get_int64());
    return b.is_uint64() ? order_integers(a, b.get_uint64()) : order_mixed(a, b.get_double());
}

// `digits` times ten to the power of `exponent`; the digits do not end with a zero.
struct decimal {
    std::uint64_t digits;
    int exponent;
};

decimal shortest(std::uint64_t digits, int exponent) noexcept
{
    while (digits != 0 && digits % 10 == 0) {
        digits /= 10;
        ++exponent;
    }
    return {digits, exponent};
}

// "7.5e-03": at most 17 digits.
decimal decimal_of(double number)
{
    char text[32] = {}; // so that a NUL ends it
    const char* const end =
        std::to_chars(text, text + sizeof text - 1, std::fabs(number), std::chars_format::scientific).ptr;
    std::uint64_t digits = 0;
    int exponent = 0;
    const char* at = text;
    for (bool is_fraction = false; at != end && *at != 'e'; ++at) {
        if (*at == '.') {
            is_fraction = true;
            continue;
        }
        digits = digits * 10 + static_cast<std::uint64_t>(*at - '0');
        exponent -= is_fraction;
    }
    return shortest(digits, exponent + std::atoi(at + 1));
}

decimal decimal_of(const json::value& number)
{
    if (number.is_double())
        return decimal_of(number.get_double());
    if (number.is_uint64())
        return shortest(number.get_uint64(), 0);
    const std::int64_t value = number.get_int64();
    return shortest(value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value), 0);
}

std::uint64_t without_factor(std::uint64_t number, std::uint64_t factor, int times) noexcept
{
    for (; times > 0 && number % factor == 0; --times)
        number /= factor;
    return number;
}

} // namespace

std::strong_ordering order_numbers(const json::value& a, const json::value& b) noexcept
{
    if (a.is_int64())
        return order_to(a.get_int64(), b);
    if (a.is_uint64())
        return order_to(a.get_uint64(), b);
    return b.is_double() ? order_doubles(a.get_double(), b.get_double()) : 0 <=> order_numbers(b, a);
}

bool is_integral(const json::value& value) noexcept
{
    if (!value.is_double())
        return value.is_int64() || value.is_uint64();
    return std::isfinite(value.get_double()) && std::trunc(value.get_double()) == value.get_double();
}

// With the smaller exponent taken from both, the other's digits get zeros: factors of 2 and of 5. Digits that end with
// no zero are no multiple of such as do.
bool is_multiple(const json::value& number, const json::value& of)
{
    if (number.is_double() && !std::isfinite(number.get_double()))
        return false;
    const decimal a = decimal_of(number);
    const decimal b = decimal_of(of);
    if (a.digits == 0)
        return true;
    const int zeros = a.exponent - b.exponent;
    return zeros >= 0 && a.digits % without_factor(without_factor(b.digits, 2, zeros), 5, zeros) == 0;
}

} // namespace partyline::mcp::detail
