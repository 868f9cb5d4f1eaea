#include <partyline/supervisor.hpp>

#include "session/calls/make_outgoing.hpp"
#include "supervisor/supervisor_core.hpp"

#include <partyline/rpc/method_table.hpp>

#include <new>
#include <stdexcept>

namespace asio = boost::asio;

namespace partyline {
namespace {

// A supervisor that was moved from has none.
supervisor_core& not_moved(const std::shared_ptr<supervisor_core>& core)
{
    if (!core)
        throw std::logic_error("this supervisor was moved from");
    return *core;
}

} // namespace

supervisor::supervisor(asio::any_io_executor executor, std::vector<std::string> command, const served_methods& methods,
                       supervisor_options options)
    : core_(std::make_shared<supervisor_core>(std::move(executor), std::move(command), methods, std::move(options)))
{
}

supervisor::supervisor(asio::any_io_executor executor, std::vector<std::string> command, supervisor_options options)
    : supervisor(std::move(executor), std::move(command), std::make_shared<const method_table>(), std::move(options))
{
}

supervisor& supervisor::operator=(supervisor&& other) noexcept
{
    supervisor old(std::move(*this)); // stops it
    core_ = std::move(other.core_);
    return *this;
}

supervisor::~supervisor()
{
    try {
        if (core_)
            core_->end(supervisor_core::ending::at_once);
    } catch (const std::bad_alloc&) { // it ends when its server does, and is not started again
    }
}

void supervisor::start(std::shared_ptr<supervisor_core> core, asio::any_completion_handler<void(error_code)> done)
{
    const asio::any_io_executor executor = not_moved(core).get_executor();
    core->start(completion<error_code>(std::move(done), executor));
}

void supervisor::check_callable() const
{
    not_moved(core_);
}

void supervisor::start_call(std::string method, call_params params, call_options options, call_handler done)
{
    send_call(not_moved(core_), std::move(method), params, std::move(options), std::move(done));
}

void supervisor::start_notify(std::string method, call_params params, notify_handler done)
{
    send_notification(not_moved(core_), std::move(method), params, std::move(done));
}

void supervisor::start_batch(call_batch calls, call_options options, batch_handler done)
{
    send_batch(not_moved(core_), calls, std::move(options), std::move(done));
}

void supervisor::close()
{
    not_moved(core_).end(supervisor_core::ending::in_order);
}

void supervisor::stop()
{
    not_moved(core_).end(supervisor_core::ending::at_once);
}

supervisor_status supervisor::status() const
{
    return not_moved(core_).status();
}

std::shared_ptr<lifecycle> supervisor::session_lifecycle() const
{
    return not_moved(core_).session_lifecycle();
}

asio::any_io_executor supervisor::get_executor() const
{
    return not_moved(core_).get_executor();
}

} // namespace partyline
