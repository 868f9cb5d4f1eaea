#pragma once

#include <boost/asio/any_io_executor.hpp>

#include <memory>

namespace gateway {

/// Destroys what belongs to a further thread of a server when its context ends: nobody else runs there any more. Once
/// for each context.
void keep_until_end(const boost::asio::any_io_executor& of_thread, std::shared_ptr<void> what);

} // namespace gateway
