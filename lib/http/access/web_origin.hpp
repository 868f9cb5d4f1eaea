#pragma once

#include "http/access/authority.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace partyline::http {

/// Where a web page comes from, as a browser says it of the page's requests (RFC 6454 §6.2):
/// "https://example.org:8443".
struct web_origin {
    std::string scheme; // this and the name in lower case
    std::string name;
    std::string port; // empty where it is the scheme's own
};

/// Empty for what is not one of those, such as "null", which stands for pages that are to have none.
std::optional<web_origin> read_origin(std::string_view text);

std::string to_string(const web_origin& origin);

/// Whether a page of this origin comes from the host that is asked.
bool is_of_host(const web_origin& origin, const authority& host);

} // namespace partyline::http
