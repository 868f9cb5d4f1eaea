#include "gateway/marked_tools.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <stdexcept>
#include <utility>

namespace json = boost::json;
using partyline::json_text;

namespace gateway {
namespace {

const json::value* member(const json::value& of, std::string_view name)
{
    const json::object* const members = of.if_object();
    return members ? members->if_contains(name) : nullptr;
}

// Empty also for a tool that is marked wrongly: clients drop such.
partyline::mcp::mirrored_arguments marks_of(const json::value& tool)
{
    const json::value* const schema = member(tool, "inputSchema");
    if (!schema || !schema->is_object())
        return {};
    try {
        return partyline::mcp::find_mirrored_arguments(schema->get_object());
    } catch (const std::invalid_argument&) {
        return {};
    }
}

} // namespace

// What a page does not have stays as it was: other clients read other pages meanwhile, and the server refuses a tool
// that has gone.
void marked_tools::note_list(const json_text& result)
{
    constexpr std::size_t most = 10'000;
    if (marks_.empty() && result.text().find("x-mcp-header") == std::string_view::npos)
        return;
    const json::value list = result.to_value();
    const json::value* const tools = member(list, "tools");
    if (!tools || !tools->is_array())
        return;
    for (const json::value& tool : tools->get_array()) {
        const json::value* const name = member(tool, "name");
        if (!name || !name->is_string())
            continue;
        partyline::mcp::mirrored_arguments marks = marks_of(tool);
        if (marks.empty())
            marks_.erase(std::string(name->get_string()));
        else if (marks_.size() < most || marks_.contains(name->get_string()))
            marks_.insert_or_assign(std::string(name->get_string()), std::move(marks));
    }
}

partyline::mcp::mirrored_arguments marked_tools::find(std::string_view tool) const
{
    const auto found = marks_.find(tool);
    return found == marks_.end() ? partyline::mcp::mirrored_arguments() : found->second;
}

} // namespace gateway
