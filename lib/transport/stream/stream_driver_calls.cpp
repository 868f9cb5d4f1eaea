// What is said to the peer from outside of handlers.
#include "transport/stream/stream_driver.hpp"

#include <boost/asio/post.hpp>

namespace asio = boost::asio;

namespace partyline {

void stream_driver::launch(const std::shared_ptr<outgoing_message>& message, error_code failed)
{
    if (!conversation_->prepare(message, failed))
        return;
    asio::post(executor_, [self = shared_from_this(), message] { self->conversation_->start_call(message, nullptr); });
}

bool stream_driver::takes_calls() const noexcept
{
    return !conversation_->context().end.is_stopping() && output_ != output::closed;
}

void stream_driver::adopt(const std::shared_ptr<outgoing_message>& message) noexcept
{
    conversation_->number(*message);
    conversation_->start_call(message, nullptr);
}

} // namespace partyline
