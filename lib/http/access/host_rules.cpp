#include "http/access/host_rules.hpp"

#include "http/access/web_origin.hpp"
#include "http/wire/characters.hpp"
#include "transport/socket/is_loopback.hpp"

#include <partyline/protocol/printable.hpp>

#include <boost/asio/ip/tcp.hpp>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace partyline::http {
namespace {

std::string shown(std::string_view text)
{
    constexpr std::size_t longest_shown = 200;
    return '"' + printable(text, longest_shown) + '"';
}

std::string read_allowed_origin(const std::string& text)
{
    if (const std::optional<web_origin> origin = read_origin(text))
        return to_string(*origin);
    throw std::invalid_argument(
        "the origin to allow " + shown(text) +
        " is none: expected one as browsers write it, such as https://example.org, and nothing behind it");
}

} // namespace

reach reach_of(const listener::socket& socket, const peer_identity& peer)
{
    if (!peer.address)
        return reach::local;
    error_code failed;
    const auto own = socket.local_endpoint(failed);
    if (failed)
        return reach::network;
    boost::asio::ip::tcp::endpoint at;
    std::memcpy(at.data(), own.data(), std::min(own.size(), at.capacity()));
    return is_loopback(at.address()) ? reach::loopback : reach::network;
}

host_rules::host_rules(const std::vector<std::string>& hosts, const std::vector<std::string>& origins)
{
    for (const std::string& one : hosts)
        hosts_.push_back(read_host(one));
    for (const std::string& one : origins)
        origins_.push_back(read_allowed_origin(one));
}

// An IPv6 address may be given without its brackets, as it stands on command lines.
host_rules::allowed_host host_rules::read_host(const std::string& text)
{
    const bool is_bare_address = !text.starts_with('[') && std::count(text.begin(), text.end(), ':') > 1;
    const std::string whole = is_bare_address ? '[' + text + ']' : text;
    if (const std::optional<authority> host = read_authority(whole))
        return {lower_case(host->name), std::string(host->port)};
    throw std::invalid_argument(
        "the host to allow " + shown(text) +
        " is none: expected a name or an address, with or without a port, such as example.org:8443");
}

bool host_rules::allows_host(const authority& host, reach came_by) const noexcept
{
    if (came_by == reach::loopback && is_loopback_name(host.name))
        return true;
    return std::any_of(hosts_.begin(), hosts_.end(), [&](const allowed_host& one) {
        return is_name(host.name, one.name) && (one.port.empty() || one.port == host.port);
    });
}

bool host_rules::allows_origin(std::string_view origin) const
{
    if (origins_.empty())
        return false;
    const std::optional<web_origin> asks = read_origin(origin);
    return asks && std::find(origins_.begin(), origins_.end(), to_string(*asks)) != origins_.end();
}

std::optional<std::string> host_rules::refuse(const request_head& head, reach came_by) const
{
    if (std::optional<std::string> why = refuse_host(head.host, came_by))
        return why;
    const std::string_view origin = head.find("origin");
    if (origin.data())
        return refuse_page(head, origin);
    if (head.find("sec-fetch-site") == "cross-site")
        return "a page of another site asks, and does not say which";
    return std::nullopt;
}

// Pages can't connect to Unix sockets.
std::optional<std::string> host_rules::refuse_host(std::string_view host, reach came_by) const
{
    if (came_by == reach::local)
        return std::nullopt;
    if (host.empty())
        return "the request does not say for which host it is: expected Host";
    const std::optional<authority> asked = read_authority(host);
    if (!asked)
        return "Host " + shown(host) + " is no name or address, with or without a port";
    if (allows_host(*asked, came_by))
        return std::nullopt;
    return "the host " + shown(host) + " is not served here: add it to the allowed hosts (--allow-host " +
           printable(asked->name, 200) + ") if it is to be";
}

// That a browser calls it another site counts even where the name is the same: so it is with a page that has come
// without TLS, from whomever, and asks with it.
std::optional<std::string> host_rules::refuse_page(const request_head& head, std::string_view origin) const
{
    if (head.count("origin") > 1)
        return "Origin is there more than once";
    if (allows_origin(origin))
        return std::nullopt;
    const std::optional<web_origin> asks = read_origin(origin);
    if (!asks)
        return "a page asks that has no origin to go by, but " + shown(origin);
    const std::optional<authority> host = read_authority(head.host);
    if (host && is_of_host(*asks, *host) && head.find("sec-fetch-site") != "cross-site")
        return std::nullopt;
    return "pages of the origin " + shown(origin) +
           " may not ask here: add it to the allowed origins (--allow-origin " + to_string(*asks).substr(0, 200) +
           ") if they are to";
}

} // namespace partyline::http
