#pragma once

#include <partyline/mcp/client/listed.hpp>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include <string>
#include <vector>

namespace call {

// What a server offers, a line each, for a person to read.

std::string list_lines(const std::vector<partyline::mcp::tool_info>& tools);
std::string list_lines(const std::vector<partyline::mcp::resource_info>& resources);
std::string list_lines(const std::vector<partyline::mcp::resource_template_info>& templates);
std::string list_lines(const std::vector<partyline::mcp::prompt_info>& prompts);

/// Who the server is, what it speaks and has, and how it wants to be used.
std::string info_lines(const partyline::mcp::server_info& server);

/// A list as the server has it: a JSON array.
template <partyline::mcp::listed T>
boost::json::value list_json(const std::vector<T>& all)
{
    boost::json::array listed;
    for (const T& each : all)
        listed.push_back(each.raw);
    return listed;
}

} // namespace call
