#include "supervisor/child_caller.hpp"

#include "session/calls/call_table.hpp"
#include "transport/stream/stream_driver.hpp"

#include <utility>

namespace partyline {

child_caller::child_caller(const std::shared_ptr<stream_driver>& driver)
    : driver_(driver), executor_(driver->get_executor()), calling_(driver->calling())
{
}

std::shared_ptr<lifecycle> child_caller::session_lifecycle() const
{
    const std::shared_ptr<stream_driver> driver = driver_.lock();
    return driver ? driver->lifecycle() : nullptr;
}

void child_caller::start_call(std::string method, call_params params, call_options options, call_handler done)
{
    send_call(*this, std::move(method), params, std::move(options), std::move(done));
}

void child_caller::start_notify(std::string method, call_params params, notify_handler done)
{
    send_notification(*this, std::move(method), params, std::move(done));
}

void child_caller::start_batch(call_batch calls, call_options options, batch_handler done)
{
    send_batch(*this, calls, std::move(options), std::move(done));
}

void child_caller::launch(const std::shared_ptr<outgoing_message>& made, error_code failed)
{
    if (const std::shared_ptr<stream_driver> driver = driver_.lock())
        return driver->launch(made, failed);
    call_table::refuse(*made, failed ? failed : error_code(errc::session_closed));
}

} // namespace partyline
