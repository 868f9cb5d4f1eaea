#include "mcp/server/sessions/listen_method.hpp"

#include "mcp/server/catalogue.hpp"
#include "mcp/server/result_envelope.hpp"
#include "mcp/server/server_core.hpp"
#include "mcp/server/sessions/session_client.hpp"
#include "mcp/wire/methods.hpp"
#include "mcp/wire/refusals.hpp"

#include <partyline/async/async_event.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/protocol/writer.hpp>
#include <partyline/session/peer_wait.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include <array>
#include <set>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::mcp {
namespace {

/// What a client wants to be told of.
struct listened {
    bool tools = false;
    bool prompts = false;
    bool resources = false;
    std::set<std::string> uris;

    bool wants(feature_kind kind) const noexcept
    {
        switch (kind) {
        case feature_kind::tool: return tools;
        case feature_kind::prompt: return prompts;
        default: return resources;
        }
    }
    std::size_t uri_bytes() const noexcept
    {
        std::size_t sum = 0;
        for (const std::string& uri : uris)
            sum += uri.size();
        return sum;
    }
};

bool flag(const json::object& in, std::string_view name)
{
    const json::value* const found = in.if_contains(name);
    return found && found->is_bool() && found->get_bool();
}

std::set<std::string> uris_of(const json::object& in, std::size_t most)
{
    std::set<std::string> all;
    const json::value* const given = in.if_contains("resourceSubscriptions");
    if (!given)
        return all;
    const char* const where = "notifications.resourceSubscriptions";
    if (!given->is_array() || given->get_array().size() > most)
        throw rpc_error(invalid_params(where, "array of at most " + std::to_string(most) + " elements"));
    for (const json::value& one : given->get_array()) {
        if (!one.is_string())
            throw rpc_error(invalid_params(where, "array of strings"));
        all.emplace(one.get_string());
    }
    return all;
}

// What the server has nothing of is not honoured.
listened read_wishes(const catalogue& of, json_view params)
{
    const json::value given = params.to_value();
    const json::object* const members = given.if_object();
    const json::value* const wishes = members ? members->if_contains("notifications") : nullptr;
    if (!wishes || !wishes->is_object())
        throw rpc_error(invalid_params("notifications", "object"));
    const json::object& in = wishes->get_object();
    listened made;
    made.tools = flag(in, "toolsListChanged") && of.has(feature_kind::tool);
    made.prompts = flag(in, "promptsListChanged") && of.has(feature_kind::prompt);
    made.resources = flag(in, "resourcesListChanged") && of.has_resources();
    if (of.has_resources())
        made.uris = uris_of(in, of.server().options.max_subscriptions);
    return made;
}

json::object honoured(const listened& wishes)
{
    json::object all;
    if (wishes.tools)
        all["toolsListChanged"] = true;
    if (wishes.prompts)
        all["promptsListChanged"] = true;
    if (wishes.resources)
        all["resourcesListChanged"] = true;
    if (!wishes.uris.empty())
        all["resourceSubscriptions"] = json::array(wishes.uris.begin(), wishes.uris.end());
    return all;
}

/// Has what one client wants to be told of, until its handler tells it. However often something changes meanwhile, it
/// is told once. On the session's executor.
class listener final : public change_listener {
public:
    struct news {
        feature_marks lists{};
        std::set<std::string> uris;
    };

    listener(listened wishes, std::shared_ptr<server_lifecycle> session, const asio::any_io_executor& where)
        : wishes_(std::move(wishes)), session_(std::move(session)), has_news_(where)
    {
        session_->add_listener(*this, wishes_.uri_bytes());
    }
    ~listener() { session_->remove_listener(*this, wishes_.uri_bytes()); }
    listener(const listener&) = delete;
    listener& operator=(const listener&) = delete;

    const listened& wishes() const noexcept { return wishes_; }
    const server_facts& server() const noexcept { return session_->core().facts(); }

    /// Completes with an error code when there are news, or when it is cancelled.
    auto wait() { return has_news_.async_wait(asio::as_tuple(asio::deferred)); }
    news take()
    {
        has_news_.reset();
        return std::exchange(news_, {});
    }

    void on_list_changed(feature_kind of) noexcept override
    {
        if (!wishes_.wants(of))
            return;
        news_.lists[static_cast<std::size_t>(of)] = true;
        has_news_.set();
    }
    void on_resource_updated(const std::string& uri) override
    {
        if (!wishes_.uris.contains(uri))
            return;
        news_.uris.insert(uri);
        has_news_.set();
    }

private:
    const listened wishes_;
    const std::shared_ptr<server_lifecycle> session_;
    async_event has_news_;
    news news_;
};

// The member of `_meta`, with the exact text of the id.
std::string subscription_meta(const request_context& rpc)
{
    return '"' + std::string(meta_names::subscription_id) + "\":" + std::string(rpc.id().text());
}

json_text told(std::string members, const std::string& meta)
{
    return json_text('{' + std::move(members) + "\"_meta\":{" + meta + "}}");
}

std::string uri_member(const std::string& uri)
{
    return "\"uri\":" + json::serialize(json::value(uri)) + ',';
}

task<void> tell(request_context& rpc, listener::news fresh, std::string meta)
{
    std::set<std::string_view> methods;
    for (std::size_t kind = 0; kind != feature_kinds; ++kind)
        if (fresh.lists[kind])
            methods.insert(list_changed_method(static_cast<feature_kind>(kind)));
    for (const std::string_view method : methods) {
        json_text params = told({}, meta);
        co_await rpc.notify(std::string(method), std::move(params));
    }
    for (const std::string& uri : fresh.uris) {
        json_text params = told(uri_member(uri), meta);
        co_await rpc.notify("notifications/resources/updated", std::move(params));
    }
}

task<json_text> listen(request_context& rpc, std::unique_ptr<listener> own)
{
    const peer_wait takes_no_slot(rpc);
    const std::string meta = subscription_meta(rpc);
    std::string wanted = "\"notifications\":" + json::serialize(honoured(own->wishes())) + ',';
    json_text params = told(std::move(wanted), meta);
    co_await rpc.notify("notifications/subscriptions/acknowledged", std::move(params));
    while (!rpc.cancelled()) {
        co_await own->wait();
        if (rpc.cancelled())
            break;
        listener::news fresh = own->take();
        co_await tell(rpc, std::move(fresh), meta);
    }
    // Input has ended, or the session does: a client that has cancelled hears nothing of this.
    byte_buffer result;
    result.append("{}");
    add_envelope(result, {.meta_members = meta}, own->server());
    co_return json_text(json_view::checked(result.view()));
}

class listen_handler final : public handler {
public:
    explicit listen_handler(const catalogue& of) : handler(kind::task), of_(of) {}

    partyline::detail::task_root start(request_context& rpc, json_view params) override
    {
        std::shared_ptr<server_lifecycle> session = session_of(rpc);
        if (!session || !session->link())
            throw rpc_error(partyline::error_codes::internal_error, "This session has not been prepared by the server");
        listened wishes = read_wishes(of_, params);
        const std::shared_ptr<const access_view> by = rpc.access();
        for (const std::string& uri : wishes.uris)
            require_scope(judge(by.get(), feature_kind::resource, uri));
        auto own = std::make_unique<listener>(std::move(wishes), std::move(session), rpc.get_executor());
        return {listen(rpc, std::move(own)), &deliver};
    }

private:
    static void deliver(partyline::detail::task_promise_base& ended, const request_context&, result_writer& out)
    {
        out.write(static_cast<partyline::detail::task_promise<json_text>&>(ended).take());
    }

    const catalogue& of_;
};

} // namespace

std::unique_ptr<method> make_listen_method(const catalogue& of)
{
    auto made = std::make_unique<method>();
    made->name = methods::listen;
    made->target = std::make_unique<listen_handler>(of);
    made->options.open_ended = true;
    return made;
}

} // namespace partyline::mcp
