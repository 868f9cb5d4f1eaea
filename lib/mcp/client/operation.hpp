#pragma once

#include <partyline/config.hpp>
#include <partyline/session/operation.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/any_io_executor.hpp>

namespace partyline::mcp {

/// The operation that runs this task at `home`, where the client's session runs. Defined for each `T` that a client
/// gives.
template <class T>
PARTYLINE_EXPORT operation<T> operation_of(boost::asio::any_io_executor home, task<T> work);

} // namespace partyline::mcp
