#include "peers.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value_to.hpp>

#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string_view>

namespace json = boost::json;

namespace bench {
namespace {

framing framing_of(std::string_view name)
{
    if (name == "ndjson")
        return framing::ndjson;
    if (name == "content-length")
        return framing::content_length;
    throw std::runtime_error("a framing is ndjson or content-length");
}

// What is said to a peer, and how it is reached.
struct manner {
    protocol spoken;
    service served;
    bool is_gateway = false;
};

// Left out, it is that of all that are no MCP servers and listen nowhere.
manner manner_of(const json::value& entry)
{
    static const std::map<std::string_view, manner> all = {
        {"mcp", {protocol::mcp_handshake, service::streams}},
        {"http", {protocol::json_rpc, service::http_rpc}},
        {"mcp-http", {protocol::mcp_handshake, service::http_mcp}},
        {"mcp-gateway", {protocol::mcp_handshake, service::http_mcp, true}},
        {"websocket", {protocol::json_rpc, service::websocket}},
    };
    const json::value* const name = entry.as_object().if_contains("protocol");
    if (!name)
        return {protocol::json_rpc, service::streams};
    if (const auto found = name->is_string() ? all.find(name->get_string()) : all.end(); found != all.end())
        return found->second;
    throw std::runtime_error("a protocol is mcp, http, mcp-http, mcp-gateway or websocket, or is left out");
}

peer to_peer(const json::value& entry)
{
    const auto text = [&entry](const char* member) { return json::value_to<std::string>(entry.at(member)); };
    const manner how = manner_of(entry);
    return {.name = text("name"),
            .version = text("version"),
            .command = text("command"),
            .how = framing_of(text("framing")),
            .spoken = how.spoken,
            .served = how.served,
            .is_gateway = how.is_gateway};
}

} // namespace

std::vector<peer> read_peers(const std::string& file)
{
    std::ifstream in(file);
    if (!in)
        return {};
    const std::string text(std::istreambuf_iterator<char>(in), {});
    try {
        std::vector<peer> peers;
        const json::value entries = json::parse(text);
        for (const json::value& entry : entries.as_array())
            peers.push_back(to_peer(entry));
        return peers;
    } catch (const std::exception& e) {
        throw std::runtime_error(file + " does not name peers: " + e.what());
    }
}

} // namespace bench
