#include "gateway/listed_tools.hpp"

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

const json::value* member(const json::value* of, std::string_view name)
{
    const json::object* const members = of ? of->if_object() : nullptr;
    return members ? members->if_contains(name) : nullptr;
}

// Empty also for a tool that is marked wrongly: clients drop such.
partyline::mcp::mirrored_arguments marks_of(const json::value& tool)
{
    const json::value* const schema = member(&tool, "inputSchema");
    if (!schema || !schema->is_object())
        return {};
    try {
        return partyline::mcp::find_mirrored_arguments(schema->get_object());
    } catch (const std::invalid_argument&) {
        return {};
    }
}

bool has_hint(const json::value& tool, std::string_view name)
{
    const json::value* const hint = member(member(&tool, "annotations"), name);
    return hint && hint->is_bool() && hint->get_bool();
}

bool may_tell_traits(std::string_view list)
{
    const auto names = [list](std::string_view word) { return list.find(word) != std::string_view::npos; };
    return names("x-mcp-header") || names("readOnlyHint") || names("idempotentHint");
}

} // namespace

listed_tools::traits listed_tools::traits_of(const json::value& tool)
{
    return {marks_of(tool), has_hint(tool, "readOnlyHint") || has_hint(tool, "idempotentHint")};
}

// What a page does not have stays as it was: other clients read other pages meanwhile, and the server refuses a tool
// that has gone.
void listed_tools::note_list(const json_text& result)
{
    constexpr std::size_t most = 10'000;
    if (tools_.empty() && !may_tell_traits(result.text()))
        return;
    const auto list = partyline::json_view::checked(result.text()).try_to_value(); // any server may have made it
    const json::value* const tools = list ? member(&*list, "tools") : nullptr;
    if (!tools || !tools->is_array())
        return;
    for (const json::value& tool : tools->get_array()) {
        const json::value* const name = member(&tool, "name");
        if (!name || !name->is_string())
            continue;
        traits its = traits_of(tool);
        if (its.mirrored.empty() && !its.is_idempotent)
            tools_.erase(std::string(name->get_string()));
        else if (tools_.size() < most || tools_.contains(name->get_string()))
            tools_.insert_or_assign(std::string(name->get_string()), std::move(its));
    }
}

partyline::mcp::mirrored_arguments listed_tools::mirrored(std::string_view tool) const
{
    const auto found = tools_.find(tool);
    return found == tools_.end() ? partyline::mcp::mirrored_arguments() : found->second.mirrored;
}

bool listed_tools::is_idempotent(std::string_view tool) const
{
    const auto found = tools_.find(tool);
    return found != tools_.end() && found->second.is_idempotent;
}

} // namespace gateway
