#pragma once

#include <string>

namespace partyline::mcp {

/// Where a value does not fit its schema, in the words that errors about params have.
struct mismatch {
    std::string where;    ///< JSON pointer, of a missing member too; "" is the whole value
    std::string expected; ///< "integer from 1 to 1000"
    std::string got;      ///< "0", "string"; "nothing" where a member is missing

    bool operator==(const mismatch&) const = default;
};

} // namespace partyline::mcp
