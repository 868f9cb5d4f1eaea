#include <partyline/fleet/bus.hpp>

#include "fleet/bus/bus_core.hpp"

#include <utility>

namespace partyline::fleet {

bus::bus(bus_options options) : core_(std::make_shared<bus_core>(std::move(options)))
{
    core_->start();
}

bus& bus::operator=(bus&& other) noexcept
{
    bus(std::move(other)).core_.swap(core_);
    return *this;
}

bus::~bus()
{
    close();
}

bool bus::is_connected() const noexcept
{
    return core_ && core_->is_connected();
}

bus_totals bus::counters() const noexcept
{
    return core_ ? core_->counters() : bus_totals();
}

void bus::close() noexcept
{
    if (core_)
        core_->close();
}

} // namespace partyline::fleet
