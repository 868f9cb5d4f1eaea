#include "mcp/server/completion.hpp"

#include "mcp/server/features/prompt.hpp"
#include "mcp/wire/refusals.hpp"

#include <partyline/protocol/error.hpp>

#include <boost/json/array.hpp>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

// Names of an enum that begin so.
std::vector<std::string> names_that_begin(const prompt& of, const completed_argument& argument)
{
    std::vector<std::string> all = of.names_of(argument.name);
    std::erase_if(all, [&](const std::string& one) { return !one.starts_with(argument.value); });
    return all;
}

std::vector<std::string> complete(const catalogue& of, const complete_params& given, const access_view* by)
{
    const completed_reference& ref = given.ref;
    const bool is_prompt = ref.type == reference_type::prompt;
    const char* const place = is_prompt ? "ref.name" : "ref.uri";
    const std::optional<std::string>& key = is_prompt ? ref.name : ref.uri;
    if (!key)
        throw rpc_error(invalid_params(place, "string"));
    const feature_kind kind = is_prompt ? feature_kind::prompt : feature_kind::resource_template;
    const detail::feature* const known = of.find(kind, *key);
    const access_verdict verdict = judge(by, kind, *key);
    if ((!known && (is_prompt || !of.find(feature_kind::resource, *key))) || verdict.is == access_answer::hidden)
        throw rpc_error(invalid_params(place, is_prompt ? "a prompt" : "a resource or a template"));
    require_scope(verdict);
    if (const completer* const found = of.find_completer(*key, given.argument.name))
        return (*found)(given.argument.value);
    return is_prompt ? names_that_begin(static_cast<const prompt&>(*known), given.argument)
                     : std::vector<std::string>();
}

} // namespace

json::object complete_argument(const catalogue& of, const complete_params& given, const access_view* by)
{
    constexpr std::size_t most = 100;
    std::vector<std::string> found = complete(of, given, by);
    const std::size_t total = found.size();
    if (total > most)
        found.resize(most);
    return {{"completion", json::object{{"values", json::array(found.begin(), found.end())},
                                        {"total", total},
                                        {"hasMore", total > most}}}};
}

} // namespace partyline::mcp
