// In place of observer.cpp, where the library of telemetry is not built: its options are refused.

#include "command_line/observer.hpp"

namespace command_line {

struct observer::core {};

bool observer::is_built() noexcept
{
    return false;
}

observer::observer(const telemetry_options&, const std::string&, const observed_methods&) {}

observer::~observer() = default;

void observer::observe(partyline::session_options&) const {}

void observer::observe_calls(partyline::session_options&) const {}

call_observer observer::passed_calls() const
{
    return {};
}

std::shared_ptr<partyline::access_control> observer::counted(std::shared_ptr<partyline::access_control> by) const
{
    return by;
}

std::function<void(const partyline::http::server*)> observer::watch() const
{
    return {};
}

void observer::count_connections(std::function<std::size_t()>) const {}

void observer::set_reader(observed_numbers) const {}

} // namespace command_line
