#include "http/oauth/login_flow.hpp"

#include "http/connections/proxy_address.hpp"
#include "http/oauth/login_failure.hpp"
#include "http/oauth/registration.hpp"
#include "http/oauth/token_rules.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

using namespace std::chrono_literals;

constexpr auto request_time = 10s;

// A document that is not there, as against a server that does not work: then another one is not looked for.
bool is_absent(int status) noexcept
{
    return status / 100 == 4;
}

client_request get_json()
{
    client_request asked;
    asked.fields = {{"Accept", "application/json"}};
    return asked;
}

} // namespace

held_tokens::time_point login_flow::now() const
{
    return options_.now ? options_.now() : std::chrono::system_clock::now();
}

// The server was chosen by the user, wherever it is. What it names is not to lead elsewhere into the user's network.
address_scope login_flow::named_scope() const
{
    return options_.allow_private || is_loopback(server_) ? address_scope::any : address_scope::public_only;
}

bool login_flow::may_be_private(const url& to) const
{
    return named_scope() == address_scope::any || to.origin() == server_.origin();
}

asio::awaitable<document_answer> login_flow::ask(std::string address, client_request asked) const
{
    document_request wanted;
    wanted.allow_private = may_be_private(parse_url(address));
    document_way by;
    by.secure = options_.tls;
    if (const std::string proxy = options_.proxy ? options_.proxy(address) : std::string(); !proxy.empty())
        by.proxy = read_proxy(proxy);
    wanted.url = std::move(address);
    const time_limit until = std::chrono::steady_clock::now() + request_time;
    return ask_document(executor_, std::move(by), std::move(wanted), std::move(asked), until);
}

// Nothing where it is not there.
asio::awaitable<std::optional<std::string>> login_flow::fetch(std::string address) const
{
    document_answer answer = co_await ask(address, get_json());
    if (is_absent(answer.status))
        co_return std::nullopt;
    if (answer.status != 200)
        refuse_login("no metadata at " + in_quotes(address) + ": HTTP status " + std::to_string(answer.status));
    co_return std::move(answer.text);
}

// Nothing where it is not there.
asio::awaitable<std::optional<server_metadata>> login_flow::ask_server(std::string address) const
{
    read_login_address(address, "the address of the server's metadata", named_scope());
    std::optional<std::string> text = co_await fetch(std::move(address));
    if (!text)
        co_return std::nullopt;
    co_return read_server_metadata(std::move(*text), server_);
}

// The same where it does not work, or is about something else by now.
asio::awaitable<std::optional<server_metadata>> login_flow::try_server(std::string address) const
{
    try {
        co_return co_await ask_server(std::move(address));
    } catch (const boost::system::system_error& e) {
        if (e.code() == asio::error::operation_aborted)
            throw;
    } catch (const std::invalid_argument&) { // no address
    }
    co_return std::nullopt;
}

asio::awaitable<server_metadata> login_flow::find_named_server(std::string named) const
{
    std::optional<server_metadata> found = co_await ask_server(named);
    if (!found)
        refuse_login("there is no metadata of the server at " + in_quotes(named) + ", which it has named");
    found->address = std::move(named);
    co_return std::move(*found);
}

asio::awaitable<std::optional<server_metadata>> login_flow::find_server(bool is_refused, std::string before) const
{
    std::optional<server_metadata> found;
    if (!before.empty())
        found = co_await try_server(before);
    if (found) {
        found->address = std::move(before);
        co_return found;
    }
    const bool may_ask = !before.empty() && !is_refused;
    for (const std::string& address : server_metadata_addresses(server_, {})) {
        if (may_ask)
            found = co_await try_server(address);
        else
            found = co_await ask_server(address);
        if (found)
            co_return found;
    }
    if (may_ask)
        co_return std::nullopt;
    co_return default_server_metadata(server_);
}

std::string login_flow::choose_issuer(const server_metadata& of) const
{
    const auto& all = of.issuers;
    if (options_.issuer.empty())
        return all.front();
    if (std::find(all.begin(), all.end(), options_.issuer) == all.end())
        refuse_login("the server names the authorization server " + in_quotes(all.front()) +
                     ", and the client id is of another one, " + in_quotes(options_.issuer));
    return options_.issuer;
}

asio::awaitable<issuer_metadata> login_flow::find_issuer(std::string issuer, issuer_source source) const
{
    const address_scope scope = named_scope();
    for (const std::string& address : issuer_metadata_addresses(issuer, scope)) {
        std::optional<std::string> text = co_await fetch(address);
        if (text)
            co_return read_issuer_metadata(std::move(*text), issuer, source, scope);
    }
    if (source == issuer_source::named)
        refuse_login("there is no metadata of the authorization server " + in_quotes(issuer));
    co_return default_issuer_metadata(issuer);
}

asio::awaitable<std::optional<found_issuer>> login_flow::find(const std::optional<challenge>& after,
                                                              std::string before) const
{
    std::optional<server_metadata> server;
    if (after && !after->resource_metadata.empty())
        server = co_await find_named_server(after->resource_metadata);
    else
        server = co_await find_server(after.has_value(), std::move(before));
    if (!server)
        co_return std::nullopt;
    found_issuer found;
    found.server = std::move(*server);
    const issuer_source source = found.server.is_default ? issuer_source::origin : issuer_source::named;
    std::string issuer = choose_issuer(found.server);
    found.issuer = co_await find_issuer(std::move(issuer), source);
    co_return found;
}

} // namespace partyline::http
