#include "posts.hpp"

#include <algorithm>

namespace bench {
namespace {

std::string fields_of(const head_recipe& how, std::size_t number = 0)
{
    std::string fields = "Host: 127.0.0.1:" + std::to_string(how.port) + "\r\nUser-Agent: partyline-bench/1.0\r\n";
    switch (how.spoken) {
    case protocol::json_rpc: break;
    case protocol::mcp_handshake: fields += "MCP-Protocol-Version: 2025-11-25\r\n"; break;
    case protocol::mcp_stateless:
        fields += "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\n";
        break;
    }
    if (!how.authorizations.empty())
        fields += "Authorization: " + how.authorizations[number % how.authorizations.size()] + "\r\n";
    if (!how.session.empty())
        fields += "Mcp-Session-Id: " + how.session + "\r\n";
    return fields;
}

} // namespace

std::string post_of(const head_recipe& how, std::string_view body, std::size_t number)
{
    std::string text = "POST " + how.path + " HTTP/1.1\r\n" + fields_of(how, number) + "Accept: application/json";
    if (how.takes_events || how.spoken != protocol::json_rpc)
        text += ", text/event-stream";
    text += "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n";
    return text.append(body);
}

std::string get_of(const head_recipe& how)
{
    return "GET " + how.path + " HTTP/1.1\r\n" + fields_of(how) + "Accept: text/event-stream\r\n\r\n";
}

std::string opening_of(const head_recipe& how)
{
    return "GET " + how.path + " HTTP/1.1\r\n" + fields_of(how) +
           "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
           "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"; // RFC 6455's
}

std::string request_of(const head_recipe& how, std::string_view body, std::size_t number)
{
    std::string framed;
    switch (how.how) {
    case speech::websocket: return frame_of(body);
    case speech::lines:
    case speech::streams: append_framed(framed, body, how.framed); return framed;
    default: return post_of(how, body, number);
    }
}

post_set::post_set(const std::vector<head_recipe>& heads, const request_set& requests)
    : texts_(heads.size()), ends_(heads.size())
{
    for (std::size_t i = 0; i < requests.messages(); ++i) {
        const std::size_t head = i % heads.size();
        texts_[head] += request_of(heads[head], requests.body(i), ends_[head].size());
        ends_[head].push_back(texts_[head].size());
    }
}

std::string_view post_set::text(std::size_t head, std::size_t first, std::size_t count) const
{
    const std::vector<std::size_t>& ends = ends_[head];
    const std::size_t last = std::min(first + count, ends.size());
    if (first >= last)
        return {};
    const std::size_t begin = first == 0 ? 0 : ends[first - 1];
    return std::string_view(texts_[head]).substr(begin, ends[last - 1] - begin);
}

} // namespace bench
