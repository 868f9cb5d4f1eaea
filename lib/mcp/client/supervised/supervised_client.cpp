#include <partyline/mcp/supervised_client.hpp>

#include "mcp/client/operation.hpp"
#include "mcp/client/supervised/supervised_core.hpp"

#include <new>
#include <stdexcept>
#include <utility>

namespace asio = boost::asio;

namespace partyline::mcp {
namespace {

const std::shared_ptr<supervised_core>& not_moved(const std::shared_ptr<supervised_core>& core)
{
    if (!core)
        throw std::logic_error("a supervised MCP client that was moved from is used");
    return core;
}

} // namespace

supervised_client::supervised_client(asio::any_io_executor executor, std::function<client()> make,
                                     supervised_client_options options)
    : core_(std::make_shared<supervised_core>(std::move(executor), std::move(make), std::move(options)))
{
}

supervised_client::supervised_client(supervised_client&&) noexcept = default;

supervised_client& supervised_client::operator=(supervised_client&& other) noexcept
{
    const supervised_client old(std::move(*this)); // stops it
    core_ = std::move(other.core_);
    return *this;
}

supervised_client::~supervised_client()
{
    try {
        if (core_)
            core_->leave();
    } catch (const std::bad_alloc&) { // it ends when its server does, and there is no other one
    }
}

void supervised_client::start(std::shared_ptr<supervised_core> core,
                              asio::any_completion_handler<void(error_code)> done)
{
    const asio::any_io_executor executor = not_moved(core)->get_executor();
    core->start(completion<error_code>(std::move(done), executor));
}

operation<std::shared_ptr<client>> supervised_client::ready() const
{
    return operation_of(get_executor(), supervised_core::ready(not_moved(core_)));
}

void supervised_client::close()
{
    not_moved(core_)->end(supervised_core::ending::in_order);
}

void supervised_client::stop()
{
    not_moved(core_)->end(supervised_core::ending::at_once);
}

supervisor_status supervised_client::status() const
{
    return not_moved(core_)->status();
}

asio::any_io_executor supervised_client::get_executor() const
{
    return not_moved(core_)->get_executor();
}

} // namespace partyline::mcp
