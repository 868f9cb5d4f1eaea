#include "protocol/framing/http_check.hpp"

namespace partyline {
namespace {

constexpr std::string_view before_version = " HTTP/";
constexpr char tls_handshake = 22; // a record's first byte

bool is_token_character(char c) noexcept
{
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return is_letter || (c >= '0' && c <= '9') || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool is_blank(char c) noexcept
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

} // namespace

http_check::answer http_check::feed(std::string_view bytes) noexcept
{
    for (const char c : bytes) {
        const answer found = take(c);
        if (found != answer::open)
            return found;
    }
    return answer::open;
}

http_check::answer http_check::take(char c) noexcept
{
    if (at_ == part::target) {
        if (c == '\n')
            return answer::other;
        matched_ = c == before_version[matched_] ? matched_ + 1 : c == ' ';
        return matched_ == before_version.size() ? answer::http : answer::open;
    }
    if (is_token_character(c)) {
        at_ = part::method;
        return answer::open;
    }
    if (c == tls_handshake && at_ == part::start)
        return answer::http;
    if (at_ == part::start)
        return is_blank(c) ? answer::open : answer::other; // servers skip empty lines, RFC 9112 §2.2
    at_ = part::target;
    return c == ' ' ? answer::open : answer::other;
}

} // namespace partyline
