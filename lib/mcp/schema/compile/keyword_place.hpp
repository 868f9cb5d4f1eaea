#pragma once

#include "mcp/schema/compile/document_index.hpp"
#include "mcp/schema/node.hpp"

#include <boost/json/object.hpp>

#include <cstddef>
#include <memory>
#include <string_view>

namespace partyline::mcp::detail {

inline constexpr std::size_t max_document_pattern_steps = 100'000;

/// What reading a keyword's value knows of it, and the node that it goes to.
class keyword_place {
public:
    /// `pattern_steps`: those of the document's patterns so far.
    keyword_place(const document_index& index, node_id id, node& into, std::size_t& pattern_steps) noexcept
        : index_(index), id_(id), into_(into), pattern_steps_(pattern_steps)
    {
    }

    void set_name(std::string_view name) noexcept { name_ = name; }
    node& into() const noexcept { return into_; }
    const document_index& index() const noexcept { return index_; }
    const schema_place& at() const { return index_.places()[id_]; }
    const boost::json::object& schema() const { return at().value->get_object(); }
    node_id id_of(const boost::json::value& schema) const { return index_.id_of(schema); }
    std::size_t& pattern_steps() const noexcept { return pattern_steps_; }

    /// The rules of one kind of the node, made when they are first wanted.
    template <class Rules>
    Rules& rules(std::unique_ptr<Rules> node::* of) const
    {
        std::unique_ptr<Rules>& found = into_.*of;
        if (!found)
            found = std::make_unique<Rules>();
        return *found;
    }

    [[noreturn]] void refuse(std::string_view why) const { index_.refuse(id_, name_, why); }

private:
    const document_index& index_;
    node_id id_;
    node& into_;
    std::size_t& pattern_steps_;
    std::string_view name_;
};

} // namespace partyline::mcp::detail
