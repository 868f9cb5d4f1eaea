#include "session/calls/posted_completion.hpp"

#include "session/persistent_post.hpp"

#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/prefer.hpp>

#include <new>

namespace asio = boost::asio;

namespace partyline {

void completion_base::associate(const asio::any_completion_executor& own)
{
    if (!own)
        throw std::bad_alloc(); // in Asio 1.26 one that there was no memory for is empty
    is_elsewhere_ = own != asio::any_completion_executor(home_);
    work_ = asio::prefer(own, asio::execution::outstanding_work.tracked);
}

void completion_base::post(std::shared_ptr<void> hold) noexcept
{
    const asio::any_io_executor home = std::exchange(home_, {});
    const auto told = [this, hold = std::move(hold)] { tell(); };
    try {
        if (is_elsewhere_)
            post_persistently(home, [at = work_, told] { try_twice([&] { at.execute(told); }); });
        else
            post_persistently(home, told);
    } catch (const std::bad_alloc&) { // twice: then there is nobody who could be told anything
    }
    work_ = {};
}

} // namespace partyline
