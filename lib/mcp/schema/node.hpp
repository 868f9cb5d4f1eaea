#pragma once

#include "mcp/schema/pattern/pattern.hpp"

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace partyline::mcp::detail {

/// The number of a schema in its document.
using node_id = std::uint32_t;

/// The kinds of values that `type` tells apart, as bits. Integers are numbers too.
enum kind : std::uint8_t {
    null_kind = 1,
    boolean_kind = 2,
    integer_kind = 4,
    fraction_kind = 8,
    string_kind = 16,
    array_kind = 32,
    object_kind = 64,
    number_kind = integer_kind | fraction_kind,
    every_kind = 127,
};

struct count_bounds {
    std::size_t min = 0;
    std::size_t max = std::size_t(-1);

    bool contain(std::size_t count) const noexcept { return count >= min && count <= max; }
    bool operator==(const count_bounds&) const = default;
};

struct number_rules {
    const boost::json::value* minimum = nullptr;
    const boost::json::value* maximum = nullptr;
    const boost::json::value* above = nullptr; // exclusiveMinimum
    const boost::json::value* below = nullptr;
    const boost::json::value* multiple_of = nullptr;
};

struct text_rules {
    count_bounds length; // in code points
    std::optional<pattern> form;
};

struct array_rules {
    count_bounds count;
    bool is_unique = false;
    std::vector<node_id> first; // prefixItems
    std::optional<node_id> others;
    std::optional<node_id> wanted; // contains
    count_bounds wanted_count = {1};
};

struct object_rules {
    using names = std::vector<std::string_view>;

    count_bounds count;
    names required;
    std::vector<std::pair<std::string_view, node_id>> members; // sorted by name
    std::vector<std::pair<pattern, node_id>> patterns;
    std::optional<node_id> others;
    std::optional<node_id> name;
    std::vector<std::pair<std::string_view, names>> required_with; // dependentRequired
    std::vector<std::pair<std::string_view, node_id>> fits_with;   // dependentSchemas
};

/// What else is asked of the same value.
struct choice_rules {
    std::optional<node_id> same; // $ref
    std::vector<node_id> all;
    std::vector<node_id> any;
    std::vector<node_id> one;
    std::optional<node_id> none;
    std::optional<node_id> condition;
    std::optional<node_id> then_fits;
    std::optional<node_id> else_fits;
};

/// One schema, compiled. Texts and values are those of the document, which lives as long.
struct node {
    std::optional<bool> boolean; // of a schema that is `true` or `false`
    std::uint8_t kinds = every_kind;
    const boost::json::array* values = nullptr;           // enum
    std::vector<const boost::json::value*> sorted_values; // the same in their order, each once
    const boost::json::value* value = nullptr;            // const
    std::unique_ptr<number_rules> number;
    std::unique_ptr<text_rules> text;
    std::unique_ptr<array_rules> array;
    std::unique_ptr<object_rules> object;
    std::unique_ptr<choice_rules> choice;
    std::optional<node_id> unseen_items; // unevaluatedItems
    std::optional<node_id> unseen_members;
};

} // namespace partyline::mcp::detail
