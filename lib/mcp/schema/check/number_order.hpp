#pragma once

#include <boost/json/value.hpp>

#include <compare>

namespace partyline::mcp::detail {

/// The order of two JSON numbers by their exact values, of whatever types they are. What is not a number, as no JSON
/// text can be, comes first.
std::strong_ordering order_numbers(const boost::json::value& a, const boost::json::value& b) noexcept;

inline bool is_less(const boost::json::value& a, const boost::json::value& b) noexcept
{
    return order_numbers(a, b) < 0;
}

/// Whether it is a number without a fraction: 1.0 is.
bool is_integral(const boost::json::value& value) noexcept;

/// Whether a number is an integral multiple of another, which is above 0: by their decimal digits, so that 0.0075 is
/// one of 0.0001.
bool is_multiple(const boost::json::value& number, const boost::json::value& of);

} // namespace partyline::mcp::detail
