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

// A peer by how it is spoken to and reached. Without a name: as all that are no MCP servers and listen nowhere.
peer reached_by(const json::value* protocol_name)
{
    static const std::map<std::string_view, peer> all = {
        {"mcp", {.spoken = protocol::mcp_handshake}},
        {"http", {.served = service::http_rpc}},
        {"mcp-http", {.spoken = protocol::mcp_handshake, .served = service::http_mcp}},
        {"mcp-gateway", {.spoken = protocol::mcp_handshake, .served = service::http_mcp, .is_gateway = true}},
        {"websocket", {.served = service::websocket}},
    };
    if (!protocol_name)
        return {};
    const auto found = protocol_name->is_string() ? all.find(protocol_name->get_string()) : all.end();
    if (found == all.end())
        throw std::runtime_error("a protocol is mcp, http, mcp-http, mcp-gateway or websocket, or is left out");
    return found->second;
}

peer to_peer(const json::value& entry)
{
    const auto text = [&entry](const char* member) { return json::value_to<std::string>(entry.at(member)); };
    peer made = reached_by(entry.as_object().if_contains("protocol"));
    made.name = text("name");
    made.version = text("version");
    made.command = text("command");
    made.how = framing_of(text("framing"));
    return made;
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
