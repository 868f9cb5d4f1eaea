#include "mcp/schema/compile/endless_loop.hpp"

#include <cstddef>

namespace partyline::mcp::detail {
namespace {

// Calls `visit` with each schema that the node asks about the same value.
template <class Visit>
void for_each_choice(const choice_rules& rules, const Visit& visit)
{
    for (const auto* ids : {&rules.all, &rules.any, &rules.one}) {
        for (const node_id id : *ids)
            visit(id);
    }
    for (const auto& id : {rules.same, rules.none, rules.condition, rules.then_fits, rules.else_fits}) {
        if (id)
            visit(*id);
    }
}

template <class Visit>
void for_each_asked(const node& from, const Visit& visit)
{
    if (from.choice)
        for_each_choice(*from.choice, visit);
    if (from.object) {
        for (const auto& [name, id] : from.object->fits_with)
            visit(id);
    }
}

} // namespace

// Takes away, again and again, what nobody asks (Kahn's algorithm). What is left lies in a loop, or behind one.
std::optional<node_id> find_endless_loop(const std::vector<node>& nodes)
{
    std::vector<std::size_t> askers(nodes.size());
    for (const node& from : nodes)
        for_each_asked(from, [&](node_id id) { ++askers[id]; });
    std::vector<node_id> free;
    for (node_id id = 0; id < nodes.size(); ++id) {
        if (askers[id] == 0)
            free.push_back(id);
    }
    std::size_t count = 0;
    for (; count < free.size(); ++count) {
        const auto let_go = [&](node_id id) {
            if (--askers[id] == 0)
                free.push_back(id);
        };
        for_each_asked(nodes[free[count]], let_go);
    }
    for (node_id id = 0; id < nodes.size() && count < nodes.size(); ++id) {
        if (askers[id] != 0)
            return id;
    }
    return std::nullopt;
}

} // namespace partyline::mcp::detail
