#pragma once

#include <boost/json/value.hpp>

#include <string>

namespace bench {

/// JSON to be read and compared by people: indented, small things on one line, numbers with six digits.
std::string pretty(const boost::json::value& value);

} // namespace bench
