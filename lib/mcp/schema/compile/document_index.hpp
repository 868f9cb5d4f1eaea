#pragma once

#include "mcp/schema/compile/keywords.hpp"
#include "mcp/schema/node.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace partyline::mcp::detail {

inline constexpr std::size_t max_schema_depth = 64;     // of schemas in each other
inline constexpr std::size_t max_schema_count = 20'000; // of a document
inline constexpr std::size_t max_uri_bytes = 1024;

/// Where in a document a schema stands.
struct schema_place {
    const boost::json::value* value;
    std::size_t resource;                 // the number of the resource it belongs to: what its references are seen from
    node_id outer = 0;                    // the schema it stands in; the document itself has none
    std::string_view word = {};           // the keyword there that has it
    std::optional<std::string> step = {}; // from the keyword's value on, where that is an object or an array
};

/// Finds all schemas of a document, and what they are called. Throws `std::invalid_argument` for what no schema has.
class document_index {
public:
    /// The document has to live as long.
    explicit document_index(const boost::json::value& document);

    dialect version() const noexcept { return version_; }
    const std::vector<schema_place>& places() const noexcept { return places_; }
    /// Of a schema that the walk has found.
    node_id id_of(const boost::json::value& schema) const { return ids_.at(&schema); }
    /// What a `$ref` leads to.
    node_id resolve(std::size_t resource, std::string_view reference) const;

    std::string pointer_of(node_id id) const;
    /// "in the schema at /properties/a: why"
    [[noreturn]] void refuse(node_id id, std::string_view why) const;
    [[noreturn]] void refuse(node_id id, std::string_view word, std::string_view why) const;

private:
    struct resource {
        std::string uri;
        const boost::json::value* root;
    };

    void walk(schema_place at, std::size_t depth);
    void walk_members(node_id id, std::size_t depth);
    void walk_held(const keyword& word, const boost::json::value& value, node_id outer, std::size_t depth);
    void walk_list(const boost::json::value& value, node_id outer, std::string_view word, std::size_t depth);
    void walk_named(const boost::json::value& value, node_id outer, const keyword& word, std::size_t depth);
    std::size_t resource_of(node_id id);
    std::size_t add_resource(std::string uri, node_id id);
    void add_anchors(node_id id);
    void add_anchor(std::string_view name, node_id id);
    std::string_view name_in(node_id id, std::string_view word) const;
    void check_dialect(node_id id) const;
    const resource* find_resource(std::size_t from, std::string_view uri) const;
    const boost::json::value* find(const resource& in, std::string_view fragment) const;

    dialect version_ = draft_2020_12;
    std::vector<schema_place> places_;
    std::vector<resource> resources_;
    std::map<std::string, std::size_t, std::less<>> resource_by_uri_;
    std::map<std::pair<const boost::json::value*, std::string>, const boost::json::value*> anchors_; // by root and name
    std::unordered_map<const boost::json::value*, node_id> ids_;
};

} // namespace partyline::mcp::detail
