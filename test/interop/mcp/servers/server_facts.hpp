#pragma once

#include <partyline/mcp/client/answers.hpp>
#include <partyline/mcp/revision.hpp>

#include <boost/describe/class.hpp>
#include <boost/json/object.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::test {

/// A call of a tool, and what its text has in it.
struct tool_use {
    std::string tool;
    boost::json::object arguments = {};
    std::string text = {};
    /// The second call ends what the first has begun: both are made.
    bool is_toggle = false;
};

/// What the structured results that are asked for have in them, one or the other.
struct figures {
    std::optional<double> sum = {};
    std::optional<double> temperature = {};
    std::optional<std::string> conditions = {};

    friend bool operator==(const figures&, const figures&) = default;
};
BOOST_DESCRIBE_STRUCT(figures, (), (sum, temperature, conditions))

/// What a server offers, by what names, and what comes of it. The servers that are written for these tests
/// (sdk_server.mjs and those like it) offer the same; where one differs, that is its SDK's doing.
struct server_facts {
    std::string name;
    mcp::revision newest = mcp::newest_modern;
    /// How many pages the list of tools has.
    std::size_t pages = 1;

    tool_use text;
    tool_use sum; // of 2 and 40
    tool_use structured;
    figures result;
    tool_use misfit;
    tool_use failing;
    /// The code of the error for a tool that is not there; without one it is an answer with `isError`.
    std::optional<int> unknown_tool = -32602;

    /// Whether it refuses methods that it does not know by a status of HTTP alone, where it is reached by that.
    bool refuses_methods_by_status = false;

    std::string resource;
    std::string resource_text;
    std::string uri_template;
    std::string template_uri;
    std::string template_text;

    std::string prompt;
    std::map<std::string, std::string> prompt_arguments;
    std::string prompt_text;
    int unknown_prompt = -32602;
    mcp::completion_target completed = mcp::completion_target::resource({});
    std::string completed_argument;
    std::string begun;
    std::vector<std::string> completions;

    tool_use progress; // three steps
    tool_use slow;     // would take ten seconds
    tool_use log;
    bool has_log_levels = true;
    tool_use elicit;
    std::string asked;
    std::string accepted;
    std::string declined;
    tool_use sample;
    tool_use roots;
    /// Changes the list of tools. Without one that has happened after the start.
    std::optional<tool_use> change;
    /// Changes resources that were subscribed to.
    tool_use touch;
    bool has_subscriptions = true;
    /// Whether it goes on to tell of lists when a subscription has been ended.
    bool keeps_telling_of_lists = true;
};

/// By the names in CMakeLists.txt. Throws `std::out_of_range` for another.
server_facts facts_of(std::string_view server, mcp::era era);

} // namespace partyline::test
