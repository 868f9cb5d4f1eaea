#include "mcp/schema/check/value_order.hpp"

#include "mcp/schema/check/number_order.hpp"

#include <boost/json/object.hpp>

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

namespace json = boost::json;

namespace partyline::mcp::detail {
namespace {

constexpr std::size_t max_value_depth = 256;

using sorted_members = std::vector<const json::key_value_pair*>;

class value_ordering {
public:
    explicit value_ordering(step_budget& budget) noexcept : budget_(budget) {}

    std::strong_ordering order(const json::value& a, const json::value& b, std::size_t depth = 0)
    {
        if (!budget_.take() || (depth > max_value_depth && !use_up()))
            return std::strong_ordering::equal;
        if (a.is_number() && b.is_number())
            return order_numbers(a, b);
        if (const auto kinds = rank(a) <=> rank(b); kinds != 0)
            return kinds;
        switch (a.kind()) {
        case json::kind::bool_: return int(a.get_bool()) <=> int(b.get_bool());
        case json::kind::string: return order_texts(a.get_string(), b.get_string());
        case json::kind::array: return order_arrays(a.get_array(), b.get_array(), depth + 1);
        case json::kind::object: return order_objects(a.get_object(), b.get_object(), depth + 1);
        default: return std::strong_ordering::equal;
        }
    }

private:
    bool use_up() noexcept { return budget_.take(std::size_t(-1)); }

    static int rank(const json::value& value) noexcept
    {
        return value.is_number() ? int(json::kind::double_) : int(value.kind());
    }

    std::strong_ordering order_texts(std::string_view a, std::string_view b)
    {
        budget_.take(std::min(a.size(), b.size()) / bytes_of_a_step);
        return a.compare(b) <=> 0;
    }

    std::strong_ordering order_arrays(const json::array& a, const json::array& b, std::size_t depth)
    {
        if (a.size() != b.size())
            return a.size() <=> b.size();
        for (std::size_t i = 0; i < a.size(); ++i) {
            if (const auto elements = order(a[i], b[i], depth); elements != 0)
                return elements;
        }
        return std::strong_ordering::equal;
    }

    // By name, so that no hash table is asked that a peer may have filled with names that collide.
    sorted_members sorted(const json::object& object)
    {
        sorted_members all;
        budget_.take(object.size());
        for (const json::key_value_pair& member : object)
            all.push_back(&member);
        std::sort(all.begin(), all.end(), [](const auto* a, const auto* b) { return a->key() < b->key(); });
        return all;
    }

    std::strong_ordering order_objects(const json::object& a, const json::object& b, std::size_t depth)
    {
        if (a.size() != b.size())
            return a.size() <=> b.size();
        const sorted_members of_a = sorted(a);
        const sorted_members of_b = sorted(b);
        for (std::size_t i = 0; i < of_a.size(); ++i) {
            if (const auto names = order_texts(of_a[i]->key(), of_b[i]->key()); names != 0)
                return names;
            if (const auto values = order(of_a[i]->value(), of_b[i]->value(), depth); values != 0)
                return values;
        }
        return std::strong_ordering::equal;
    }

    step_budget& budget_;
};

} // namespace

std::strong_ordering order_values(const json::value& a, const json::value& b, step_budget& budget)
{
    return value_ordering(budget).order(a, b);
}

// Not by std::sort: the order is none once the steps are used up.
std::vector<const json::value*> sort_values(const json::array& values, step_budget& budget)
{
    const auto is_before = [&](const json::value* a, const json::value* b) { return order_values(*a, *b, budget) < 0; };
    std::set<const json::value*, decltype(is_before)> sorted(is_before);
    for (const json::value& each : values)
        sorted.insert(&each);
    return {sorted.begin(), sorted.end()};
}

bool is_one_of(const std::vector<const json::value*>& sorted, const json::value& value, step_budget& budget)
{
    const auto is_before = [&](const json::value* a, const json::value& b) { return order_values(*a, b, budget) < 0; };
    const auto found = std::lower_bound(sorted.begin(), sorted.end(), value, is_before);
    return found != sorted.end() && are_equal(**found, value, budget);
}

std::optional<std::pair<std::size_t, std::size_t>> find_equal(const json::array& elements, step_budget& budget)
{
    const auto is_before = [&](std::size_t a, std::size_t b) {
        return order_values(elements[a], elements[b], budget) < 0;
    };
    std::set<std::size_t, decltype(is_before)> sorted(is_before);
    for (std::size_t i = 0; i < elements.size() && !budget.is_used_up(); ++i) {
        const auto [place, is_new] = sorted.insert(i);
        if (!is_new)
            return std::pair(*place, i);
    }
    return std::nullopt;
}

} // namespace partyline::mcp::detail
