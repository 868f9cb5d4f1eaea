#include "access/rules/rule_view.hpp"

#include <algorithm>
#include <utility>

namespace partyline::access {

rule_view::rule_view(std::shared_ptr<const rule_set> rules, std::string fits, verdicts are,
                     std::shared_ptr<const proof_check> proofs)
    : rules_(std::move(rules)), fits_(std::move(fits)), proofs_(std::move(proofs))
{
    if (are == verdicts::found_each_time)
        return;
    for (std::size_t kind = 0; kind < name_kinds; ++kind) {
        const rule_set::table& from = rules_->names(static_cast<name_kind>(kind));
        std::vector<code>& to = codes_[kind];
        to.assign(from.names.size(), hidden);
        for (const name_table::slot slot : from.names.order()) {
            if (const name_table::slot above = from.names.above(slot); above != name_table::none)
                to[slot] = to[above];
            for (const std::uint32_t rule : from.rules_of[slot])
                to[slot] = std::min(to[slot], code_of(rule));
        }
    }
}

rule_view::code rule_view::code_of(std::uint32_t rule) const noexcept
{
    if (rule == rule_set::free)
        return allowed;
    switch (static_cast<rule_set::fit>(fits_[rule])) {
    case rule_set::fit::none: return hidden;
    case rule_set::fit::satisfied: return allowed;
    case rule_set::fit::needs_proof: return needs_proof;
    case rule_set::fit::lacks_scope: break;
    }
    return rule + 2;
}

rule_view::code rule_view::find(name_kind kind, std::string_view name) const noexcept
{
    const rule_set::table& from = rules_->names(kind);
    const std::vector<code>& codes = codes_[static_cast<std::size_t>(kind)];
    name_table::slot slot = from.names.find(name);
    if (slot != name_table::none && !codes.empty())
        return codes[slot];
    code found = hidden;
    for (; slot != name_table::none; slot = from.names.above(slot))
        for (const std::uint32_t rule : from.rules_of[slot])
            found = std::min(found, code_of(rule));
    return found;
}

rule_view::code rule_view::judge_code(std::string_view method, std::string_view key) const noexcept
{
    const code by_method = find(name_kind::method, method);
    const name_kind kind = key_kind(method);
    return kind == name_kind::method || by_method == allowed ? by_method : std::min(by_method, find(kind, key));
}

access_verdict rule_view::judge(std::string_view method, std::string_view key) const noexcept
{
    const code found = judge_code(method, key);
    if (found == allowed)
        return {access_answer::allowed, {}};
    if (found == hidden)
        return {access_answer::hidden, {}};
    if (found == needs_proof)
        return {access_answer::needs_proof, {}};
    return {access_answer::lacks_scope, rules_->rules()[rule_of(found)].scopes};
}

proof_verdict rule_view::check_proof(const unproven_call& call) const
{
    return proofs_ ? (*proofs_)(call) : access_view::check_proof(call);
}

rule_view::reason rule_view::explain(std::string_view method, std::string_view key) const
{
    const code found = judge_code(method, key);
    if (found == hidden)
        return {};
    if (found != allowed && found != needs_proof)
        return {access_answer::lacks_scope, rule_of(found)};
    const access_answer answer = found == allowed ? access_answer::allowed : access_answer::needs_proof;
    const name_kind kind = key_kind(method);
    for (std::uint32_t i = 0; i < fits_.size(); ++i) {
        const rule& one = rules_->rules()[i];
        const std::vector<name_pattern>& keys = kind == name_kind::tool     ? one.tools
                                                : kind == name_kind::prompt ? one.prompts
                                                                            : one.resources;
        const bool is_named = any_fits(one.methods, method) || (kind != name_kind::method && any_fits(keys, key));
        if (is_named && code_of(i) == found)
            return {answer, i};
    }
    return {answer, rule_set::free};
}

bool rule_view::has_rights_of(const rule_view& other) const noexcept
{
    if (rules_ == other.rules_)
        return fits_ == other.fits_;
    const auto next = [](const rule_view& view, std::size_t from) {
        const std::size_t found = view.fits_.find_first_not_of('\0', from);
        return found == std::string::npos ? view.fits_.size() : found;
    };
    std::size_t i = next(*this, 0);
    std::size_t j = next(other, 0);
    for (; i < fits_.size() && j < other.fits_.size(); i = next(*this, i + 1), j = next(other, j + 1)) {
        const rule& a = rules_->rules()[i];
        const rule& b = other.rules_->rules()[j];
        if (fits_[i] != other.fits_[j] || a.methods != b.methods || a.tools != b.tools || a.prompts != b.prompts ||
            a.resources != b.resources || a.scopes != b.scopes || a.proof != b.proof)
            return false;
    }
    return i == fits_.size() && j == other.fits_.size();
}

} // namespace partyline::access
