#include "http/oauth/login_address.hpp"

#include "http/access/authority.hpp"
#include "http/oauth/login_failure.hpp"

#include <stdexcept>
#include <string>

namespace partyline::http {

bool is_loopback(const url& to) noexcept
{
    return is_loopback_name(to.host) || to.host == "::1";
}

url read_login_address(std::string_view text, std::string_view what, address_scope scope)
{
    constexpr std::size_t longest = 8192;
    std::string problem = "it is too long";
    if (text.size() <= longest) {
        try {
            const url read = parse_url(text);
            const bool is_plain = read.scheme == url_scheme::http && is_loopback(read) && scope == address_scope::any;
            if (read.scheme == url_scheme::https || is_plain)
                return read;
            problem = "https is expected";
        } catch (const std::invalid_argument&) {
            problem = "it is no address";
        }
    }
    refuse_login(std::string(what) + " is not used: " + in_quotes(text) + ": " + problem);
}

} // namespace partyline::http
