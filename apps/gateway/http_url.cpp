#include "gateway/http_url.hpp"

#include <algorithm>
#include <stdexcept>

namespace gateway {
namespace {

[[noreturn]] void refuse(const std::string& text, const char* why)
{
    throw std::invalid_argument("'" + text + "' is no address of a server: " + why +
                                "; expected http://HOST:PORT/PATH");
}

} // namespace

http_url parse_http_url(const std::string& text)
{
    const std::string scheme = "http://";
    if (!text.starts_with(scheme))
        refuse(text, "it does not begin with http://");
    const std::size_t slash = std::min(text.find('/', scheme.size()), text.size());
    http_url url;
    url.host = text.substr(scheme.size(), slash - scheme.size());
    url.target = slash == text.size() ? "/" : text.substr(slash);
    if (url.target.find_first_of(" \t\r\n#") != url.target.npos || url.host.find_first_of("@ \t\r\n?") != url.host.npos)
        refuse(text, "it has what belongs in no such address");
    const std::size_t bracket = url.host.find(']');
    const std::size_t colon = url.host.find(':', bracket == url.host.npos ? 0 : bracket);
    url.name = url.host.substr(0, colon);
    if (url.name.starts_with('[') && url.name.ends_with(']'))
        url.name = url.name.substr(1, url.name.size() - 2);
    url.port = colon == url.host.npos ? "80" : url.host.substr(colon + 1);
    if (url.name.empty())
        refuse(text, "it names no host");
    if (url.port.empty() || url.port.size() > 5 || url.port.find_first_not_of("0123456789") != url.port.npos)
        refuse(text, "its port is no number");
    return url;
}

} // namespace gateway
