#include "mcp/server/sessions/listen_method.hpp"

#include "mcp/server/catalogue.hpp"
#include "mcp/server/result_envelope.hpp"
#include "mcp/server/server_core.hpp"
#include "mcp/server/sessions/session_client.hpp"
#include "mcp/wire/methods.hpp"
#include "mcp/wire/refusals.hpp"

#include <partyline/async/async_event.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/rpc/method_table.hpp>
#include <partyline/rpc/notes.hpp>
#include <partyline/rpc/to_json.hpp>
#include <partyline/session/peer_wait.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/describe/class.hpp>
#include <boost/json/serialize.hpp>

#include <optional>
#include <set>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::mcp {
namespace {

/// What a client wants to be told of: the lists by kind, and resources by their URIs. What it does not want is empty.
struct listened {
    std::optional<bool> tools;
    std::optional<bool> prompts;
    std::optional<bool> resources;
    std::optional<std::set<std::string>> uris;

    bool wants(feature_kind kind) const noexcept
    {
        switch (kind) {
        case feature_kind::tool: return tools.has_value();
        case feature_kind::prompt: return prompts.has_value();
        default: return resources.has_value();
        }
    }
    std::size_t uri_bytes() const noexcept
    {
        std::size_t sum = 0;
        if (uris)
            for (const std::string& uri : *uris)
                sum += uri.size();
        return sum;
    }

    static constexpr auto notes()
    {
        using me = listened;
        return partyline::notes(note(&me::tools, wire_name("toolsListChanged")),
                                note(&me::prompts, wire_name("promptsListChanged")),
                                note(&me::resources, wire_name("resourcesListChanged")),
                                note(&me::uris, wire_name("resourceSubscriptions")));
    }
};
BOOST_DESCRIBE_STRUCT(listened, (), (tools, prompts, resources, uris))

struct listen_params {
    listened notifications;
};
BOOST_DESCRIBE_STRUCT(listen_params, (), (notifications))

void honour(std::optional<bool>& flag, bool is_offered)
{
    if (!is_offered || !flag.value_or(false))
        flag.reset();
}

// What the server has nothing of is not honoured.
listened honoured(const catalogue& of, listened wishes)
{
    honour(wishes.tools, of.has(feature_kind::tool));
    honour(wishes.prompts, of.has(feature_kind::prompt));
    honour(wishes.resources, of.has_resources());
    if (!of.has_resources() || (wishes.uris && wishes.uris->empty()))
        wishes.uris.reset();
    const std::size_t most = of.server().options.max_subscriptions;
    if (wishes.uris && wishes.uris->size() > most)
        throw rpc_error(invalid_params("notifications.resourceSubscriptions",
                                       "array of at most " + std::to_string(most) + " elements"));
    return wishes;
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
        if (!wishes_.uris || !wishes_.uris->contains(uri))
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
    std::string wanted = "\"notifications\":" + json::serialize(to_json(own->wishes())) + ',';
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

// The client is listened for before anything is awaited.
task<json_text> start_listening(const catalogue& of, request_context& rpc, listen_params given)
{
    std::shared_ptr<server_lifecycle> session = session_of(rpc);
    if (!session || !session->link())
        throw rpc_error(partyline::error_codes::internal_error, "This session has not been prepared by the server");
    listened wishes = honoured(of, std::move(given.notifications));
    const std::shared_ptr<const access_view> by = rpc.access();
    if (wishes.uris)
        for (const std::string& uri : *wishes.uris)
            require_scope(judge(by.get(), feature_kind::resource, uri));
    return listen(rpc, std::make_unique<listener>(std::move(wishes), std::move(session), rpc.get_executor()));
}

} // namespace

void add_listen_method(method_table& to, const catalogue& of)
{
    method_options how;
    how.open_ended = true;
    how.binding.unknown = unknown_members::ignored;
    const auto serve = [&of](request_context& rpc, listen_params given) {
        return start_listening(of, rpc, std::move(given));
    };
    to.add(std::string(methods::listen), serve, std::move(how));
}

} // namespace partyline::mcp
