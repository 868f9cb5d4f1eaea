#pragma once

#include "access/file/access_file.hpp"
#include "access/rules/name_table.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace partyline::access {

/// What the names of rules are of.
enum class name_kind : std::uint8_t { method, tool, prompt, resource };
inline constexpr std::size_t name_kinds = 4;

/// The kind of key that a method has; `method` where it has none.
name_kind key_kind(std::string_view method) noexcept;

/// The rules of an access file, with the tables by which names are found. What views of all peers share; does not
/// change.
class rule_set {
public:
    /// `signers`: the principals that can sign calls.
    explicit rule_set(std::vector<rule> rules, std::vector<std::string> signers = {});
    rule_set(const rule_set&) = delete;
    rule_set& operator=(const rule_set&) = delete;

    const std::vector<rule>& rules() const noexcept { return rules_; }
    const std::vector<std::string>& signers() const noexcept { return signers_; }

    struct table {
        name_table names;
        /// The rules that have a slot's pattern; `free` is one that all peers fit.
        std::vector<std::vector<std::uint32_t>> rules_of;
    };
    static constexpr std::uint32_t free = UINT32_MAX;

    const table& names(name_kind kind) const noexcept { return tables_[static_cast<std::size_t>(kind)]; }

    /// How each rule is for a peer.
    enum class fit : char { none, satisfied, needs_proof, lacks_scope };
    /// By rule. `principal`: empty for anonymous peers, who may prove to be a signer that a rule fits. `scopes`:
    /// sorted, with what they imply.
    std::string fits(std::string_view principal, const std::vector<std::string>& scopes) const;

private:
    fit fit_of(const rule& one, std::string_view principal, const std::vector<std::string>& scopes) const;
    bool fits_any_signer(const rule& one) const;
    void add(name_kind kind, const std::vector<name_pattern>& patterns, std::uint32_t of);

    const std::vector<rule> rules_;
    const std::vector<std::string> signers_;
    const std::vector<name_pattern> free_;
    std::array<table, name_kinds> tables_;
};

} // namespace partyline::access
