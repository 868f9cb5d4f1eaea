#include <partyline/fleet/worker.hpp>

#include "fleet/worker/worker_service.hpp"

#include <utility>

namespace partyline::fleet {

worker::worker(boost::asio::any_io_executor executor, const bus& by, std::string service, served_methods methods,
               worker_options options)
    : service_(std::make_shared<worker_service>(std::move(executor), by.core(), std::move(service), std::move(methods),
                                                std::move(options)))
{
    service_->prepare();
}

worker& worker::operator=(worker&& other) noexcept
{
    worker(std::move(other)).service_.swap(service_);
    return *this;
}

worker::~worker()
{
    stop();
}

void worker::start(std::shared_ptr<worker_service> of, boost::asio::any_completion_handler<void(error_code)> done)
{
    of->run(std::move(done));
}

void worker::close()
{
    if (service_)
        service_->close();
}

void worker::stop() noexcept
{
    if (service_)
        service_->stop();
}

worker_totals worker::counters() const noexcept
{
    return service_ ? service_->counters() : worker_totals();
}

} // namespace partyline::fleet
