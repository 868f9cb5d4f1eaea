#include <partyline/fleet/front.hpp>

#include "fleet/front/forwarding.hpp"
#include "fleet/front/front_service.hpp"
#include "fleet/front/opened_session.hpp"

#include <partyline/session/session_options.hpp>

#include <stdexcept>
#include <utility>

namespace partyline::fleet {

front::front(boost::asio::any_io_executor executor, const bus& by, std::string service, front_options options)
    : service_(std::make_shared<front_service>(std::move(executor), by.core(), std::move(service), std::move(options)))
{
    service_->start();
}

front& front::operator=(front&& other) noexcept
{
    front(std::move(other)).service_.swap(service_);
    return *this;
}

front::~front()
{
    if (service_)
        service_->stop();
}

http::conversation_maker front::maker(const profile& speaks) const
{
    return [methods = make_forwarding(service_), speaks = &speaks](session_options& its) {
        its.profile = speaks;
        return methods;
    };
}

fleet_call front::call_of(request_context& context, json_text params)
{
    return fleet::call_of(context, std::move(params));
}

task<response> front::forward(request_context& context, fleet_call call, notification_filter passes) const
{
    return fleet::forward(service_, context, std::move(call), std::move(passes));
}

session front::open_session(std::shared_ptr<const dispatcher> methods, fleet_session_options options) const
{
    if (!service_)
        throw std::logic_error("this front was moved from");
    return make_session(service_, std::move(methods), std::move(options));
}

void front::start(std::shared_ptr<front_service> by, fleet_call call, call_handler done)
{
    by->start_call(std::move(call), std::move(done));
}

void front::close() noexcept
{
    if (service_)
        service_->close();
}

front_totals front::counters() const noexcept
{
    return service_ ? service_->counters() : front_totals();
}

} // namespace partyline::fleet
