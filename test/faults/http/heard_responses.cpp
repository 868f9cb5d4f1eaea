#include "heard_responses.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace partyline::test {
namespace {

std::string_view field(std::string_view head, std::string_view name)
{
    const std::size_t at = head.find("\r\n" + std::string(name) + ": ");
    if (at == head.npos)
        return {};
    const std::string_view value = head.substr(at + name.size() + 4);
    return value.substr(0, value.find("\r\n"));
}

// The body that `rest` begins with, taken from it; of one that has not come to its end what there is.
std::string take_chunks(std::string_view& rest, bool& is_complete)
{
    std::string body;
    while (true) {
        const std::size_t line = rest.find("\r\n");
        if (line == rest.npos)
            return body;
        const std::size_t size = std::stoul(std::string(rest.substr(0, line)), nullptr, 16);
        if (rest.size() < line + 2 + size + 2)
            return body;
        body += rest.substr(line + 2, size);
        if (rest.substr(line + 2 + size, 2) != "\r\n")
            throw std::runtime_error("a chunk does not end where it says");
        rest.remove_prefix(line + 2 + size + 2);
        if (size == 0) {
            is_complete = true;
            return body;
        }
    }
}

std::string take_length(std::string_view& rest, std::string_view length, bool& is_complete)
{
    const std::size_t size = length.empty() ? 0 : std::stoul(std::string(length));
    const std::string body(rest.substr(0, size));
    rest.remove_prefix(body.size());
    is_complete = body.size() == size;
    return body;
}

std::vector<std::string> events_in(std::string_view body)
{
    std::vector<std::string> all;
    constexpr std::string_view mark = "data: ";
    while (!body.empty()) {
        const std::size_t end = std::min(body.find('\n'), body.size());
        const std::string_view line = body.substr(0, end);
        if (line.starts_with(mark) && line.size() > mark.size() && end != body.size())
            all.emplace_back(line.substr(mark.size()));
        body.remove_prefix(std::min(end + 1, body.size()));
    }
    return all;
}

std::size_t number_in(std::string_view bytes)
{
    std::size_t number = 0;
    for (const char c : bytes)
        number = number << 8 | static_cast<unsigned char>(c);
    return number;
}

// The frames of WebSocket that stand behind status 101: texts as they are, others in words. The last one closes.
void take_frames(std::string_view& rest, heard_response& to)
{
    while (rest.size() >= 2) {
        std::size_t size = static_cast<unsigned char>(rest[1]);
        const std::size_t more = size < 126 ? 0 : size == 126 ? 2 : 8;
        if (rest.size() < 2 + more)
            return;
        if (more != 0)
            size = number_in(rest.substr(2, more));
        if (rest.size() < 2 + more + size)
            return;
        const unsigned type = static_cast<unsigned char>(rest[0]) & 0xFU;
        const std::string content(rest.substr(2 + more, size));
        rest.remove_prefix(2 + more + size);
        to.is_complete = type == 8;
        to.messages.push_back(type == 1   ? content
                              : type == 8 ? "close " + std::to_string(number_in(content.substr(0, 2)))
                                          : "frame " + std::to_string(type) + ' ' + content);
    }
}

} // namespace

std::vector<heard_response> responses_in(const std::string& came)
{
    std::vector<heard_response> all;
    std::string_view rest = came;
    while (true) {
        const std::size_t end = rest.find("\r\n\r\n");
        if (end == rest.npos)
            return all;
        if (!rest.starts_with("HTTP/1.1 "))
            throw std::runtime_error("this is no response: " + std::string(rest.substr(0, 100)));
        const std::string_view head = rest.substr(0, end + 2);
        rest.remove_prefix(end + 4);
        heard_response one;
        one.status = std::stoi(std::string(head.substr(9, 3)));
        if (one.status == 100)
            continue;
        if (one.status == 101) {
            take_frames(rest, one);
            all.push_back(std::move(one));
            return all;
        }
        one.session = field(head, "Mcp-Session-Id");
        const bool is_chunked = !field(head, "Transfer-Encoding").empty();
        const std::string body = is_chunked ? take_chunks(rest, one.is_complete)
                                            : take_length(rest, field(head, "Content-Length"), one.is_complete);
        if (field(head, "Content-Type") == "text/event-stream")
            one.messages = events_in(body);
        else if (one.is_complete && !body.empty())
            one.messages.push_back(body);
        all.push_back(std::move(one));
    }
}

} // namespace partyline::test
