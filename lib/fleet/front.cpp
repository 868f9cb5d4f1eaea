#include <partyline/fleet/front.hpp>

#include "fleet/front/forwarding.hpp"
#include "fleet/front/front_service.hpp"
#include "fleet/front/opened_session.hpp"
#include "session/calls/make_operation.hpp"

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

served_methods front::maker(const profile& speaks) const
{
    return [methods = make_forwarding(service_), speaks = &speaks](session_options& its) {
        its.profile = speaks;
        return methods;
    };
}

operation<json_text> front::call(fleet_call what) const
{
    if (!service_)
        throw std::logic_error("this front was moved from");
    return make_operation<json_text>([by = service_, what = std::move(what)](auto done) mutable {
        by->start_call(std::move(what), std::move(done));
    });
}

fleet_call front::call_of(request_context& context, json_text params)
{
    return fleet::call_of(context, std::move(params));
}

task<response> front::forward(request_context& context, fleet_call call, notification_filter passes) const
{
    return fleet::forward(service_, context, std::move(call), std::move(passes));
}

session front::open_session(const served_methods& methods, fleet_session_options options) const
{
    if (!service_)
        throw std::logic_error("this front was moved from");
    return make_session(service_, methods, std::move(options));
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
