#pragma once

#include "mcp/schema/schema.hpp"

#include <partyline/mcp/revision.hpp>

#include <boost/json/value.hpp>

#include <string>
#include <string_view>

namespace partyline::mcp {

/// The text of the schema of a revision, as it was published: of the files in schemas, which are built in.
std::string_view schema_text(revision r);

/// The published schema of one revision. It does not change once it is made.
class published_schema {
public:
    /// Each is made once, when it is first asked for, and kept. Thread safety: safe.
    static const published_schema& of(revision r);

    explicit published_schema(std::string_view text);

    bool has(std::string_view definition) const;
    /// In words; empty: it fits.
    std::string problem(const boost::json::value& value, std::string_view definition) const;

private:
    const boost::json::value document_;
    const std::string root_; // of the definitions
    const schema whole_;
};

} // namespace partyline::mcp
