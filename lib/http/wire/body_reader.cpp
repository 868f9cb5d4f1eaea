#include "http/wire/body_reader.hpp"

#include "http/wire/characters.hpp"

#include <algorithm>
#include <iterator>

namespace partyline::http {
namespace {

constexpr std::size_t most_extension_bytes = 256;
constexpr std::size_t most_trailer_bytes = std::size_t(4) << 10;
constexpr unsigned most_size_digits = 16; // leading zeros included
constexpr const char* too_long = "the body is longer than is taken here";

// RFC 9110 §6.5.1: what says where a message ends, or where it goes, is no trailer. `name` has its colon.
bool is_about_the_message(std::string_view name) noexcept
{
    constexpr std::string_view all[] = {
        "connection:", "content-length:",    "host:",    "keep-alive:", "proxy-connection:", "te:",
        "trailer:",    "transfer-encoding:", "upgrade:", "expect:"};
    return std::any_of(std::begin(all), std::end(all), [name](std::string_view one) { return is_name(name, one); });
}

int hex_value(char c) noexcept
{
    if (is_digit(c))
        return c - '0';
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

} // namespace

void body_reader::start(body_kind kind, std::uint64_t length)
{
    taken_ = 0;
    left_ = length;
    digits_ = 0;
    extras_ = trailer_ = 0;
    why_ = {};
    at_ = kind == body_kind::chunked ? part::size : kind == body_kind::to_end ? part::to_end : part::length;
    now_ = at_ != part::length || left_ != 0 ? state::more : state::done;
    if (kind == body_kind::length && left_ > most_)
        refuse(413, too_long);
}

bool body_reader::refuse(int status, const char* reason) noexcept
{
    why_ = {status, reason};
    now_ = state::refused;
    return false;
}

body_reader::state body_reader::read(std::string_view bytes, std::size_t& used, std::string& out)
{
    used = 0;
    while (now_ == state::more && used != bytes.size()) {
        if (at_ == part::length)
            return take_data(bytes, used, out, part::length);
        if (at_ == part::to_end)
            return take_rest(bytes, used, out);
        if (at_ == part::data)
            take_data(bytes, used, out, part::data_cr);
        else
            take(bytes[used++]);
    }
    return now_;
}

body_reader::state body_reader::take_data(std::string_view bytes, std::size_t& used, std::string& out, part next)
{
    const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size() - used));
    out.append(bytes.substr(used, count));
    used += count;
    left_ -= count;
    if (left_ == 0) {
        at_ = next;
        if (next == part::length)
            now_ = state::done;
    }
    return now_;
}

body_reader::state body_reader::take_rest(std::string_view bytes, std::size_t& used, std::string& out)
{
    used = std::min(bytes.size(), most_ - taken_);
    out.append(bytes.substr(0, used));
    taken_ += used;
    if (used != bytes.size())
        refuse(413, too_long);
    return now_;
}

body_reader::state body_reader::finish() noexcept
{
    if (now_ == state::more && at_ == part::to_end)
        now_ = state::done;
    return now_;
}

bool body_reader::take(char c)
{
    switch (at_) {
    case part::size: return take_size(c);
    case part::extension: return take_extension(c);
    case part::size_lf: return c == '\n' ? take_size_end() : refuse(400, "the size of a chunk ends with CR and LF");
    case part::data_cr:
        at_ = part::data_lf;
        return c == '\r' || refuse(400, "a chunk is longer than its size says, or does not end with CR and LF");
    case part::data_lf:
        at_ = part::size;
        digits_ = 0;
        return c == '\n' || refuse(400, "a chunk ends with CR and LF");
    case part::last_lf:
        now_ = state::done;
        return c == '\n' || refuse(400, "the body ends with an empty line, of CR and LF");
    default: return take_trailer(c);
    }
}

bool body_reader::take_size(char c)
{
    const int digit = hex_value(c);
    if (digit >= 0) {
        if (++digits_ > most_size_digits || left_ >> 59 != 0)
            return refuse(400, "the size of a chunk has too many digits");
        left_ = left_ * 16 + static_cast<unsigned>(digit);
        return true;
    }
    if (digits_ == 0)
        return refuse(400, "a chunk begins with its size, in hexadecimal digits");
    if (c == '\r') {
        at_ = part::size_lf;
        return true;
    }
    at_ = part::extension;
    in_ = extension::name_begin;
    return c == ';' || refuse(400, "the size of a chunk is followed by CR and LF, or a semicolon");
}

// ;name, ;name=word or ;name="words" (RFC 9112 §7.1.1), without blanks and escapes, which no client writes.
bool body_reader::take_extension(char c)
{
    constexpr const char* expected = "an extension of a chunk is ;name, ;name=value or ;name=\"value\"";
    if (++extras_ > most_extension_bytes)
        return refuse(400, "the extensions of chunks are longer than is taken here");
    if (in_ == extension::quoted) {
        if (c == '"')
            in_ = extension::over;
        return (is_in(c, is_value_char) && c != '\\') || refuse(400, expected);
    }
    const bool is_begun = in_ == extension::name || in_ == extension::value || in_ == extension::over;
    if (is_begun && c == '\r') {
        at_ = part::size_lf;
        return true;
    }
    if (is_begun && c == ';') {
        in_ = extension::name_begin;
        return true;
    }
    if (in_ == extension::name && c == '=') {
        in_ = extension::value_begin;
        return true;
    }
    if (in_ == extension::value_begin && c == '"') {
        in_ = extension::quoted;
        return true;
    }
    if (in_ == extension::name_begin)
        in_ = extension::name;
    else if (in_ == extension::value_begin)
        in_ = extension::value;
    return (in_ != extension::over && is_in(c, is_token_char)) || refuse(400, expected);
}

bool body_reader::take_size_end()
{
    if (left_ > most_ - taken_)
        return refuse(413, too_long);
    taken_ += static_cast<std::size_t>(left_);
    at_ = left_ == 0 ? part::trailer : part::data;
    return true;
}

bool body_reader::take_trailer(char c)
{
    if (++trailer_ > most_trailer_bytes)
        return refuse(431, "the trailers are longer than is taken here");
    switch (at_) {
    case part::trailer:
        at_ = c == '\r' ? part::last_lf : part::trailer_name;
        trailer_name_.assign(1, c);
        return c == '\r' || is_in(c, is_token_char) ||
               refuse(400, "a trailer has a name, which is followed by a colon");
    case part::trailer_name:
        trailer_name_.push_back(c);
        if (c == ':')
            at_ = part::trailer_value;
        if (c == ':' && is_about_the_message(trailer_name_))
            return refuse(400, "a trailer says what belongs in the head");
        return c == ':' || is_in(c, is_token_char) || refuse(400, "a trailer has a name, which is followed by a colon");
    case part::trailer_value:
        if (c == '\r')
            at_ = part::trailer_lf;
        return c == '\r' || is_in(c, is_value_char) || refuse(400, "a trailer has a control character in it");
    default: at_ = part::trailer; return c == '\n' || refuse(400, "a trailer ends with CR and LF");
    }
}

} // namespace partyline::http
