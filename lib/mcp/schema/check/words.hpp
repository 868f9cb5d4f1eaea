#pragma once

#include "mcp/schema/node.hpp"

#include <boost/json/value.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace partyline::mcp::detail {

/// "integer", "number or null"
std::string words_of_kinds(std::uint8_t kinds);
/// "integer from 1 to 1000", "number above 0"; the kinds are those of the whole schema.
std::string words_of(const number_rules& rules, std::uint8_t kinds);
/// "string of 1 to 64 characters that matches ^a"
std::string words_of(const text_rules& rules);
/// "array of at least 1 element"
std::string words_of(std::string_view kind, const count_bounds& bounds, std::string_view part);
/// "one of red, green"
std::string words_of_values(const boost::json::array& values);
/// What a schema as a whole asks for, as far as it can be said in a few words.
std::string words_of(const std::vector<node>& nodes, node_id id);
/// The same of any of them: "string or null".
std::string words_of_any(const std::vector<node>& nodes, const std::vector<node_id>& ids);

/// "integer": what came, where its kind is at fault.
std::string kind_of(const boost::json::value& value);
/// "5", "red", "array": what came, where its value is at fault.
std::string shown(const boost::json::value& value);

} // namespace partyline::mcp::detail
