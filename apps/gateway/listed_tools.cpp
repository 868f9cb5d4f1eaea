#include "gateway/listed_tools.hpp"

#include <boost/asio/post.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <stdexcept>
#include <utility>

namespace asio = boost::asio;
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

void listed_tools::connect(const std::vector<std::shared_ptr<listed_tools>>& all)
{
    const auto together = std::make_shared<const others>(all.begin(), all.end());
    for (const auto& one : all)
        one->all_ = together;
}

// Only what is new, so that a list that is asked for again and again costs the other threads nothing.
void listed_tools::note_list(const json_text& result)
{
    if (!take(result) || !all_)
        return;
    for (const std::weak_ptr<listed_tools>& one : *all_) {
        if (const auto other = one.lock(); other && other.get() != this)
            asio::post(other->executor_, [other, result] { other->take(result); });
    }
}

// Whether it tells of anything new. What a page does not have stays as it was: other clients read other pages
// meanwhile, and the server refuses a tool that has gone.
bool listed_tools::take(const json_text& result)
{
    if (tools_.empty() && !may_tell_traits(result.text()))
        return false;
    const auto list = partyline::json_view::checked(result.text()).try_to_value(); // any server may have made it
    const json::value* const tools = list ? member(&*list, "tools") : nullptr;
    if (!tools || !tools->is_array())
        return false;
    bool is_new = false;
    for (const json::value& tool : tools->get_array()) {
        const json::value* const name = member(&tool, "name");
        if (name && name->is_string() && take_tool(name->get_string(), traits_of(tool)))
            is_new = true;
    }
    return is_new;
}

bool listed_tools::take_tool(std::string_view name, traits its)
{
    constexpr std::size_t most = 10'000;
    constexpr std::size_t longest_name = 1024;
    if (name.size() > longest_name)
        return false;
    const auto known = tools_.find(name);
    if (its == traits()) {
        if (known == tools_.end())
            return false;
        tools_.erase(known);
        return true;
    }
    if (known == tools_.end())
        return tools_.size() < most && tools_.try_emplace(std::string(name), std::move(its)).second;
    return std::exchange(known->second, its) != its;
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
