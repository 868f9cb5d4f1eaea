// What a head means as a whole, once it has come.

#include "http/wire/characters.hpp"
#include "http/wire/field_list.hpp"
#include "http/wire/head_reader.hpp"

#include <algorithm>

namespace partyline::http {
namespace {

bool is_all(std::string_view text, std::uint8_t of) noexcept
{
    return std::all_of(text.begin(), text.end(), [of](char c) { return is_in(c, of); });
}

bool is_word_list(std::string_view value) noexcept
{
    bool is_list = true;
    for_each_element(value, [&](std::string_view word) { is_list = is_list && is_all(word, is_token_char); });
    return is_list;
}

// Behind the name or the address that it begins with; 0 where that is none.
std::size_t end_of_host(std::string_view text) noexcept
{
    if (!text.starts_with('[')) {
        const auto is_of_name = [](char c) { return is_in(c, is_name_char); };
        return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_of_name) - text.begin());
    }
    const std::size_t bracket = text.find(']');
    if (bracket == text.npos || bracket == 1)
        return 0;
    const std::string_view address = text.substr(1, bracket - 1);
    return address.find('[') == address.npos && is_all(address, is_host_char) ? bracket + 1 : 0;
}

// A name, an IPv4 address or an IPv6 one in brackets, and digits of a port behind a colon (RFC 3986 §3.2).
bool is_authority(std::string_view text) noexcept
{
    const std::size_t end = end_of_host(text);
    if (end == 0)
        return false;
    const std::string_view port = text.substr(end);
    return port.empty() ||
           (port.front() == ':' && port.size() <= 6 && std::all_of(port.begin() + 1, port.end(), is_digit));
}

} // namespace

bool head_reader::finish(std::string_view bytes)
{
    head_ = {};
    has_host_ = has_length_ = has_coding_ = has_close_ = false;
    target_host_ = {};
    fields_.clear();
    for (const field_place& one : places_)
        fields_.push_back({one.name.in(bytes), one.value.in(bytes)});
    head_.fields = fields_;
    head_.method = method_.in(bytes);
    head_.target = target_.in(bytes);
    head_.is_http_1_0 = is_http_1_0_;
    return finish_target() && finish_fields() && check_complete();
}

// RFC 9112 §3.2.
bool head_reader::finish_target()
{
    std::string_view rest = head_.target;
    if (rest == "*") {
        head_.path = rest;
        return head_.method == "OPTIONS" || refuse(400, "only OPTIONS has the target *");
    }
    if (head_.method == "CONNECT")
        return refuse(501, "this server is no proxy");
    if (rest.front() != '/') {
        constexpr std::string_view scheme = "http://";
        if (rest.size() <= scheme.size() || !is_name(rest.substr(0, scheme.size()), scheme))
            return refuse(400, "the target of a request begins with a slash, or with http://");
        rest.remove_prefix(scheme.size());
        const std::size_t end = std::min(rest.find_first_of("/?"), rest.size());
        target_host_ = rest.substr(0, end);
        rest.remove_prefix(end);
        if (!is_authority(target_host_))
            return refuse(400, "the target names no host");
    }
    const std::size_t mark = rest.find('?');
    head_.path = rest.substr(0, mark);
    if (head_.path.empty())
        head_.path = "/";
    head_.query = mark == rest.npos ? std::string_view() : rest.substr(mark + 1);
    return true;
}

bool head_reader::finish_fields()
{
    return std::all_of(fields_.begin(), fields_.end(), [this](const field& one) { return take_field(one); });
}

bool head_reader::take_field(const field& one)
{
    switch (one.name.size()) { // few names have the length of one that is of interest
    case 4: return !is_name(one.name, "host") || take_host(one.value);
    case 6:
        if (is_name(one.name, "expect")) {
            const bool is_known = !head_.expects_continue && is_name(one.value, "100-continue");
            head_.expects_continue = is_known;
            head_.has_unknown_expectation = head_.has_unknown_expectation || !is_known;
        }
        return true;
    case 10: return !is_name(one.name, "connection") || take_connection(one.value);
    case 14: return !is_name(one.name, "content-length") || take_length(one.value);
    case 16: // says nothing (RFC 9112 C.2.2), but there are readers that take it for Connection
        return !is_name(one.name, "proxy-connection") || is_word_list(one.value) ||
               refuse(400, "Proxy-Connection is to be a list of words");
    case 17: return !is_name(one.name, "transfer-encoding") || take_coding(one.value);
    default: return true;
    }
}

bool head_reader::take_host(std::string_view value)
{
    if (has_host_)
        return refuse(400, "Host is there more than once");
    if (!is_authority(value))
        return refuse(400, "Host is to be a name or an address, and perhaps a colon and a port");
    head_.host = value;
    return has_host_ = true;
}

// Neither a sign nor a list, nor the same twice: what reads it otherwise reads another request behind this one.
bool head_reader::take_length(std::string_view value)
{
    if (has_length_)
        return refuse(400, "Content-Length is there more than once");
    constexpr std::size_t most_digits = 18; // more does not fit a signed number of 64 bits everywhere
    if (value.empty() || value.size() > most_digits || !std::all_of(value.begin(), value.end(), is_digit))
        return refuse(400, "Content-Length is to be a decimal number");
    for (const char digit : value)
        head_.content_length = head_.content_length * 10 + static_cast<unsigned>(digit - '0');
    return has_length_ = true;
}

bool head_reader::take_coding(std::string_view value)
{
    if (has_coding_)
        return refuse(400, "Transfer-Encoding is there more than once");
    if (!is_name(value, "chunked"))
        return refuse(501, "the only transfer coding that is read here is chunked");
    return has_coding_ = true;
}

bool head_reader::take_connection(std::string_view value)
{
    for_each_element(value, [this](std::string_view option) { has_close_ = has_close_ || is_name(option, "close"); });
    return is_word_list(value) || refuse(400, "Connection is to be a list of words");
}

bool head_reader::check_complete()
{
    if (!has_host_ && !is_http_1_0_)
        return refuse(400, "there is no Host");
    if (target_host_.data() && has_host_ && target_host_ != head_.host)
        return refuse(400, "the target and Host name different hosts");
    if (target_host_.data())
        head_.host = target_host_;
    if (has_coding_ && has_length_)
        return refuse(400, "there are Transfer-Encoding and Content-Length, which contradict each other");
    if (has_coding_ && is_http_1_0_)
        return refuse(400, "HTTP/1.0 has no Transfer-Encoding");
    if (is_http_1_0_)
        head_.expects_continue = head_.has_unknown_expectation = false; // RFC 9110 §10.1.1
    head_.body = has_coding_ ? body_kind::chunked : has_length_ ? body_kind::length : body_kind::none;
    // HTTP/1.0 has no chunks: there an event stream ends with the connection, also where the client would keep that.
    head_.keeps_alive = !has_close_ && !is_http_1_0_;
    return true;
}

} // namespace partyline::http
