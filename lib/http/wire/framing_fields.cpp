#include "http/wire/framing_fields.hpp"

#include "http/wire/characters.hpp"
#include "http/wire/field_list.hpp"
#include "http/wire/request_head.hpp"

#include <algorithm>

namespace partyline::http {

bool is_word_list(std::string_view value) noexcept
{
    bool is_list = true;
    for_each_element(value, [&](std::string_view word) { is_list = is_list && is_all(word, is_token_char); });
    return is_list;
}

// Neither a sign nor a list, nor the same twice: what reads it otherwise reads another message behind this one.
refusal framing_fields::take_length(std::string_view value)
{
    if (has_length_)
        return {400, "Content-Length is there more than once"};
    constexpr std::size_t most_digits = 18; // more does not fit a signed number of 64 bits everywhere
    if (value.empty() || value.size() > most_digits || !std::all_of(value.begin(), value.end(), is_digit))
        return {400, "Content-Length is to be a decimal number"};
    for (const char digit : value)
        length_ = length_ * 10 + static_cast<unsigned>(digit - '0');
    has_length_ = true;
    return {};
}

refusal framing_fields::take_coding(std::string_view value)
{
    if (has_coding_)
        return {400, "Transfer-Encoding is there more than once"};
    if (!is_name(value, "chunked"))
        return {501, "the only transfer coding that is read here is chunked"};
    has_coding_ = true;
    return {};
}

refusal framing_fields::take_connection(std::string_view value)
{
    for_each_element(value, [this](std::string_view option) {
        has_close_ = has_close_ || is_name(option, "close");
        has_keep_alive_ = has_keep_alive_ || is_name(option, "keep-alive");
    });
    return is_word_list(value) ? refusal() : refusal{400, "Connection is to be a list of words"};
}

refusal framing_fields::check(bool is_http_1_0) const noexcept
{
    if (has_coding_ && has_length_)
        return {400, "there are Transfer-Encoding and Content-Length, which contradict each other"};
    if (has_coding_ && is_http_1_0)
        return {400, "HTTP/1.0 has no Transfer-Encoding"};
    return {};
}

} // namespace partyline::http
