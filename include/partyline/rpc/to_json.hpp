#pragma once

#include <partyline/rpc/detail/checked_value.hpp>

#include <boost/json/value.hpp>

namespace partyline {

/// Returns a value as JSON, as a handler's result is written: described structs according to their notes, also within
/// other types; anything else as Boost.JSON converts it. For example for the data of errors; `args`, `named`,
/// `progress` and functions that take `call_params` convert by themselves.
template <class T>
boost::json::value to_json(const T& from)
{
    return detail::checked_value(from);
}

} // namespace partyline
