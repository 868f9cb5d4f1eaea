#include "fleet/front/call_completion.hpp"

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/execution/blocking.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/prefer.hpp>

#include <utility>

namespace asio = boost::asio;

namespace partyline::fleet {

call_completion::call_completion(handler done, const asio::any_io_executor& other)
    : executor_(asio::prefer(asio::get_associated_executor(done, other), asio::execution::outstanding_work.tracked)),
      done_(std::in_place, std::move(done))
{
}

// The slot is the caller's, and is let go of where that emits its signal.
void call_completion::tell(error_code failed, response reply)
{
    if (!done_)
        return;
    auto told = [done = std::move(*done_), failed, reply = std::move(reply)]() mutable {
        if (auto slot = asio::get_associated_cancellation_slot(done); slot.is_connected())
            slot.clear();
        std::move(done)(failed, std::move(reply));
    };
    done_.reset();
    const auto executor = std::exchange(executor_, {});
    asio::prefer(executor, asio::execution::blocking.never).execute(std::move(told));
}

} // namespace partyline::fleet
