#pragma once

#include <partyline/config.hpp>

#include <boost/asio/any_io_executor.hpp>

namespace partyline {

struct session_options;

namespace detail {

/// Returns the executor of a session on a stream of this executor: a strand of it, unless the options say that it is
/// serial already. (Asio's strand takes a while to compile, so it is not in headers.)
PARTYLINE_EXPORT boost::asio::any_io_executor serial_executor(boost::asio::any_io_executor of,
                                                              const session_options& options);

} // namespace detail
} // namespace partyline
