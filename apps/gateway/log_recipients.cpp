#include "gateway/log_recipients.hpp"

namespace gateway {

void log_recipients::on_attach(const attached_client& client)
{
    clients_.insert(&client);
    has_been_shared_ = has_been_shared_ || clients_.size() > 1;
}

void log_recipients::on_detach(const attached_client& client) noexcept
{
    clients_.erase(&client);
    has_been_shared_ = true; // whoever comes next
}

void log_recipients::on_server_start() noexcept
{
    has_been_shared_ = clients_.size() > 1;
    has_unknown_ = false;
}

void log_recipients::on_request(const attached_client& by, std::uint64_t number, request_traits what)
{
    if (what.asks)
        asking_.emplace(&by, number);
    if (!what.is_subscription)
        open_.emplace(&by, number);
}

void log_recipients::on_end(const attached_client& by, std::uint64_t number, outcome how) noexcept
{
    asking_.erase({&by, number});
    const bool was_open = open_.erase({&by, number}) != 0;
    has_unknown_ = has_unknown_ || (was_open && how == outcome::unknown);
}

// The set is sorted by clients: where its ends are one client's, all of it is.
std::optional<log_recipients::recipient> log_recipients::find() const
{
    if (has_level_) {
        if (has_been_shared_ || clients_.size() != 1)
            return std::nullopt;
        return recipient{*clients_.begin(), {}};
    }
    if (has_unknown_ || asking_.size() != 1)
        return std::nullopt;
    const auto& [client, request] = *asking_.begin();
    if (!open_.empty() && (open_.begin()->first != client || open_.rbegin()->first != client))
        return std::nullopt;
    return recipient{client, request};
}

} // namespace gateway
