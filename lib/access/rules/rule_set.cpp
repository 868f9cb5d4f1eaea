#include "access/rules/rule_set.hpp"

#include "access/rules/free_methods.hpp"

#include <algorithm>

namespace partyline::access {
namespace {

std::vector<name_pattern> free_patterns()
{
    std::vector<name_pattern> all;
    all.reserve(free_methods.size());
    for (const std::string_view name : free_methods)
        all.push_back({std::string(name), false});
    return all;
}

// A prefix names nobody who has no name: anonymous peers get what the file says in so many words.
bool fits_principal(const std::optional<std::vector<name_pattern>>& named, std::string_view principal)
{
    if (!principal.empty())
        return !named || any_fits(*named, principal);
    return named && std::any_of(named->begin(), named->end(), [](const name_pattern& one) {
               return !one.is_prefix && one.name == anonymous_principal;
           });
}

} // namespace

name_kind key_kind(std::string_view method) noexcept
{
    if (method == "tools/call")
        return name_kind::tool;
    if (method == "prompts/get")
        return name_kind::prompt;
    if (method == "resources/read")
        return name_kind::resource;
    return name_kind::method;
}

rule_set::rule_set(std::vector<rule> rules, std::vector<std::string> signers)
    : rules_(std::move(rules)), signers_(std::move(signers)), free_(free_patterns())
{
    for (std::uint32_t i = 0; i < rules_.size(); ++i) {
        add(name_kind::method, rules_[i].methods, i);
        add(name_kind::tool, rules_[i].tools, i);
        add(name_kind::prompt, rules_[i].prompts, i);
        add(name_kind::resource, rules_[i].resources, i);
    }
    add(name_kind::method, free_, free);
    for (table& one : tables_)
        one.names.finish();
}

void rule_set::add(name_kind kind, const std::vector<name_pattern>& patterns, std::uint32_t of)
{
    table& into = tables_[static_cast<std::size_t>(kind)];
    for (const name_pattern& one : patterns) {
        const name_table::slot slot = into.names.add(one);
        into.rules_of.resize(into.names.size());
        into.rules_of[slot].push_back(of);
    }
}

std::string rule_set::fits(std::string_view principal, const std::vector<std::string>& scopes) const
{
    std::string all;
    all.reserve(rules_.size());
    for (const rule& one : rules_)
        all += static_cast<char>(fit_of(one, principal, scopes));
    return all;
}

rule_set::fit rule_set::fit_of(const rule& one, std::string_view principal,
                               const std::vector<std::string>& scopes) const
{
    if (principal.empty() && one.proof)
        return fits_any_signer(one) ? fit::needs_proof : fit::none; // whose scopes count then
    if (!fits_principal(one.principals, principal))
        return fit::none;
    if (!std::includes(scopes.begin(), scopes.end(), one.scopes.begin(), one.scopes.end()))
        return fit::lacks_scope;
    return one.proof ? fit::needs_proof : fit::satisfied;
}

bool rule_set::fits_any_signer(const rule& one) const
{
    return std::any_of(signers_.begin(), signers_.end(),
                       [&](const std::string& name) { return !one.principals || any_fits(*one.principals, name); });
}

} // namespace partyline::access
