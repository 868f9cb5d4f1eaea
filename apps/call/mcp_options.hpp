#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace call {

/// What an MCP server is asked for, and what it is told of us.
struct mcp_options {
    /// What METHOD names. Its params are the arguments.
    enum class named : std::uint8_t { tool, prompt, resource, method };
    enum class era : std::uint8_t { automatic, legacy, modern };
    /// What --list lists.
    enum class listing : std::uint8_t { tools, resources, templates, prompts };

    named what = named::tool;
    listing listed = listing::tools;
    /// Results and lists are printed as they came, and not for a person.
    bool prints_json = false;
    era wanted_era = era::automatic;
    /// Folders that the server may work in.
    std::vector<std::string> roots;
    /// What forms are answered with, in place of the user: a JSON object, "decline" or "cancel". Empty: the user is
    /// asked.
    std::string answer;
    /// Empty: the server decides.
    std::string log_level;
};

/// The options of `--profile mcp`.
void describe_mcp(boost::program_options::options_description& all);

/// What they say. Throws `std::invalid_argument` with a text for the user, also for one that goes with no other
/// profile.
mcp_options mcp_options_of(const boost::program_options::variables_map& given, bool is_mcp);

/// What `--list WORD` lists; no word: tools. Throws `std::invalid_argument`.
mcp_options::listing listing_of(const std::vector<std::string>& words);

} // namespace call
