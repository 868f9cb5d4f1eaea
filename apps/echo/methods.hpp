#pragma once

#include <partyline/rpc/method_table.hpp>

#include <boost/asio/any_io_executor.hpp>

namespace echo {

/// The methods of the sample server. `pool` is where those run that compute.
partyline::method_table make_methods(boost::asio::any_io_executor pool, bool is_language_server);

} // namespace echo
