#include <partyline/session/detail/serial_executor.hpp>

#include <partyline/session/session_options.hpp>

#include <boost/asio/strand.hpp>

namespace partyline::detail {

boost::asio::any_io_executor serial_executor(boost::asio::any_io_executor of, const session_options& options)
{
    if (options.executor_is_serial)
        return of;
    return boost::asio::make_strand(of);
}

} // namespace partyline::detail
