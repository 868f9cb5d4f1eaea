#include "gateway/running_servers.hpp"

#include "gateway/upstream.hpp"

#include <utility>

namespace gateway {

void running_servers::insert(std::shared_ptr<upstream> one)
{
    all_.insert(std::move(one));
}

void running_servers::erase(const std::shared_ptr<upstream>& one) noexcept
{
    all_.erase(one);
    if (all_.empty())
        kept_.reset();
}

void running_servers::keep_until_empty(std::shared_ptr<const void> what) noexcept
{
    if (!all_.empty())
        kept_ = std::move(what);
}

void running_servers::release() noexcept
{
    const auto all = std::exchange(all_, {}); // what is released may have others end
    for (const std::shared_ptr<upstream>& one : all)
        one->release();
}

} // namespace gateway
