#pragma once

#include <partyline/rpc/method_table.hpp>

#include <boost/asio/any_io_executor.hpp>

namespace bench {

/// `delay` and `hold…`: requests that stay in flight.
void add_holds(partyline::method_table& methods);

/// All methods. `pool` is where `work` computes.
partyline::method_table make_methods(boost::asio::any_io_executor pool);

} // namespace bench
