#include "http/wire/response_reader.hpp"

#include "http/wire/characters.hpp"
#include "http/wire/skip_value.hpp"

namespace partyline::http {
namespace {

// HTTP/1.1 200 OK: the version, three digits, and words that mean nothing and may be missing (RFC 9112 §4).
constexpr std::size_t version_size = 8;
constexpr std::size_t status_end = 12;
constexpr const char* no_status = "the version is followed by a status of three digits, 100 to 599, and a blank";

} // namespace

void response_reader::begin(response_to what) noexcept
{
    what_ = what;
    interim_ = 0;
    is_in_fields_ = false;
    at_ = 0;
    why_ = nullptr;
}

void response_reader::skip_interim() noexcept
{
    ++interim_;
    is_in_fields_ = false;
    at_ = 0;
}

bool response_reader::refuse(const char* reason) noexcept
{
    why_ = reason;
    return false;
}

response_reader::state response_reader::read(std::string_view bytes)
{
    if (interim_ > most_.interim)
        refuse("there are more interim responses than are taken here");
    if (why_)
        return state::refused;
    const std::string_view in_time = bytes.substr(0, most_.bytes);
    if ((is_in_fields_ || read_status_line(in_time)) && read_fields(in_time))
        return finish(bytes) ? state::done : state::refused;
    if (!why_ && bytes.size() >= most_.bytes)
        refuse("the head of the response is longer than is taken here");
    return why_ ? state::refused : state::more;
}

bool response_reader::read_status_line(std::string_view bytes)
{
    if (at_ < version_size && !read_version(bytes))
        return false;
    if (at_ < status_end && !read_status(bytes))
        return false;
    return read_reason(bytes);
}

bool response_reader::read_version(std::string_view bytes)
{
    constexpr std::string_view expected = "HTTP/1.";
    for (; at_ != bytes.size() && at_ != version_size; ++at_) {
        const char c = bytes[at_];
        if (at_ == 0 && (c == 0x15 || c == 0x16))
            return refuse("the server speaks TLS, and this is plain HTTP");
        if (at_ == expected.size() ? c == '0' || c == '1' : c == expected[at_])
            continue;
        return refuse(at_ >= 5 ? "the server speaks another version than HTTP/1.1 and HTTP/1.0"
                               : "a response begins with HTTP/1.1");
    }
    return at_ == version_size;
}

// One blank and three digits.
bool response_reader::read_status(std::string_view bytes)
{
    for (; at_ != bytes.size() && at_ != status_end; ++at_) {
        const char c = bytes[at_];
        const std::size_t place = at_ - version_size;
        const bool is_right = place == 0 ? c == ' ' : place == 1 ? c >= '1' && c <= '5' : is_digit(c);
        if (!is_right)
            return refuse(no_status);
    }
    return at_ == status_end;
}

// One blank more, which servers that say nothing behind it often leave out.
bool response_reader::read_reason(std::string_view bytes)
{
    if (at_ == status_end && at_ != bytes.size() && bytes[at_] != ' ' && bytes[at_] != '\r')
        return refuse(no_status);
    at_ = skip_value(bytes, at_);
    if (at_ == bytes.size())
        return false;
    if (bytes[at_] != '\r')
        return refuse("the status line has a control character in it");
    if (at_ + 1 == bytes.size())
        return false;
    if (bytes[at_ + 1] != '\n')
        return refuse("the status line ends with CR and LF");
    reason_end_ = at_;
    at_ += 2;
    fields_.start(at_);
    is_in_fields_ = true;
    return true;
}

bool response_reader::read_fields(std::string_view bytes)
{
    switch (fields_.read(bytes)) {
    case field_reader::state::more: return false;
    case field_reader::state::refused: return refuse(fields_.why().reason);
    case field_reader::state::done: break;
    }
    at_ = fields_.end();
    return true;
}

} // namespace partyline::http
