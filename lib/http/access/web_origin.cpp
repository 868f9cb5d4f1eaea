#include "http/access/web_origin.hpp"

#include "http/wire/characters.hpp"

#include <utility>

namespace partyline::http {
namespace {

std::string_view own_port(std::string_view scheme)
{
    if (scheme == "http")
        return "80";
    return scheme == "https" ? "443" : "";
}

std::string_view without_own_port(std::string_view port, std::string_view scheme)
{
    return port == own_port(scheme) ? std::string_view() : port;
}

// Extensions of browsers, and programs that show pages, have schemes of their own.
bool is_scheme(std::string_view text)
{
    constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyz0123456789+-.";
    return !text.empty() && text.front() >= 'a' && text.find_first_not_of(allowed) == text.npos;
}

} // namespace

std::optional<web_origin> read_origin(std::string_view text)
{
    constexpr std::string_view mark = "://";
    const std::size_t end = text.find(mark);
    if (end == text.npos)
        return std::nullopt;
    const std::optional<authority> host = read_authority(text.substr(end + mark.size()));
    std::string scheme = lower_case(text.substr(0, end));
    if (!host || !is_scheme(scheme))
        return std::nullopt;
    web_origin result;
    result.port = without_own_port(host->port, scheme);
    result.name = lower_case(host->name);
    result.scheme = std::move(scheme);
    return result;
}

std::string to_string(const web_origin& origin)
{
    std::string text = origin.scheme + "://" + origin.name;
    if (!origin.port.empty())
        text += ':' + origin.port;
    return text;
}

bool is_of_host(const web_origin& origin, const authority& host)
{
    const bool is_of_web = !own_port(origin.scheme).empty();
    return is_of_web && origin.name == lower_case(host.name) &&
           origin.port == without_own_port(host.port, origin.scheme);
}

} // namespace partyline::http
