#include "http/wire/response_head.hpp"

#include "http/wire/statuses.hpp"

#include <charconv>
#include <cstdint>

namespace partyline::http {
namespace {

void append_number(byte_buffer& out, std::size_t number)
{
    char digits[20];
    const char* const end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    out.append({digits, static_cast<std::size_t>(end - digits)});
}

// Seven digits are enough for 256 MiB at once, and have the same length whatever comes.
constexpr std::string_view empty_size = "0000000\r\n";

} // namespace

void append_head(byte_buffer& out, const response_head& head, const response_style& style)
{
    out.append("HTTP/1.1 ");
    append_number(out, static_cast<std::size_t>(head.status));
    out.push_back(' ');
    out.append(reason_phrase(head.status));
    out.append("\r\n");
    if (!head.date.empty()) {
        out.append("Date: ");
        out.append(head.date);
        out.append("\r\n");
    }
    if (!head.type.empty()) {
        out.append("Content-Type: ");
        out.append(head.type);
        out.append("\r\n");
    }
    if (head.length && head.status != 204) { // RFC 9110 §8.6: none with 204
        out.append("Content-Length: ");
        append_number(out, *head.length);
        out.append("\r\n");
    } else if (!head.length && !style.is_for_http_1_0) {
        out.append("Transfer-Encoding: chunked\r\n");
    }
    if (style.closes)
        out.append("Connection: close\r\n");
    out.append(head.fields);
    out.append(style.fields);
    out.append("\r\n");
}

void append_upgrade_head(byte_buffer& out, std::string_view fields, std::string_view date)
{
    out.append("HTTP/1.1 101 Switching Protocols\r\nDate: ");
    out.append(date);
    out.append("\r\n");
    out.append(fields);
    out.append("\r\n");
}

void append_event_stream_head(byte_buffer& out, const response_style& style, std::string_view fields,
                              std::string_view date)
{
    std::string all = "Cache-Control: no-cache, no-transform\r\nX-Accel-Buffering: no\r\n";
    all += fields;
    append_head(out, {200, "text/event-stream", std::nullopt, all, date}, style);
}

void chunk_writer::begin(byte_buffer& out)
{
    if (!is_chunked_)
        return;
    start_ = out.size();
    out.append(empty_size);
}

void chunk_writer::end(byte_buffer& out)
{
    if (!is_chunked_)
        return;
    std::size_t size = out.size() - start_ - empty_size.size();
    if (size == 0)
        return out.truncate(start_);
    for (char* digit = out.data() + start_ + empty_size.size() - 3; size != 0; size >>= 4)
        *digit-- = "0123456789abcdef"[size & 0xf];
    out.append("\r\n");
}

void chunk_writer::append_comment(byte_buffer& out)
{
    begin(out);
    out.append(": \n\n");
    end(out);
}

void chunk_writer::finish(byte_buffer& out) const
{
    if (is_chunked_)
        out.append("0\r\n\r\n");
}

} // namespace partyline::http
