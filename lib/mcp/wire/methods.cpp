#include "mcp/wire/methods.hpp"

#include <partyline/mcp/method_names.hpp>

#include <algorithm>
#include <array>

namespace partyline::mcp {
namespace {

constexpr std::array legacy_alone{methods::initialize, methods::ping, methods::set_log_level, methods::subscribe,
                                  methods::unsubscribe};
constexpr std::array modern_alone{methods::discover, methods::listen};

template <class Names>
bool is_among(const Names& names, std::string_view method) noexcept
{
    return std::find(names.begin(), names.end(), method) != names.end();
}

} // namespace

std::vector<std::string> method_names()
{
    std::vector<std::string> all;
    for (const std::string_view name :
         {methods::initialize, methods::discover, methods::listen, methods::list_tools, methods::call_tool,
          methods::list_resources, methods::list_templates, methods::read_resource, methods::subscribe,
          methods::unsubscribe, methods::list_prompts, methods::get_prompt, methods::complete, methods::set_log_level,
          methods::ping})
        all.emplace_back(name);
    for (const char* const name : {"initialized", "cancelled", "progress", "roots/list_changed"})
        all.push_back("notifications/" + std::string(name));
    return all;
}

bool is_of_other_era(std::string_view method, era now) noexcept
{
    return now == era::modern ? is_among(legacy_alone, method) : is_among(modern_alone, method);
}

} // namespace partyline::mcp
