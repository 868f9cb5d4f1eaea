#include "http/client_settings.hpp"

#include "http/access/authority.hpp"
#include "http/connections/proxy_address.hpp"
#include "http/wire/characters.hpp"
#include "http/wire/field_list.hpp"
#include "session/check_options.hpp"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace partyline::http {
namespace {

struct variable {
    const char* name = "";
    std::string value = {};
};

// The first of these that says something.
variable first_of(std::initializer_list<const char*> names)
{
    for (const char* name : names) {
        if (const char* const value = std::getenv(name); value && *value)
            return {name, value};
    }
    return {};
}

// "example.org" and ".example.org" stand for the name and all below it, "example.org:8080" for that port of them alone.
bool stands_for(std::string_view listed, const url& to)
{
    if (listed.starts_with('.'))
        listed.remove_prefix(1);
    const std::optional<authority> read = read_authority(listed); // none: an address of IPv6 without brackets
    std::string name = lower_case(read ? read->name : listed);
    if (name.starts_with('['))
        name = name.substr(1, name.size() - 2);
    const std::string& host = to.host;
    const bool is_below =
        host.size() > name.size() && host.ends_with(name) && host[host.size() - name.size() - 1] == '.';
    const bool is_port = !read || read->port.empty() || read->port == std::to_string(to.port);
    return listed == "*" || (is_port && (name == host || is_below));
}

bool is_listed(std::string_view list, const url& to)
{
    bool found = false;
    for_each_element(list, [&](std::string_view one) { found = found || stands_for(one, to); });
    return found;
}

void check_tokens(const client_options& given, const url& to)
{
    const url of = parse_url(given.tokens->server());
    if (of.host != to.host || of.port != to.port || of.is_secure() != to.is_secure())
        throw std::invalid_argument("client_options::tokens are for " + of.origin() + ", not for " + to.origin());
    if (!given.proxy.empty() && !to.is_secure())
        throw std::invalid_argument("client_options::tokens would be sent to the proxy: " + to.origin() +
                                    " is not reached by TLS");
    for (const auto& [name, value] : given.fields) {
        if (lower_case(name) == "authorization")
            throw std::invalid_argument("client_options has both tokens and the field Authorization");
    }
}

using field_names = std::initializer_list<std::string_view>;

bool is_among(field_names all, std::string_view name)
{
    return std::find(all.begin(), all.end(), name) != all.end();
}

// `name` is in lower case.
bool is_written_by(client_kind kind, std::string_view name)
{
    if (is_among({"host", "content-length", "transfer-encoding"}, name))
        return true;
    if (kind == client_kind::websocket)
        return is_among({"upgrade", "connection"}, name) || name.starts_with("sec-websocket-");
    if (is_among({"content-type", "accept", "partyline-proof"}, name))
        return true;
    const field_names of_mcp = {"mcp-protocol-version", "mcp-session-id", "mcp-method", "mcp-name", "last-event-id"};
    return kind == client_kind::mcp && (is_among(of_mcp, name) || name.starts_with("mcp-param-"));
}

// A server refuses a request that has such a field twice, or takes the wrong one.
void check_fields(const client_options& given, client_kind kind)
{
    for (const auto& [name, value] : given.fields) {
        if (is_written_by(kind, lower_case(name)))
            throw std::invalid_argument("client_options::fields has " + name + ", which the client writes itself");
    }
}

} // namespace

connection_options connections_of(const client_options& given, const url& to, client_kind kind)
{
    check_options(given.session);
    check_range("client_options::connections", given.connections, 1);
    if (given.tokens)
        check_tokens(given, to);
    check_fields(given, kind);
    connection_options how;
    how.connections = given.connections;
    how.idle_time = given.idle_timeout;
    how.connect_time = given.connect_timeout;
    how.secure = given.tls;
    if (!given.proxy.empty())
        how.proxy = read_proxy(given.proxy);
    for (const auto& [name, value] : given.fields)
        how.fields.push_back({name, value});
    how.tokens = given.tokens;
    return how;
}

std::string proxy_of_environment(const std::string& address)
{
    const url to = parse_url(address);
    if (is_listed(first_of({"NO_PROXY", "no_proxy"}).value, to))
        return {};
    const variable named = to.is_secure() ? first_of({"HTTPS_PROXY", "https_proxy"}) : first_of({"http_proxy"});
    try {
        return named.value.empty() ? std::string() : read_proxy(named.value).origin();
    } catch (const std::invalid_argument& e) {
        throw std::invalid_argument(std::string("the proxy that ") + named.name +
                                    " names in the environment: " + e.what());
    }
}

} // namespace partyline::http
