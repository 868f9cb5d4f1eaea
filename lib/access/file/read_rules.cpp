#include "access/file/read_rules.hpp"

#include "access/file/values.hpp"
#include "access/names.hpp"

#include <algorithm>
#include <cmath>

namespace partyline::access {
namespace {

constexpr std::uint64_t most_requests = 1'000'000;
constexpr std::size_t max_implying_scopes = 1'024;

bool names_anonymous(const rule& one)
{
    return one.principals && std::any_of(one.principals->begin(), one.principals->end(), [](const name_pattern& name) {
               return !name.is_prefix && name.name == anonymous_principal;
           });
}

rule read_rule(const node& entry)
{
    const members all(entry, {"methods", "tools", "prompts", "resources", "scopes", "principals", "proof"});
    rule found;
    all.read("methods", [&](const node& one) { found.methods = read_patterns(one); });
    all.read("tools", [&](const node& one) { found.tools = read_patterns(one); });
    all.read("prompts", [&](const node& one) { found.prompts = read_patterns(one); });
    all.read("resources", [&](const node& one) { found.resources = read_patterns(one); });
    all.read("scopes", [&](const node& one) { found.scopes = read_scopes(one); });
    all.read("principals", [&](const node& one) { found.principals = read_patterns(one); });
    all.read("proof", [&](const node& one) {
        found.proof = one.flag();
        if (found.proof && names_anonymous(found))
            one.fail("who has signed is not anonymous");
    });
    if (found.methods.empty() && found.tools.empty() && found.prompts.empty() && found.resources.empty())
        entry.fail("it names no methods, tools, prompts or resources");
    return found;
}

limit_entry read_limit(const node& entry)
{
    const members all(entry, {"principals", "requests_per_second", "burst", "at_once"});
    limit_entry found;
    all.read("principals", [&](const node& one) { found.principals = read_patterns(one); });
    all.read("requests_per_second", [&](const node& one) {
        found.limits.requests_per_second = one.positive_number(most_requests);
        found.limits.burst = static_cast<std::uint32_t>(std::ceil(found.limits.requests_per_second));
    });
    all.read("burst", [&](const node& one) {
        if (!all.has("requests_per_second"))
            one.fail("it is only for use with requests_per_second");
        found.limits.burst = static_cast<std::uint32_t>(one.whole_number(1, most_requests));
    });
    all.read("at_once", [&](const node& one) {
        found.limits.at_once = static_cast<std::uint32_t>(one.whole_number(1, most_requests));
    });
    if (!all.has("requests_per_second") && !all.has("at_once"))
        entry.fail("neither requests_per_second nor at_once is there");
    return found;
}

} // namespace

void read_implied_scopes(const node& from, access_file& into)
{
    if (!from.value.is_object())
        from.fail("an object is expected");
    for (const auto& one : from.value.get_object()) {
        const std::string_view name = one.key();
        if (name == "//")
            continue;
        const place member(from.where, name);
        if (!is_scope(name))
            throw file_error(member, "a scope has at most 256 characters of ASCII, and no space, quote or backslash");
        into.implies.emplace(name, read_scopes({one.value(), member}));
    }
    if (into.implies.size() > max_implying_scopes)
        from.fail("there are more than " + std::to_string(max_implying_scopes) + " scopes");
}

void read_rules(const node& from, access_file& into)
{
    into.rules.emplace();
    from.each([&](const node& entry) { into.rules->push_back(read_rule(entry)); });
}

void read_limits(const node& from, access_file& into)
{
    from.each([&](const node& entry) { into.limits.push_back(read_limit(entry)); });
}

} // namespace partyline::access
