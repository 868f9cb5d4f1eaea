#include "http/wire/url.hpp"

#include "http/wire/characters.hpp"
#include "http/wire/host_text.hpp"
#include "http/wire/request_head.hpp"
#include "session/redaction.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>

namespace partyline::http {
namespace {

constexpr url_scheme all_schemes[] = {url_scheme::http, url_scheme::https, url_scheme::ws, url_scheme::wss};

constexpr std::string_view divider = "://";

// A user may have a password, which is not for logs.
std::string without_user(std::string_view text)
{
    const std::size_t found = text.find(divider);
    const std::size_t begin = found == text.npos ? 0 : found + divider.size();
    const std::size_t at = text.substr(0, text.find_first_of("/?", begin)).rfind('@');
    if (at == text.npos || at < begin)
        return std::string(text);
    return std::string(text.substr(0, begin)).append("...").append(text.substr(at));
}

[[noreturn]] void refuse(std::string_view text, const char* why)
{
    std::string shown;
    for (const char c : without_user(text).substr(0, 200))
        shown += c >= 0x20 && c != 0x7f ? c : '?';
    throw std::invalid_argument("'" + redacted(shown) + "' is no address of a server: " + why +
                                "; expected http://HOST:PORT/PATH, or https, ws or wss");
}

std::optional<url_scheme> read_scheme(std::string_view text) noexcept
{
    for (const url_scheme one : all_schemes) {
        const std::string_view name = to_string(one);
        if (text.size() == name.size() && is_name(text, name))
            return one;
    }
    return std::nullopt;
}

std::uint16_t read_port(std::string_view text, std::string_view all)
{
    unsigned port = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped, failed] = std::from_chars(text.data(), end, port);
    if (failed != std::errc() || stopped != end || text.size() > 5 || port == 0 || port > 65535)
        refuse(all, "its port is no number from 1 to 65535");
    return static_cast<std::uint16_t>(port);
}

void read_host(url& result, std::string_view authority, std::string_view all)
{
    if (authority.find('@') != authority.npos)
        refuse(all, "it names a user, which belongs in a field of the request");
    const std::size_t end = end_of_host(authority);
    if (end == 0)
        refuse(all, "it names no host");
    const bool is_in_brackets = authority.front() == '[';
    std::string_view host = authority.substr(0, end);
    if (is_in_brackets)
        host = host.substr(1, end - 2);
    if (is_in_brackets &&
        (host.find(':') == host.npos || host.find_first_not_of("0123456789abcdefABCDEF:.") != host.npos))
        refuse(all, "what is in brackets is no address of IPv6");
    result.host = lower_case(host);
    const std::string_view rest = authority.substr(end);
    if (!rest.empty() && rest.front() != ':')
        refuse(all, "its host has a character that belongs in no name");
    result.port = rest.empty() ? default_port(result.scheme) : read_port(rest.substr(1), all);
}

} // namespace

std::string_view to_string(url_scheme scheme) noexcept
{
    switch (scheme) {
    case url_scheme::http: return "http";
    case url_scheme::https: return "https";
    case url_scheme::ws: return "ws";
    case url_scheme::wss: return "wss";
    }
    return {};
}

std::uint16_t default_port(url_scheme scheme) noexcept
{
    return scheme == url_scheme::https || scheme == url_scheme::wss ? 443 : 80;
}

std::string url::host_and_port() const
{
    const std::string name = host.find(':') == host.npos ? host : '[' + host + ']';
    return name + ':' + std::to_string(port);
}

std::string url::authority() const
{
    std::string all = host_and_port();
    if (port == default_port(scheme))
        all.erase(all.rfind(':'));
    return all;
}

std::string url::origin() const
{
    return std::string(to_string(scheme)) + "://" + authority();
}

url parse_url(std::string_view text)
{
    if (text.find('#') != text.npos)
        refuse(text, "it has a fragment, which no server sees");
    if (!is_all(text, is_target_char))
        refuse(text, "it has blanks, control characters or others that are to be percent-encoded");
    const std::size_t colon = text.find(divider);
    const std::optional<url_scheme> scheme = read_scheme(text.substr(0, std::min(colon, text.size())));
    if (colon == text.npos || !scheme)
        refuse(text, "it begins with no scheme that is spoken here");
    const std::string_view rest = text.substr(colon + divider.size());
    const std::size_t end = std::min(rest.find_first_of("/?"), rest.size());
    url result;
    result.scheme = *scheme;
    read_host(result, rest.substr(0, end), text);
    result.target = rest.substr(end);
    if (!result.target.starts_with('/'))
        result.target.insert(0, "/");
    return result;
}

} // namespace partyline::http
