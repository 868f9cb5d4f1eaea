#include "http/connections/proxy_address.hpp"

#include <stdexcept>
#include <utility>

namespace partyline::http {

url read_proxy(std::string text)
{
    if (text.find("://") == text.npos)
        text.insert(0, "http://");
    url proxy = parse_url(text);
    if (proxy.scheme != url_scheme::http)
        throw std::invalid_argument("a proxy is reached by http, not by " + proxy.origin());
    return proxy;
}

} // namespace partyline::http
