#include "stop_check.hpp"

#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

namespace tools {

void throw_stopped()
{
    throw boost::system::system_error(boost::asio::error::operation_aborted);
}

} // namespace tools
