#include "http/wire/request_writer.hpp"

#include "http/wire/characters.hpp"
#include "http/wire/host_text.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace partyline::http {
namespace {

void require(bool is_right, const char* expected)
{
    if (!is_right)
        throw std::invalid_argument(expected);
}

// What they say is known from the rest of the request.
bool is_written_here(std::string_view name) noexcept
{
    constexpr std::string_view all[] = {"host", "content-length", "transfer-encoding"};
    return std::any_of(std::begin(all), std::end(all), [name](std::string_view one) { return is_name(name, one); });
}

void append_field(std::string& out, const field& one)
{
    require(!one.name.empty() && is_all(one.name, is_token_char), "the name of a field is to be a token");
    require(is_all(one.value, is_value_char), "the value of a field is to have no control characters");
    if (is_written_here(one.name))
        throw std::invalid_argument("the field " + std::string(one.name) + " is written by the client itself");
    out.append(one.name).append(": ").append(one.value).append("\r\n");
}

} // namespace

void append_request_head(std::string& out, const request_start& start)
{
    require(!start.method.empty() && is_all(start.method, is_token_char), "the method of a request is to be a token");
    require(!start.target.empty() && is_all(start.target, is_target_char),
            "the target of a request is to have no blanks, and what is not ASCII is to be percent-encoded");
    require(is_authority(start.host), "Host is to be a name or an address, and perhaps a colon and a port");
    std::string head;
    head.append(start.method).append(" ").append(start.target).append(" HTTP/1.1\r\nHost: ");
    head.append(start.host).append("\r\n");
    for (const field& one : start.fields)
        append_field(head, one);
    if (start.length)
        head.append("Content-Length: ").append(std::to_string(*start.length)).append("\r\n");
    out.append(head).append("\r\n"); // all of it, or nothing
}

} // namespace partyline::http
