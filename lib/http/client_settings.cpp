#include "http/client_settings.hpp"

#include "http/wire/characters.hpp"
#include "http/wire/field_list.hpp"

#include <cstdlib>
#include <initializer_list>
#include <string_view>

namespace partyline::http {
namespace {

// The first of these that says something.
std::string variable(std::initializer_list<const char*> names)
{
    for (const char* name : names) {
        if (const char* const value = std::getenv(name); value && *value)
            return value;
    }
    return {};
}

// "example.org" and ".example.org" stand for the name and all below it.
bool is_listed(std::string_view list, const std::string& host)
{
    bool found = false;
    for_each_element(list, [&](std::string_view one) {
        std::string name = lower_case(one);
        if (name.starts_with('.'))
            name.erase(0, 1);
        const bool is_below =
            host.size() > name.size() && host.ends_with(name) && host[host.size() - name.size() - 1] == '.';
        found = found || name == "*" || name == host || is_below;
    });
    return found;
}

} // namespace

connection_options connections_of(const client_options& given)
{
    connection_options how;
    how.connections = given.connections;
    how.idle_time = given.idle_timeout;
    how.connect_time = given.connect_timeout;
    how.secure = given.tls;
    if (!given.proxy.empty())
        how.proxy = parse_url(given.proxy);
    for (const auto& [name, value] : given.fields)
        how.fields.push_back({name, value});
    return how;
}

std::string proxy_of_environment(const std::string& address)
{
    const url to = parse_url(address);
    if (is_listed(variable({"NO_PROXY", "no_proxy"}), to.host))
        return {};
    return to.is_secure() ? variable({"HTTPS_PROXY", "https_proxy"}) : variable({"http_proxy"});
}

} // namespace partyline::http
