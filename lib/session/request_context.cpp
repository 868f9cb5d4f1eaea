#include <partyline/session/request_context.hpp>

#include "session/completion.hpp"

namespace partyline {
namespace {

response nobody_asked()
{
    return response::failure{errc::session_closed, {}};
}

} // namespace

std::shared_ptr<lifecycle> caller::session_lifecycle() const
{
    return nullptr;
}

sending request_context::partial_result(boost::json::value)
{
    return []() -> boost::asio::awaitable<void> { co_return; }();
}

void request_context::start_call(std::string, call_params, call_options, call_handler done)
{
    completion<error_code, response>(std::move(done), get_executor())(errc::session_closed, nobody_asked());
}

void request_context::start_notify(std::string, call_params, notify_handler done)
{
    completion<error_code>(std::move(done), get_executor())(errc::session_closed);
}

void request_context::start_batch(call_batch calls, call_options, batch_handler done)
{
    std::vector<response> replies;
    for (const call_batch::element& element : calls.elements()) {
        if (element.is_call)
            replies.push_back(nobody_asked());
    }
    completion<error_code, std::vector<response>>(std::move(done), get_executor())(errc::session_closed,
                                                                                  std::move(replies));
}

} // namespace partyline
