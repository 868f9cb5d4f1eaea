#pragma once

#include "access/rules/rule_set.hpp"

#include <partyline/session/access_view.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::access {

/// Checks the proofs of calls, as `access_view::check_proof` does.
using proof_check = std::function<proof_verdict(const unproven_call& call)>;

/// The rules for one peer, or for all whom the same rules fit and who lack scopes of the same ones. Each pattern has
/// its verdict already, so a call is judged by at most two lookups, however many rules there are; or it looks at the
/// rules of the patterns that fit, each time, and takes no memory for each pattern.
class rule_view final : public access_view {
public:
    enum class verdicts { kept, found_each_time };

    /// `fits`: see `rule_set::fits`. `proofs`: null where nothing needs one.
    rule_view(std::shared_ptr<const rule_set> rules, std::string fits, verdicts are = verdicts::kept,
              std::shared_ptr<const proof_check> proofs = {});

    access_verdict judge(std::string_view method, std::string_view key) const noexcept override;
    proof_verdict check_proof(const unproven_call& call) const override;

    /// Which rule decides, and how: the first that is satisfied, else the first that is with a proof, else the first
    /// that fits.
    struct reason {
        access_answer answer = access_answer::hidden;
        /// `none` where no rule fits, `rule_set::free` for what every peer may call.
        std::uint32_t rule = none;
        static constexpr std::uint32_t none = UINT32_MAX - 1;
    };
    reason explain(std::string_view method, std::string_view key) const;

    /// Whether both allow, hide and ask for the same, as far as their rules say it in the same words.
    bool has_rights_of(const rule_view& other) const noexcept;

    const rule_set& rules() const noexcept { return *rules_; }

private:
    // A verdict as a number, of which the least of all that fit counts.
    using code = std::uint32_t;
    static constexpr code allowed = 0;
    static constexpr code needs_proof = 1;
    static constexpr code hidden = UINT32_MAX; // what is between: the rule's number and two

    static constexpr std::uint32_t rule_of(code lacks_scope) noexcept { return lacks_scope - 2; }

    code code_of(std::uint32_t rule) const noexcept;
    code find(name_kind kind, std::string_view name) const noexcept;
    code judge_code(std::string_view method, std::string_view key) const noexcept;

    const std::shared_ptr<const rule_set> rules_;
    const std::string fits_;
    const std::shared_ptr<const proof_check> proofs_;
    std::array<std::vector<code>, name_kinds> codes_; // by slot; empty where they are found each time
};

} // namespace partyline::access
