#include "post_text.hpp"

#include <array>
#include <charconv>

namespace partyline::test {
namespace {

void append_chunks(std::string& out, std::string_view body, std::mt19937_64& random)
{
    out += "Transfer-Encoding: chunked\r\n\r\n";
    while (!body.empty()) {
        const std::string_view chunk = body.substr(0, 1 + below(1 + body.size() / 2, random));
        std::array<char, 16> size{};
        const auto end = std::to_chars(size.data(), size.data() + size.size(), chunk.size(), 16).ptr;
        out.append(size.data(), end).append("\r\n").append(chunk).append("\r\n");
        body.remove_prefix(chunk.size());
    }
    out += "0\r\n\r\n";
}

} // namespace

void append_post(std::string& out, std::string_view path, std::string_view fields, std::string_view body,
                 std::mt19937_64& random)
{
    out.append("POST ").append(path).append(" HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n");
    out.append(fields);
    if (below(3, random) == 0)
        return append_chunks(out, body, random);
    out.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n\r\n").append(body);
}

} // namespace partyline::test
