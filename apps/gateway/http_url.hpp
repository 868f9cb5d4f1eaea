#pragma once

#include <string>

namespace gateway {

/// Where a server of HTTP is: "http://127.0.0.1:8080/mcp".
struct http_url {
    std::string host; // as Host says it, without a port where that is 80
    std::string name; // without brackets
    std::string port;
    std::string target;
};

/// Throws `std::invalid_argument` with a text for the user.
http_url parse_http_url(const std::string& text);

} // namespace gateway
