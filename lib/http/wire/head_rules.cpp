// What a head means as a whole, once it has come.

#include "http/wire/head_reader.hpp"
#include "http/wire/host_text.hpp"

#include <algorithm>

namespace partyline::http {

bool head_reader::finish(std::string_view bytes)
{
    head_ = {};
    has_host_ = false;
    framing_ = {};
    target_host_ = {};
    head_.fields = fields_.fields_in(bytes);
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
    return std::all_of(head_.fields.begin(), head_.fields.end(), [this](const field& one) { return take_field(one); });
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
    case 10: return !is_name(one.name, "connection") || accept(framing_.take_connection(one.value));
    case 14: return !is_name(one.name, "content-length") || accept(framing_.take_length(one.value));
    case 16: // says nothing (RFC 9112 C.2.2), but there are readers that take it for Connection
        return !is_name(one.name, "proxy-connection") || is_word_list(one.value) ||
               refuse(400, "Proxy-Connection is to be a list of words");
    case 17: return !is_name(one.name, "transfer-encoding") || accept(framing_.take_coding(one.value));
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

bool head_reader::check_complete()
{
    if (!has_host_ && !is_http_1_0_)
        return refuse(400, "there is no Host");
    if (target_host_.data() && has_host_ && target_host_ != head_.host)
        return refuse(400, "the target and Host name different hosts");
    if (target_host_.data())
        head_.host = target_host_;
    if (!accept(framing_.check(is_http_1_0_)))
        return false;
    if (is_http_1_0_)
        head_.expects_continue = head_.has_unknown_expectation = false; // RFC 9110 §10.1.1
    head_.content_length = framing_.length();
    head_.body = framing_.is_chunked()   ? body_kind::chunked
                 : framing_.has_length() ? body_kind::length
                                         : body_kind::none;
    // HTTP/1.0 has no chunks: there an event stream ends with the connection, also where the client would keep that.
    head_.keeps_alive = !framing_.closes() && !is_http_1_0_;
    return true;
}

} // namespace partyline::http
