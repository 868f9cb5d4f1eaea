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
    const auto owned = std::make_shared<std::shared_ptr<const void>>(std::move(kept));
    never_.async_wait([owned](error_code) {});
    kept_ = owned;
}

void keep_running::keep(std::shared_ptr<const void> kept) noexcept
{
    if (const auto owned = kept_.lock())
        *owned = std::move(kept);
}

void keep_running::stop() noexcept
{
    never_.cancel();
}

} // namespace partyline
