#include "http/client/refusal.hpp"

#include <partyline/protocol/printable.hpp>

namespace partyline::http {

std::string status_words(const received_head& head)
{
    constexpr std::size_t longest_shown = 300;
    const bool is_proxy = head.status == 407;
    const std::string_view wanted = head.find(is_proxy ? "proxy-authenticate" : "www-authenticate");
    std::string words = "HTTP status " + std::to_string(head.status);
    if (!wanted.empty())
        words += (is_proxy ? ", Proxy-Authenticate: " : ", WWW-Authenticate: ") + printable(wanted, longest_shown);
    return words;
}

} // namespace partyline::http
