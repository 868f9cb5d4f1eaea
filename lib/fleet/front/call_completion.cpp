#include "fleet/front/call_completion.hpp"

#include "session/persistent_post.hpp"

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
      waits_(std::make_shared<waiting>(std::move(done)))
{
}

// The slot is the caller's, and is let go of where that emits its signal.
void call_completion::tell(error_code failed, response reply)
{
    if (!waits_)
        return;
    waits_->failed = failed;
    waits_->reply = std::move(reply);
    try_twice([this] {
        asio::prefer(executor_, asio::execution::blocking.never).execute([told = waits_] {
            handler done = std::move(told->done);
            if (auto slot = asio::get_associated_cancellation_slot(done); slot.is_connected())
                slot.clear();
            std::move(done)(told->failed, std::move(told->reply));
        });
    });
    waits_.reset();
    executor_ = {};
}

} // namespace partyline::fleet
