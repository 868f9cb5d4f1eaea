#pragma once

#include <partyline/rpc/detail/checked_value.hpp>

#include <boost/json/value.hpp>

namespace partyline {

/// A value as JSON, as a handler's result is written: described structs with what their notes say, and whatever holds
/// them; anything else as Boost.JSON converts it. For the data of errors, say; `args`, `named`, `progress` and what
/// takes `call_params` convert by themselves.
template <class T>
boost::json::value to_json(const T& from)
{
    return detail::checked_value(from);
}

} // namespace partyline
