#pragma once

#include <boost/json/object.hpp>
#include <boost/json/string.hpp>

namespace partyline::mcp {

/// The text of a block of content; null where it is something else.
const boost::json::string* text_of(const boost::json::object& block) noexcept;

} // namespace partyline::mcp
