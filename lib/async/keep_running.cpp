#include "async/keep_running.hpp"

#include <partyline/protocol/errc.hpp>

#include <utility>

namespace asio = boost::asio;

namespace partyline {

keep_running::keep_running(const asio::any_io_executor& executor)
    : never_(executor, asio::steady_timer::time_point::max())
{
}

void keep_running::start(std::shared_ptr<const void> kept)
{
    never_.async_wait([kept = std::move(kept)](error_code) {});
}

void keep_running::stop() noexcept
{
    never_.cancel();
}

} // namespace partyline
