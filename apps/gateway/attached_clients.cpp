#include "gateway/attached_clients.hpp"

#include "gateway/member_text.hpp"

#include <partyline/protocol/printable.hpp>

#include <utility>

namespace gateway {

attached_clients::attached_clients(protocol speaks, bool is_shared, const listen_table& listens,
                                   const resource_watchers& watchers, logger log)
    : speaks_(speaks), is_shared_(is_shared), listens_(listens), watchers_(watchers), log_(std::move(log))
{
}

void attached_clients::remove(const attached_client& gone) noexcept
{
    std::erase_if(clients_, [&](const auto& each) { return each.first == &gone; });
}

std::shared_ptr<attached_client> attached_clients::find(const attached_client* key) const
{
    for (const auto& [own, client] : clients_) {
        if (own == key)
            return client.lock();
    }
    return nullptr;
}

std::shared_ptr<attached_client> attached_clients::only_one() const
{
    return is_shared_ || clients_.empty() ? nullptr : clients_.front().second.lock();
}

void attached_clients::tell(const std::string& method, const json_text& params)
{
    if (speaks_ == protocol::plain)
        return tell_all(method, params);
    if (tell_subscriber(method, params))
        return;
    if (!is_shared_ || method.ends_with("/list_changed"))
        return tell_all(method, params);
    if (method == log_method)
        return tell_logger(method, params);
    if (method == "notifications/resources/updated")
        return tell_watchers(method, params);
    note_unaddressed(method);
}

void attached_clients::tell_all(const std::string& method, const json_text& params)
{
    for (const auto& [key, client] : clients_) {
        if (const std::shared_ptr<attached_client> one = client.lock())
            one->tell(method, params);
    }
}

bool attached_clients::tell_subscriber(const std::string& method, const json_text& params)
{
    const std::string_view id = rare_member_text(params, {"_meta", subscription_member});
    const subscription* const to = id.empty() ? nullptr : listens_.find(id);
    if (!to)
        return false;
    if (const std::shared_ptr<attached_client> client = find(to->by))
        client->tell_in(to->number, method, with_replaced(params, id, to->client_id));
    return true;
}

void attached_clients::tell_watchers(const std::string& method, const json_text& params)
{
    const std::string uri = member_string(params, {"uri"}).value_or(std::string());
    for (const auto& [key, client] : clients_) {
        const std::shared_ptr<attached_client> one = client.lock();
        if (one && watchers_.is_watched(uri, *one))
            one->tell(method, params);
    }
}

// What is logged may be about one client's work: it is told where it can be meant for one alone.
void attached_clients::tell_logger(const std::string& method, const json_text& params)
{
    std::shared_ptr<attached_client> to;
    attached_client::log_targets targets;
    for (const auto& [key, client] : clients_) {
        const std::shared_ptr<attached_client> one = client.lock();
        const attached_client::log_targets its = one ? one->wants_log() : attached_client::log_targets();
        if (its.count == 0)
            continue;
        to = one;
        targets.count += its.count;
        targets.request = its.request;
    }
    if (targets.count != 1)
        return note_unaddressed(method);
    if (targets.request)
        to->tell_in(*targets.request, method, params);
    else
        to->tell(method, params);
}

void attached_clients::note_unaddressed(const std::string& method)
{
    if (log_ && !std::exchange(has_told_unaddressed_, true))
        log_("the clients share a server that does not say for which of them " + partyline::printable(method, 100) +
             " is: none is told");
}

} // namespace gateway
