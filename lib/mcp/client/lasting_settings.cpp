#include "mcp/client/lasting_settings.hpp"

#include <utility>

namespace partyline::mcp {

lasting_settings::values lasting_settings::get() const
{
    const std::lock_guard lock(mutex_);
    return now_;
}

std::optional<log_level> lasting_settings::log_from() const
{
    const std::lock_guard lock(mutex_);
    return now_.log_from;
}

void lasting_settings::log_from(mcp::log_level least)
{
    const std::lock_guard lock(mutex_);
    now_.log_from = least;
}

void lasting_settings::use_roots(std::vector<root> changed) noexcept
{
    const std::lock_guard lock(mutex_);
    now_.roots = std::move(changed);
}

void lasting_settings::subscribe(std::string uri)
{
    const std::lock_guard lock(mutex_);
    now_.subscriptions.insert(std::move(uri));
}

void lasting_settings::unsubscribe(const std::string& uri)
{
    const std::lock_guard lock(mutex_);
    now_.subscriptions.erase(uri);
}

} // namespace partyline::mcp
