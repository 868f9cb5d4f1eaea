#pragma once

#include "mcp/schema/compile/document_index.hpp"
#include "mcp/schema/node.hpp"

#include <boost/json/value.hpp>

#include <vector>

namespace partyline::mcp::detail {

/// A document of schemas, compiled: each has a node of the number that the index gave it.
/// Thread safety: nothing changes once it is made.
class schema_program {
public:
    /// Throws `std::invalid_argument`.
    explicit schema_program(const boost::json::value& document);
    schema_program(const schema_program&) = delete;
    schema_program& operator=(const schema_program&) = delete;

    const document_index& index() const noexcept { return index_; }
    const std::vector<node>& nodes() const noexcept { return nodes_; }

private:
    const boost::json::value document_; // a copy: index and nodes point into it
    const document_index index_;
    std::vector<node> nodes_;
};

} // namespace partyline::mcp::detail
