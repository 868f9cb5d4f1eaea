#include "http/serve/kept_conversation.hpp"

#include "http/serve/http_service.hpp"

#include <boost/asio/error.hpp>

#include <utility>

namespace asio = boost::asio;

namespace partyline::http {

kept_conversation::kept_conversation(std::shared_ptr<http_service> of, std::shared_ptr<const dispatcher> methods,
                                     session_options options, std::shared_ptr<const access_grant> grant)
    : core_(std::move(of)), grant_(std::move(grant)),
      conversation_(std::make_shared<conversation>(core_->executor(), std::move(methods), std::move(options),
                                                   std::make_unique<event_framing>())),
      post_(*core_, *conversation_), life_(core_->executor())
{
    life_.start(); // `let_go()` has nobody to report a lack of memory to
    conversation_->attach(*this);
}

kept_conversation::~kept_conversation()
{
    conversation_->detach();
}

endpoint::answer kept_conversation::serve(request&& asked, status_rule by, reply_sink& line)
{
    if (std::optional<response> refused = post_.begin(std::move(asked), by, line))
        return std::move(*refused);
    return std::shared_ptr<exchange>(shared_from_this(), &post_);
}

// What belongs to no request is for nobody.
void kept_conversation::flush()
{
    outbox& stream = conversation_->out();
    if (!stream.empty())
        stream.sent(stream.unsent().size());
}

void kept_conversation::let_go() noexcept
{
    if (!is_usable())
        return;
    life_.keep(shared_from_this());
    post_.close();
    conversation_->stop(asio::error::operation_aborted, {errc::session_closed});
}

void kept_conversation::on_end(error_code) noexcept
{
    life_.keep(shared_from_this()); // its connection may let go of it now, and its conversation is on the stack
    post_.end();
    life_.stop();
}

} // namespace partyline::http
