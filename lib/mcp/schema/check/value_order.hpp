#pragma once

#include "mcp/schema/step_budget.hpp"

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include <compare>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace partyline::mcp::detail {

/// An order of all JSON values, in which those that JSON Schema calls equal are equal: 1 and 1.0, and objects whatever
/// the order of their members. Takes a step for each pair of values it looks at; what it says is worth nothing once
/// these are used up, or where values lie in each other too deep, which uses them up.
std::strong_ordering order_values(const boost::json::value& a, const boost::json::value& b, step_budget& budget);

/// In that order, each value once.
std::vector<const boost::json::value*> sort_values(const boost::json::array& values, step_budget& budget);
/// Whether `value` is one of them; that takes a number of comparisons that grows with the logarithm of theirs.
bool is_one_of(const std::vector<const boost::json::value*>& sorted, const boost::json::value& value,
               step_budget& budget);

inline bool are_equal(const boost::json::value& a, const boost::json::value& b, step_budget& budget)
{
    return order_values(a, b, budget) == 0;
}

/// The numbers of two elements that are equal, found by sorting: the earlier first.
std::optional<std::pair<std::size_t, std::size_t>> find_equal(const boost::json::array& elements, step_budget& budget);

} // namespace partyline::mcp::detail
