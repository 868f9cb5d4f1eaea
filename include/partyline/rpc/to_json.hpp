#pragma once

#include <partyline/rpc/detail/to_value.hpp>

#include <boost/json/value.hpp>

namespace partyline {

/// A value as JSON, as a handler's result is written: described structs with what their notes say, and whatever holds
/// them; anything else as Boost.JSON converts it. For notifications, progress and the data of errors:
/// `context.notify("changed", to_json(item))`.
template <class T>
boost::json::value to_json(const T& from)
{
    return detail::to_value(from);
}

} // namespace partyline
