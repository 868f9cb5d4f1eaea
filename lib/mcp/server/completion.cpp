#include "mcp/server/completion.hpp"

#include "mcp/server/features/prompt.hpp"
#include "mcp/wire/refusals.hpp"

#include <partyline/protocol/error.hpp>

#include <boost/json/array.hpp>

#include <utility>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

std::string string_at(const json::value& in, std::string_view object, std::string_view name)
{
    const json::object* const members = in.if_object();
    const json::value* const part = members ? members->if_contains(object) : nullptr;
    const json::object* const inner = part ? part->if_object() : nullptr;
    const json::value* const found = inner ? inner->if_contains(name) : nullptr;
    if (!found || !found->is_string())
        throw rpc_error(invalid_params(std::string(object) + '.' + std::string(name), "string"));
    return std::string(found->get_string());
}

// Names of an enum that begin so.
std::vector<std::string> names_that_begin(const prompt& of, const std::string& argument, std::string_view begun)
{
    std::vector<std::string> all = of.names_of(argument);
    std::erase_if(all, [&](const std::string& one) { return !one.starts_with(begun); });
    return all;
}

std::vector<std::string> complete(const catalogue& of, const json::value& params, const access_view* by)
{
    const std::string type = string_at(params, "ref", "type");
    const std::string argument = string_at(params, "argument", "name");
    const std::string begun = string_at(params, "argument", "value");
    if (type != "ref/prompt" && type != "ref/resource")
        throw rpc_error(invalid_params("ref.type", "\"ref/prompt\" or \"ref/resource\""));
    const bool is_prompt = type == "ref/prompt";
    const std::string key = string_at(params, "ref", is_prompt ? "name" : "uri");
    const feature_kind kind = is_prompt ? feature_kind::prompt : feature_kind::resource_template;
    const detail::feature* const known = of.find(kind, key);
    const access_verdict verdict = judge(by, kind, key);
    if ((!known && (is_prompt || !of.find(feature_kind::resource, key))) || verdict.is == access_answer::hidden)
        throw rpc_error(
            invalid_params(is_prompt ? "ref.name" : "ref.uri", is_prompt ? "a prompt" : "a resource or a template"));
    require_scope(verdict);
    if (const completer* const found = of.find_completer(key, argument))
        return (*found)(begun);
    return is_prompt ? names_that_begin(static_cast<const prompt&>(*known), argument, begun)
                     : std::vector<std::string>();
}

} // namespace

json::object complete_argument(const catalogue& of, json_view params, const access_view* by)
{
    constexpr std::size_t most = 100;
    std::vector<std::string> found = complete(of, params.to_value(), by);
    const std::size_t total = found.size();
    if (total > most)
        found.resize(most);
    return {{"completion", json::object{{"values", json::array(found.begin(), found.end())},
                                        {"total", total},
                                        {"hasMore", total > most}}}};
}

} // namespace partyline::mcp
