#pragma once

#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace partyline::mcp::detail {

/// Appends one step of a JSON pointer (RFC 6901): a slash and the name, escaped.
void append_to_pointer(std::string& pointer, std::string_view name);

/// Null where it leads nowhere.
const boost::json::value* find_by_pointer(const boost::json::value& whole, std::string_view pointer);

/// A URI's text without its percent escapes; nothing where one of them is none.
std::optional<std::string> percent_decoded(std::string_view text);

} // namespace partyline::mcp::detail
