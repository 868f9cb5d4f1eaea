#include "gateway/upstream.hpp"

#include "gateway/member_text.hpp"

#include <partyline/async/async_event.hpp>
#include <partyline/mcp/profile.hpp>
#include <partyline/protocol/error.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/system/system_error.hpp>

#include <cstddef>
#include <memory>
#include <new>
#include <string_view>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;
using partyline::async_mutex;
using partyline::call_options;
using partyline::call_params;
using partyline::json_text;
using partyline::request_context;
using partyline::task;

namespace gateway {
namespace {

// What a server that several clients share is greeted with: it can ask none of them.
json_text without_capabilities(const json_text& params)
{
    json::value value = params.to_value();
    if (!value.is_object())
        return params;
    value.get_object()["capabilities"] = json::object();
    return json_text(json::serialize(value));
}

std::string uri_of(const json_text& params)
{
    return member_string(params, {"uri"}).value_or(std::string());
}

answer own_answer(partyline::response reply)
{
    return {{}, std::move(reply), true};
}

partyline::error_object too_many_subscriptions()
{
    return {partyline::error_codes::internal_error,
            "A client may subscribe to " + std::to_string(resource_watchers::most_of_one) + " resources here, and has",
            {}};
}

} // namespace

upstream::upstream(asio::any_io_executor executor, upstream_options options)
    : executor_(std::move(executor)), options_(std::move(options)), kept_(options_.kept), naming_(executor_),
      clients_(options_.speaks, options_.is_shared, {named_, watchers_, logs_}, options_.log), greeting_(executor_),
      source_(options_.open(use()))
{
}

const partyline::profile* upstream::profile() const noexcept
{
    switch (options_.speaks) {
    case protocol::plain: break;
    case protocol::mcp: return &mcp_profile;
    case protocol::either: return &either_;
    }
    return &partyline::plain_profile;
}

server_use upstream::use()
{
    server_use how;
    how.profile = profile();
    how.log = options_.log;
    if (options_.speaks != protocol::plain)
        how.on_message = [this](const partyline::message_event& event) {
            if (event.direction == partyline::message_direction::out && event.type == partyline::message_type::request)
                note_sent(event);
            return std::nullopt;
        };
    how.on_new = [this](partyline::caller& server) { return greet_again(server); };
    partyline::method_table methods;
    methods.set_fallback(
        [this](request_context& context, json_text params) { return serve(context, std::move(params)); });
    how.methods = std::make_shared<const partyline::method_table>(std::move(methods));
    return how;
}

void upstream::start()
{
    if (std::exchange(has_begun_, true))
        return;
    options_.running->insert(shared_from_this());
    source_->start([late = weak_from_this()](partyline::error_code why) {
        if (const auto self = late.lock())
            self->on_end(why);
    });
}

void upstream::on_end(partyline::error_code why)
{
    const auto self = shared_from_this();
    try {
        tell_end(why);
    } catch (const std::bad_alloc&) { // what it has taken is given back all the same
    }
    options_.running->erase(self); // then the program may be over
}

void upstream::tell_end(partyline::error_code why)
{
    if (options_.log && clients_.untold() != 0)
        options_.log("messages of the server that were dropped, since it can't be known whose they are: " +
                     std::to_string(clients_.untold()));
    if (options_.ends_clients)
        clients_.close_sessions();
    if (options_.on_end)
        options_.on_end(why);
}

void upstream::stop()
{
    if (has_begun_)
        source_->close();
}

void upstream::attach(const std::shared_ptr<attached_client>& client)
{
    clients_.add(client);
    logs_.on_attach(*client);
    start();
}

// A server that has one client ends with that.
void upstream::detach(const attached_client& gone) noexcept
{
    clients_.remove(gone);
    logs_.on_detach(gone);
    if (!source_) // all ends
        return;
    if (options_.is_shared)
        stop_watching(gone);
    else if (has_begun_)
        source_->stop();
}

// Others go on watching what they watch.
void upstream::stop_watching(const attached_client& gone) noexcept
{
    try {
        for (const std::string& uri : watchers_.remove_all(gone))
            source_->server().call("resources/unsubscribe", call_params(json::object{{"uri", uri}}))(asio::detached);
    } catch (const std::bad_alloc&) { // then it tells of it on, to nobody
    }
}

task<> upstream::tell(std::string method, json_text params)
{
    if (options_.speaks == protocol::mcp && method == "notifications/initialized") {
        if (options_.is_shared && handshake_.is_initialized())
            co_return;
        handshake_.note_initialized();
    }
    auto operation =
        source_->server().notify(std::move(method), call_params(std::move(params)))(asio::as_tuple(asio::deferred));
    co_await std::move(operation); // where there is no server, nobody misses it
}

task<> upstream::expect_named(named_request next)
{
    const std::size_t bytes = next.client_id.size() + next.client_token.size();
    next.kept = kept_.take(next.by, bytes);
    if (!next.kept)
        throw partyline::rpc_error(kept_.refusal(next.by, bytes, "The request's id or token"));
    async_mutex::lock alone = co_await naming_.async_lock();
    named_.expect(std::move(next), std::move(alone));
}

// All requests of its kind are announced: where such a one goes out, it is that which was announced.
void upstream::note_sent(const partyline::message_event& request)
{
    const named_request* const next = named_.expected();
    if (!next)
        return;
    const bool is_it = next->client_id.empty()
                           ? member_text(request.text, {"params", "_meta", "progressToken"}) == request.id
                           : request.method == listen_method;
    if (is_it)
        named_.note_sent(request.id);
}

void upstream::note_end(const attached_client& by, std::uint64_t number, log_recipients::outcome how) noexcept
{
    named_.forget(by, number);
    logs_.on_end(by, number, how);
}

bool upstream::is_watching(const attached_client& by, const json_text& params) const
{
    return watchers_.is_watched(uri_of(params), by);
}

std::unique_ptr<command_line::observed_call> upstream::observe(partyline::request_context& context,
                                                               const json_text& params, std::string_view revision) const
{
    if (!options_.observe)
        return nullptr;
    const partyline::json_view text = partyline::json_view::checked(params.text());
    return options_.observe({context.trace(), context.method(), text, revision});
}

task<answer> upstream::ask(const attached_client& by, std::string method, json_text params, call_options how,
                           asio::cancellation_signal& cancel)
{
    if (options_.speaks != protocol::mcp)
        co_return co_await call(std::move(method), std::move(params), std::move(how), cancel);
    if (method == "initialize")
        co_return co_await set_up(by, std::move(params), std::move(how), cancel);
    if (method == "logging/setLevel")
        co_return co_await set_level(std::move(params), std::move(how), cancel);
    if (method == "resources/subscribe")
        co_return co_await subscribe(by, std::move(params), std::move(how), cancel);
    if (method == "resources/unsubscribe" && !watchers_.remove(by, uri_of(params)))
        co_return own_answer(json_text("{}"));
    if (method == "tools/list" && options_.tools)
        co_return co_await list_tools(std::move(params), std::move(how), cancel);
    co_return co_await call(std::move(method), std::move(params), std::move(how), cancel);
}

task<answer> upstream::list_tools(json_text params, call_options how, asio::cancellation_signal& cancel)
{
    answer got = co_await call("tools/list", std::move(params), std::move(how), cancel);
    if (got.reply.has_value())
        options_.tools->note_list(got.reply.value());
    co_return got;
}

task<answer> upstream::set_up(const attached_client& by, json_text params, call_options how,
                              asio::cancellation_signal& cancel)
{
    if (options_.is_shared && handshake_.result())
        co_return own_answer(*handshake_.result()); // nothing of this greeting is kept
    const attached_client* const owner = options_.is_shared ? nullptr : &by;
    const std::size_t bytes = params.text().size();
    handshake::said said{std::move(params), kept_.take(owner, bytes)};
    if (!said.kept)
        co_return own_answer(kept_.refusal(owner, bytes, "This greeting"));
    logs_.on_level();
    if (options_.is_shared)
        co_return co_await greet(std::move(said));
    answer got = co_await call("initialize", said.params, std::move(how), cancel);
    if (got.reply.has_value())
        handshake_.note_greeted(std::move(said), got.reply.value());
    co_return got;
}

// Of what a client says, the level alone is kept, where there is room for that.
task<answer> upstream::set_level(json_text params, call_options how, asio::cancellation_signal& cancel)
{
    logs_.on_level();
    const std::string level(member_text(params, {"level"}));
    answer got = co_await call("logging/setLevel", std::move(params), std::move(how), cancel);
    if (!got.reply.has_value() || level.empty())
        co_return got;
    if (kept_bytes::share kept = kept_.take(nullptr, level.size()))
        handshake_.note_level({json_text("{\"level\":" + level + '}'), std::move(kept)});
    co_return got;
}

task<answer> upstream::subscribe(const attached_client& by, json_text params, call_options how,
                                 asio::cancellation_signal& cancel)
{
    if (!watchers_.has_room(by))
        co_return own_answer(too_many_subscriptions());
    const std::string uri = uri_of(params);
    kept_bytes::share kept = kept_.take(&by, uri.size());
    if (!kept)
        co_return own_answer(kept_.refusal(&by, uri.size(), "This subscription"));
    answer got = co_await call("resources/subscribe", std::move(params), std::move(how), cancel);
    if (got.reply.has_value())
        watchers_.add(by, uri, std::move(kept));
    co_return got;
}

task<answer> upstream::call(std::string method, json_text params, call_options how, asio::cancellation_signal& cancel)
{
    auto start = [this, &cancel](auto done, std::string name, json_text given, call_options options) {
        if (auto slot = asio::get_associated_cancellation_slot(done); slot.is_connected())
            slot.assign([&cancel](asio::cancellation_type type) { cancel.emit(type); });
        source_->server().call(std::move(name), call_params(std::move(given)),
                               std::move(options))(asio::bind_cancellation_slot(cancel.slot(), std::move(done)));
    };
    auto token = asio::as_tuple(asio::deferred);
    auto operation = asio::async_initiate<decltype(token), void(partyline::error_code, partyline::response)>(
        std::move(start), token, std::move(method), std::move(params), std::move(how));
    auto [failed, reply] = co_await std::move(operation);
    co_return answer{failed, std::move(reply)};
}

// A server that clients share is greeted once, as for the first of them; the others get the same answer.
task<answer> upstream::greet(handshake::said greeting)
{
    const async_mutex::lock alone = co_await greeting_.async_lock();
    if (const json_text* const known = handshake_.result())
        co_return own_answer(*known);
    greeting.params = without_capabilities(greeting.params);
    asio::cancellation_signal never; // others wait for it as well
    answer got = co_await call("initialize", greeting.params, call_options(), never);
    if (got.reply.has_value())
        handshake_.note_greeted(std::move(greeting), got.reply.value());
    co_return got;
}

task<json_text> upstream::serve(request_context& context, json_text params)
{
    std::string method(context.method());
    if (context.id().empty()) {
        co_await tell_client(std::move(method), std::move(params));
        co_return json_text();
    }
    if (options_.speaks == protocol::mcp && method == "ping") // it asks whether its own client is there
        co_return json_text("{}");
    const std::shared_ptr<attached_client> client = clients_.only_one();
    if (!client)
        throw partyline::rpc_error(partyline::error_codes::method_not_found,
                                   "Several clients share this server: it can ask none of them");
    auto operation =
        attached_client::async_ask(client, std::move(method), std::move(params), asio::as_tuple(asio::deferred));
    auto [failed, reply] = co_await std::move(operation);
    if (failed == asio::error::operation_aborted)
        throw boost::system::system_error(failed);
    if (reply.error())
        throw partyline::rpc_error(*reply.error());
    if (failed)
        throw partyline::rpc_error(partyline::error_codes::internal_error,
                                   "The client did not answer: " + failed.message());
    co_return std::move(reply).value();
}

task<> upstream::tell_client(std::string method, json_text params)
{
    if (!options_.waits_for_client) {
        clients_.tell(method, params);
        co_return;
    }
    const auto told = std::make_shared<partyline::async_event>(executor_);
    attached_client::receipt kept(nullptr, [told](std::nullptr_t) { told->set(); });
    clients_.tell(method, params, kept);
    kept.reset();
    auto operation = told->async_wait(asio::as_tuple(asio::deferred));
    co_await std::move(operation);
}

asio::awaitable<void> upstream::greet_again(partyline::caller& server)
{
    logs_.on_server_start();
    if (!handshake_.result())
        co_return; // the first one, which the client greets; or there is no handshake
    co_await handshake_.repeat(server, watchers_.all());
    for (const std::string& list : handshake_.changing_lists())
        clients_.tell_all("notifications/" + list + "/list_changed", json_text());
}

} // namespace gateway
