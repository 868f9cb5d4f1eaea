#pragma once

#include "mcp/schema/pattern/pattern.hpp"

#include <boost/json/value.hpp>

#include <string_view>
#include <vector>

namespace partyline::mcp::detail {

class keyword_place;

// Each reads one keyword's value into a node, or throws `std::invalid_argument`.

void ignore(keyword_place& place, const boost::json::value& value);
void ignore_text(keyword_place& place, const boost::json::value& value);

void read_type(keyword_place& place, const boost::json::value& value);
void read_enum(keyword_place& place, const boost::json::value& value);
void read_const(keyword_place& place, const boost::json::value& value);

void read_minimum(keyword_place& place, const boost::json::value& value);
void read_maximum(keyword_place& place, const boost::json::value& value);
void read_exclusive_minimum(keyword_place& place, const boost::json::value& value);
void read_exclusive_maximum(keyword_place& place, const boost::json::value& value);
void read_multiple_of(keyword_place& place, const boost::json::value& value);

void read_min_length(keyword_place& place, const boost::json::value& value);
void read_max_length(keyword_place& place, const boost::json::value& value);
void read_pattern(keyword_place& place, const boost::json::value& value);

void read_min_items(keyword_place& place, const boost::json::value& value);
void read_max_items(keyword_place& place, const boost::json::value& value);
void read_min_contains(keyword_place& place, const boost::json::value& value);
void read_max_contains(keyword_place& place, const boost::json::value& value);
void read_unique_items(keyword_place& place, const boost::json::value& value);

void read_min_properties(keyword_place& place, const boost::json::value& value);
void read_max_properties(keyword_place& place, const boost::json::value& value);
void read_required(keyword_place& place, const boost::json::value& value);
void read_dependent_required(keyword_place& place, const boost::json::value& value);

/// A pattern that can be matched in linear time.
pattern pattern_in(const keyword_place& place, std::string_view text);

/// The names of an array of texts.
std::vector<std::string_view> names_in(const keyword_place& place, const boost::json::value& value);

} // namespace partyline::mcp::detail
