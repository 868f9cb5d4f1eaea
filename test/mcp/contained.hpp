#pragma once

#include <boost/json/value.hpp>

#include <string>

namespace partyline::test {

/// Where `actual` is not what is expected of it; empty: nowhere. An object may have more members than it should, an
/// array has as many elements, and anything else is the same. Numbers are compared by their value.
std::string difference(const boost::json::value& expected, const boost::json::value& actual);

} // namespace partyline::test
