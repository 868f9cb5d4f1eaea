#pragma once

#include "mcp/schema/check/subject.hpp"
#include "mcp/schema/node.hpp"
#include "mcp/schema/step_budget.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

namespace partyline::mcp::detail {

/// Schemas asked while others are: parts of a value, references, alternatives. Bounds the stack.
inline constexpr std::size_t max_check_depth = 640;

/// Asks the schemas of a document about one value. What it says is worth nothing once the budget is used up, or where
/// it went too deep.
class checker {
public:
    checker(const std::vector<node>& nodes, step_budget& budget) noexcept : nodes_(nodes), budget_(budget) {}

    /// Whether the value fits. All problems are looked for as long as somebody wants them, otherwise the first ends it.
    bool fits(node_id id, const subject& at);
    bool is_too_deep() const noexcept { return is_too_deep_; }

private:
    using rule = bool (checker::*)(const node&, const subject&);

    bool check(const node& asked, const subject& at);
    bool check_seen(const node& asked, const subject& at);
    bool check_value(const node& asked, const subject& at);
    bool check_number(const node& asked, const subject& at);
    bool check_text(const node& asked, const subject& at);

    bool check_choices(const node& asked, const subject& at);
    bool check_all(const choice_rules& rules, const subject& at);
    bool check_any(const choice_rules& rules, const subject& at);
    bool check_one(const choice_rules& rules, const subject& at);
    bool check_none(const choice_rules& rules, const subject& at);
    bool check_condition(const choice_rules& rules, const subject& at);
    bool fits_apart(node_id id, const subject& at);
    bool fails_all(const std::vector<node_id>& ids, const subject& at);

    bool check_array(const node& asked, const subject& at);
    bool check_elements(const array_rules& rules, const boost::json::array& elements, const subject& at);
    bool check_wanted(const array_rules& rules, const boost::json::array& elements, const subject& at);
    bool check_unique(const boost::json::array& elements, const subject& at);
    bool check_unseen_items(node_id id, const subject& at);

    bool check_object(const node& asked, const subject& at);
    bool check_members(const object_rules& rules, const boost::json::object& members, const subject& at);
    bool check_member(const object_rules& rules, const boost::json::key_value_pair& member, std::size_t position,
                      const subject& at);
    bool check_name(node_id id, std::string_view name, const subject& at);
    bool check_required(const object_rules& rules, const object_rules::names& names, const subject& at);
    bool check_dependents(const object_rules& rules, const boost::json::object& members, const subject& at);
    bool check_unseen_members(node_id id, const subject& at);

    const std::vector<node>& nodes_;
    step_budget& budget_;
    std::size_t depth_ = 0;
    bool is_too_deep_ = false;
};

} // namespace partyline::mcp::detail
