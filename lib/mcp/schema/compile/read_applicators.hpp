#pragma once

#include <boost/json/value.hpp>

namespace partyline::mcp::detail {

class keyword_place;

// Each reads one keyword whose value has schemas into a node, or throws `std::invalid_argument`.

void read_ref(keyword_place& place, const boost::json::value& value);
[[noreturn]] void refuse_dynamic(keyword_place& place, const boost::json::value& value);

void read_items(keyword_place& place, const boost::json::value& value);
void read_additional_items(keyword_place& place, const boost::json::value& value);
void read_prefix_items(keyword_place& place, const boost::json::value& value);
void read_contains(keyword_place& place, const boost::json::value& value);
void read_unevaluated_items(keyword_place& place, const boost::json::value& value);

void read_properties(keyword_place& place, const boost::json::value& value);
void read_pattern_properties(keyword_place& place, const boost::json::value& value);
void read_additional_properties(keyword_place& place, const boost::json::value& value);
void read_property_names(keyword_place& place, const boost::json::value& value);
void read_dependent_schemas(keyword_place& place, const boost::json::value& value);
void read_dependencies(keyword_place& place, const boost::json::value& value);
void read_unevaluated_properties(keyword_place& place, const boost::json::value& value);

void read_all_of(keyword_place& place, const boost::json::value& value);
void read_any_of(keyword_place& place, const boost::json::value& value);
void read_one_of(keyword_place& place, const boost::json::value& value);
void read_not(keyword_place& place, const boost::json::value& value);
void read_if(keyword_place& place, const boost::json::value& value);
void read_then(keyword_place& place, const boost::json::value& value);
void read_else(keyword_place& place, const boost::json::value& value);

} // namespace partyline::mcp::detail
