// What the head of a response means as a whole, once it has come.

#include "http/wire/characters.hpp"
#include "http/wire/field_list.hpp"
#include "http/wire/response_reader.hpp"

#include <algorithm>

namespace partyline::http {

bool response_reader::finish(std::string_view bytes)
{
    head_ = {};
    framing_ = {};
    head_.is_http_1_0 = bytes[7] == '0';
    head_.status = (bytes[9] - '0') * 100 + (bytes[10] - '0') * 10 + (bytes[11] - '0');
    head_.reason = bytes.substr(12, reason_end_ - 12);
    if (!head_.reason.empty())
        head_.reason.remove_prefix(1); // the blank
    head_.fields = fields_.fields_in(bytes);
    const bool is_right =
        std::all_of(head_.fields.begin(), head_.fields.end(), [this](const field& one) { return take_field(one); });
    if (!is_right || !accept(framing_.check(head_.is_http_1_0)))
        return false;
    decide_body();
    return true;
}

bool response_reader::accept(const refusal& of) noexcept
{
    return of.status == 0 || refuse(of.reason);
}

bool response_reader::take_field(const field& one)
{
    if (is_name(one.name, "content-length"))
        return accept(framing_.take_length(one.value));
    if (is_name(one.name, "transfer-encoding"))
        return accept(framing_.take_coding(one.value));
    if (is_name(one.name, "connection"))
        return accept(framing_.take_connection(one.value));
    if (is_name(one.name, "keep-alive"))
        take_idle_time(one.value);
    return true;
}

// timeout=5, max=100: a hint, so that what can't be read says nothing.
void response_reader::take_idle_time(std::string_view value)
{
    for_each_element(value, [this](std::string_view one) {
        constexpr std::string_view name = "timeout=";
        constexpr std::size_t most_digits = 6;
        if (one.size() <= name.size() || !is_name(one.substr(0, name.size()), name))
            return;
        one.remove_prefix(name.size());
        if (one.size() > most_digits || !std::all_of(one.begin(), one.end(), is_digit))
            return;
        int seconds = 0;
        for (const char digit : one)
            seconds = seconds * 10 + (digit - '0');
        head_.idle_time = std::chrono::seconds(seconds);
    });
}

// RFC 9112 §6.3. Where there is no body, a length says how long it would be.
void response_reader::decide_body() noexcept
{
    const bool is_tunnel = what_ == response_to::connect && head_.is_success();
    const bool has_none = head_.status / 100 == 1 || head_.status == 204 || head_.status == 304;
    if (is_tunnel || has_none || what_ == response_to::head) {
        head_.body = body_kind::none;
    } else if (framing_.is_chunked()) {
        head_.body = body_kind::chunked;
    } else if (framing_.has_length()) {
        head_.body = body_kind::length;
        head_.content_length = framing_.length();
    } else {
        head_.body = body_kind::to_end;
    }
    const bool stays = head_.is_http_1_0 ? framing_.keeps_alive() : true;
    head_.keeps_alive = stays && !framing_.closes() && head_.body != body_kind::to_end;
}

} // namespace partyline::http
