#include "gateway/last_word.hpp"

#include <boost/asio/append.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/post.hpp>

#include <utility>

namespace asio = boost::asio;

namespace gateway {

last_word::last_word(handler done, asio::any_io_executor executor)
    : done_(std::move(done)), executor_(std::move(executor))
{
}

last_word::~last_word()
{
    tell(partyline::errc::session_closed, {});
}

void last_word::tell(partyline::error_code failed, partyline::response reply)
{
    if (std::exchange(is_told_, true))
        return;
    if (auto slot = asio::get_associated_cancellation_slot(done_); slot.is_connected())
        slot.clear();
    asio::post(executor_, asio::append(std::move(done_), failed, std::move(reply)));
}

} // namespace gateway
