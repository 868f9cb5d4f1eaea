#include "gateway/attached_clients.hpp"

#include "gateway/judged_request.hpp"
#include "gateway/member_text.hpp"

#include <partyline/protocol/printable.hpp>

#include <utility>

namespace gateway {

attached_clients::attached_clients(protocol speaks, bool is_shared, tables from, logger log)
    : speaks_(speaks), is_shared_(is_shared), from_(from), log_(std::move(log))
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

void attached_clients::tell(const std::string& method, const json_text& params, const attached_client::receipt& kept)
{
    if (speaks_ == protocol::plain)
        return tell_all(method, params, kept);
    if (tell_subscriber(method, params, kept))
        return;
    if (!is_shared_ || method.ends_with("/list_changed"))
        return tell_all(method, params, kept);
    if (method == log_method)
        return tell_log_line(params);
    if (method == updated_method)
        return tell_watchers(method, params);
    note_untold(method);
}

void attached_clients::tell_all(const std::string& method, const json_text& params,
                                const attached_client::receipt& kept)
{
    for (const auto& [key, client] : clients_) {
        if (const std::shared_ptr<attached_client> one = client.lock())
            one->tell(method, params, kept);
    }
}

void attached_clients::close_sessions()
{
    for (const auto& [key, client] : clients_) {
        if (const std::shared_ptr<attached_client> one = client.lock())
            one->close_session();
    }
}

bool attached_clients::tell_subscriber(const std::string& method, const json_text& params,
                                       const attached_client::receipt& kept)
{
    const std::string_view id = rare_member_text(params, {"_meta", subscription_member});
    if (id.empty())
        return false;
    const named_request* const to = from_.named.find(id);
    const bool is_known = to && !to->client_id.empty();
    if (is_known)
        tell_in(*to, method, with_replaced(params, id, to->client_id), kept);
    // What is about one that has ended, as the server may not know yet, is nobody's: by chance its number may be that
    // of another one at a client. Some servers write ids in another way; the only client of one hears that.
    return is_known || is_shared_ || !id.starts_with('"');
}

void attached_clients::tell_in(const named_request& to, const std::string& method, const json_text& params,
                               const attached_client::receipt& kept)
{
    if (const std::shared_ptr<attached_client> client = find(to.by))
        client->tell_in(to.number, method, params, kept);
}

void attached_clients::tell_watchers(const std::string& method, const json_text& params)
{
    const std::string uri = member_string(params, {"uri"}).value_or(std::string());
    for (const auto& [key, client] : clients_) {
        const std::shared_ptr<attached_client> one = client.lock();
        if (one && from_.watchers.is_watched(uri, *one))
            one->tell(method, params);
    }
}

void attached_clients::tell_log_line(const json_text& params)
{
    const std::string method(log_method);
    const std::string_view token = rare_member_text(params, {"_meta", "progressToken"});
    const named_request* const named = token.empty() ? nullptr : from_.named.find(token);
    if (named && !named->client_token.empty())
        return tell_in(*named, method, with_replaced(params, token, named->client_token));
    const std::optional<log_recipients::recipient> to = from_.logs.find();
    const std::shared_ptr<attached_client> client = to ? find(to->client) : nullptr;
    if (!client || (to->request && !token.empty())) // it names another request than that one
        return note_untold(method);
    if (to->request)
        client->tell_in(*to->request, method, params);
    else
        client->tell(method, params);
}

void attached_clients::note_untold(const std::string& method)
{
    if (untold_++ == 0 && log_)
        log_("several clients share the server, and it can't be known whose " + partyline::printable(method, 100) +
             " is: it is dropped, as others are from now on without a word");
}

} // namespace gateway
