#include "gateway/upstream.hpp"

#include "gateway/relay.hpp"

#include <partyline/mcp/profile.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/protocol/printable.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

namespace asio = boost::asio;
using partyline::json_text;
using partyline::request_context;

namespace gateway {
namespace {

class mcp_dialect final : public partyline::mcp::base_protocol {};
constexpr mcp_dialect mcp_profile;

const partyline::profile* profile_of(dialect speaks)
{
    return speaks == dialect::mcp ? static_cast<const partyline::profile*>(&mcp_profile) : &partyline::plain_profile;
}

constexpr std::string_view listen_method = "subscriptions/listen";

struct place {
    std::size_t begin;
    std::size_t size;
};

// The text of the id that `_meta` tells in params, which are checked: a number, or a string.
std::optional<place> find_subscription_id(std::string_view params)
{
    constexpr std::string_view name = "\"io.modelcontextprotocol/subscriptionId\"";
    constexpr std::string_view blanks = " \t\r\n";
    std::size_t at = params.find(name);
    if (at == params.npos)
        return std::nullopt;
    at = params.find_first_not_of(blanks, at + name.size());
    if (at == params.npos || params[at] != ':')
        return std::nullopt;
    at = params.find_first_not_of(blanks, at + 1);
    const std::size_t end = params[at] == '"' ? params.find('"', at + 1) + 1 : params.find_first_of(",} \t\r\n", at);
    return place{at, end - at};
}

} // namespace

upstream::upstream(asio::any_io_executor executor, upstream_options options)
    : executor_(std::move(executor)), options_(std::move(options)), server_(make_server())
{
}

partyline::supervisor upstream::make_server()
{
    partyline::supervisor_options how;
    how.session.profile = profile_of(options_.speaks);
    how.session.executor_is_serial = true; // the program has one thread
    how.session.log = options_.log;
    if (options_.speaks == dialect::mcp)
        how.session.on_message = [this](const partyline::message_event& event) {
            note_sent(event);
            return std::nullopt;
        };
    how.child.errors = partyline::child_stderr::capture;
    how.child.on_stderr_line = [log = options_.log](std::string_view line) {
        if (log)
            log("server: " + partyline::printable(line));
    };
    how.restart = options_.restart;
    how.on_start = [this](partyline::caller& server) { return greet_again(server); };
    partyline::method_table methods;
    methods.set_fallback(
        [this](request_context& context, json_text params) { return serve(context, std::move(params)); });
    return {executor_, options_.command, std::move(methods), std::move(how)};
}

void upstream::start()
{
    if (std::exchange(has_begun_, true))
        return;
    server_.async_run([self = shared_from_this()](partyline::error_code why) {
        if (why && why != asio::error::operation_aborted && self->options_.log)
            self->options_.log("the server is not started again: " + why.message());
    });
}

void upstream::stop()
{
    if (has_begun_)
        server_.close();
}

bool upstream::is_well() const
{
    return server_.status().state != partyline::supervisor_state::ended;
}

void upstream::attach(const std::shared_ptr<relay>& client)
{
    clients_.emplace_back(client.get(), client);
    start();
}

// A server that has one client ends with that.
void upstream::detach(const relay& gone) noexcept
{
    std::erase_if(unsent_listens_, [&](const subscription& one) { return one.by == &gone; });
    std::erase_if(subscriptions_, [&](const auto& each) { return each.second.by == &gone; });
    std::erase_if(clients_, [&](const auto& each) { return each.first == &gone; });
    if (!options_.is_shared && has_begun_)
        server_.stop();
}

std::shared_ptr<relay> upstream::find(const relay* key) const
{
    for (const auto& [own, client] : clients_) {
        if (own == key)
            return client.lock();
    }
    return nullptr;
}

void upstream::expect_listen(const relay& by, std::uint64_t number, std::string client_id)
{
    unsent_listens_.push_back({&by, number, std::move(client_id)});
}

void upstream::forget_listen(const relay& by, std::uint64_t number) noexcept
{
    const auto is_it = [&](const subscription& one) { return one.by == &by && one.number == number; };
    std::erase_if(unsent_listens_, is_it);
    std::erase_if(subscriptions_, [&](const auto& each) { return is_it(each.second); });
}

// They go out in the order in which they were asked.
void upstream::note_sent(const partyline::message_event& event)
{
    const bool is_listen = event.direction == partyline::message_direction::out &&
                           event.type == partyline::message_type::request && event.method == listen_method;
    if (!is_listen || unsent_listens_.empty())
        return;
    subscriptions_.insert_or_assign(std::string(event.id), std::move(unsent_listens_.front()));
    unsent_listens_.pop_front();
}

bool upstream::tell_subscriber(const std::string& method, const json_text& params)
{
    const std::optional<place> id = find_subscription_id(params.text());
    if (!id)
        return false;
    const auto found = subscriptions_.find(std::string(params.text().substr(id->begin, id->size)));
    if (found == subscriptions_.end())
        return false;
    std::string text(params.text());
    text.replace(id->begin, id->size, found->second.client_id);
    if (const std::shared_ptr<relay> client = find(found->second.by))
        client->tell_in(found->second.number, method, json_text(std::move(text)));
    return true;
}

std::shared_ptr<relay> upstream::only_client() const
{
    return options_.is_shared || clients_.empty() ? nullptr : clients_.front().second.lock();
}

void upstream::note_asked(const std::string& method, const json_text& params)
{
    if (method == "initialize" && options_.speaks == dialect::mcp)
        greeting_ = params;
}

void upstream::tell(const std::string& method, json_text params)
{
    is_initialized_ = is_initialized_ || method == "notifications/initialized";
    server_.async_notify(method, partyline::call_params(std::move(params)), asio::detached);
}

partyline::task<json_text> upstream::serve(request_context& context, json_text params)
{
    std::string method(context.method());
    if (context.id().empty()) {
        if (tell_subscriber(method, params))
            co_return json_text();
        for (const auto& [key, client] : clients_) {
            if (const auto one = client.lock())
                one->tell(method, params);
        }
        co_return json_text();
    }
    const std::shared_ptr<relay> client = only_client();
    if (!client)
        throw partyline::rpc_error(partyline::error_codes::method_not_found,
                                   "Several clients share this server: it can ask none of them");
    auto operation = client->async_ask(std::move(method), std::move(params), asio::as_tuple(asio::deferred));
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

asio::awaitable<void> upstream::greet_again(partyline::caller& server)
{
    if (!greeting_)
        co_return; // the first one, which the client greets; or there is no handshake
    const json_text params = *greeting_;
    auto greeted =
        co_await server.async_call("initialize", partyline::call_params(params), asio::as_tuple(asio::use_awaitable));
    const auto& [failed, reply] = greeted;
    if (failed || reply.error())
        throw boost::system::system_error(failed ? failed : make_error_code(partyline::errc::refused));
    if (!is_initialized_)
        co_return;
    co_await server.async_notify("notifications/initialized", partyline::call_params(), asio::use_awaitable);
    for (const char* what : {"tools", "resources", "prompts"}) {
        if (reply.value().text().find('"' + std::string(what) + '"') == std::string_view::npos)
            continue;
        for (const auto& [key, client] : clients_) {
            if (const auto one = client.lock())
                one->tell("notifications/" + std::string(what) + "/list_changed", json_text());
        }
    }
}

} // namespace gateway
