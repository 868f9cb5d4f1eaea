#include "http/wire/head_reader.hpp"

#include "http/wire/characters.hpp"

namespace partyline::http {

void head_reader::reset() noexcept
{
    at_part_ = part::start;
    at_ = begin_ = 0;
    why_ = {};
}

bool head_reader::refuse(int status, const char* reason) noexcept
{
    why_ = {status, reason};
    return false;
}

// A refusal without a status is none.
bool head_reader::accept(const refusal& of) noexcept
{
    why_ = of;
    return of.status == 0;
}

head_reader::state head_reader::read(std::string_view bytes)
{
    const std::string_view in_time = bytes.substr(0, most_.bytes);
    while (at_part_ != part::over && step(in_time)) {
    }
    if (why_.status != 0)
        return state::refused;
    if (at_part_ == part::over)
        return finish(bytes) ? state::done : state::refused;
    if (bytes.size() < most_.bytes)
        return state::more;
    refuse(431, "the head of the request is longer than this server takes");
    return state::refused;
}

// Reads on; false when more has to come first, or it is refused.
bool head_reader::step(std::string_view bytes)
{
    switch (at_part_) {
    case part::start: return read_start(bytes);
    case part::method: return read_method(bytes);
    case part::target: return read_target(bytes);
    case part::version: return read_version(bytes);
    case part::fields: return read_fields(bytes);
    case part::over: return false;
    }
    return false;
}

// To the next byte that is not of these; false when none has come.
bool head_reader::skip(std::string_view bytes, std::uint8_t of) noexcept
{
    std::size_t at = at_;
    while (at != bytes.size() && is_in(bytes[at], of))
        ++at;
    at_ = at;
    return at != bytes.size();
}

// Empty lines in front are skipped (RFC 9112 §2.2): old clients send one behind a body.
bool head_reader::read_start(std::string_view bytes)
{
    constexpr std::string_view line_end = "\r\n";
    while (bytes.substr(at_).starts_with(line_end))
        at_ += line_end.size();
    const std::string_view rest = bytes.substr(at_);
    if (line_end.starts_with(rest)) // nothing, or the first half of one more
        return false;
    if (rest[0] == 0x16)
        return refuse(400, "the client speaks TLS, and this is plain HTTP");
    begin_ = at_;
    at_part_ = part::method;
    return true;
}

bool head_reader::read_method(std::string_view bytes)
{
    constexpr std::size_t longest = 32;
    const bool has_end = skip(bytes, is_token_char);
    if (at_ - begin_ > longest)
        return refuse(501, "the method is longer than any that there is");
    if (!has_end)
        return false;
    if (at_ == begin_ || bytes[at_] != ' ')
        return refuse(400, "a request begins with a method and one blank");
    method_ = {begin_, at_};
    begin_ = ++at_;
    at_part_ = part::target;
    return true;
}

bool head_reader::read_target(std::string_view bytes)
{
    const bool has_end = skip(bytes, is_target_char);
    if (at_ - begin_ > most_.target)
        return refuse(414, "the target of the request is longer than this server takes");
    if (!has_end)
        return false;
    if (at_ == begin_ || bytes[at_] != ' ')
        return refuse(400, "a method is followed by a target without blanks, one blank, and HTTP/1.1");
    target_ = {begin_, at_};
    begin_ = ++at_;
    at_part_ = part::version;
    return true;
}

bool head_reader::read_version(std::string_view bytes)
{
    constexpr std::string_view usual = "HTTP/1.1\r\n";
    if (at_ == begin_ && bytes.substr(at_, usual.size()) == usual) {
        is_http_1_0_ = false;
        return begin_fields(at_ + usual.size());
    }
    constexpr std::string_view expected = "HTTP/1.";
    for (; at_ != bytes.size() && at_ - begin_ < expected.size(); ++at_) {
        if (bytes[at_] == expected[at_ - begin_])
            continue;
        const bool is_other_version = at_ - begin_ == 5 && is_digit(bytes[at_]);
        return refuse(is_other_version ? 505 : 400,
                      is_other_version ? "this server speaks HTTP/1.1 alone" : "a target is followed by HTTP/1.1");
    }
    constexpr std::size_t length = 10; // with CR and LF
    for (; at_ != bytes.size() && at_ - begin_ < length; ++at_) {
        const char c = bytes[at_];
        switch (at_ - begin_) {
        case 7:
            if (c != '0' && c != '1')
                return refuse(is_digit(c) ? 505 : 400, "this server speaks HTTP/1.1 and HTTP/1.0");
            is_http_1_0_ = c == '0';
            break;
        case 8:
            if (c != '\r')
                return refuse(400, "the request line ends with CR and LF");
            break;
        default:
            if (c != '\n')
                return refuse(400, "the request line ends with CR and LF");
        }
    }
    if (at_ - begin_ != length)
        return false;
    return begin_fields(at_);
}

bool head_reader::begin_fields(std::size_t at) noexcept
{
    fields_.start(at);
    at_part_ = part::fields;
    return true;
}

bool head_reader::read_fields(std::string_view bytes)
{
    const field_reader::state now = fields_.read(bytes);
    if (now != field_reader::state::done)
        return accept(fields_.why()) && false;
    at_ = fields_.end();
    at_part_ = part::over;
    return true;
}

} // namespace partyline::http
