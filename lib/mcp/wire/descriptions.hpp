#pragma once

#include <partyline/mcp/description.hpp>
#include <partyline/mcp/revision.hpp>

#include <boost/json/object.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace partyline::mcp {

// Members that many descriptions have. What is empty is left out.

void put_text(boost::json::object& to, std::string_view name, const std::string& text);
void put_icons(boost::json::object& to, const std::vector<icon>& icons);
void put_annotations(boost::json::object& to, const annotations& of, revision r);
void put_meta(boost::json::object& to, const boost::json::object& meta);

std::string_view to_string(role who) noexcept;

} // namespace partyline::mcp
