#pragma once

#include <boost/json/value.hpp>

namespace bench {

/// How a result has to be like the one that is expected.
enum class likeness {
    same,        ///< equal as JSON
    of_tool,     ///< what a tool returns, as text or as a structured result: servers may choose
    tools_listed ///< a list of so many tools
};

bool is_like(const boost::json::value& result, const boost::json::value& expected, likeness how);

} // namespace bench
