#pragma once

#include "access/rules/rule_view.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace partyline::access {

/// The views of one set of rules: one for all peers whom the same rules fit and who lack scopes of the same ones. It
/// keeps `max_views`, or fewer of many patterns; what comes beyond has a view of its own, which keeps no verdicts.
///
/// Thread safety: all members may be called from any thread, at the same time.
class view_book {
public:
    static constexpr std::size_t max_views = 1'024;
    static constexpr std::size_t max_verdicts = std::size_t(4) << 20; // 16 MiB

    /// `signers`: see `rule_set`. `proofs`: checks those of the views.
    explicit view_book(std::vector<rule> rules, std::vector<std::string> signers = {},
                       std::shared_ptr<const proof_check> proofs = {})
        : rules_(std::make_shared<const rule_set>(std::move(rules), std::move(signers))), proofs_(std::move(proofs))
    {
    }

    const rule_set& rules() const noexcept { return *rules_; }

    /// `principal`: empty for anonymous peers. `scopes`: sorted, with what they imply.
    std::shared_ptr<const rule_view> find(std::string_view principal, const std::vector<std::string>& scopes);

    std::size_t size() const;

private:
    std::size_t most_views() const noexcept;

    const std::shared_ptr<const rule_set> rules_;
    const std::shared_ptr<const proof_check> proofs_;
    mutable std::mutex mutex_;
    std::unordered_map<std::string, std::shared_ptr<const rule_view>> views_; // by what fits
};

} // namespace partyline::access
