#include "gateway/call_completion.hpp"

#include <boost/asio/append.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/post.hpp>

#include <utility>

namespace asio = boost::asio;

namespace gateway {

call_completion::call_completion(handler done, asio::any_io_executor executor)
    : done_(std::move(done)), executor_(std::move(executor))
{
}

call_completion::~call_completion()
{
    tell(partyline::errc::session_closed, {});
}

void call_completion::tell(partyline::error_code failed, partyline::response reply)
{
    if (std::exchange(is_told_, true))
        return;
    if (auto slot = asio::get_associated_cancellation_slot(done_); slot.is_connected())
        slot.clear();
    asio::post(executor_, asio::append(std::move(done_), failed, std::move(reply)));
}

} // namespace gateway
