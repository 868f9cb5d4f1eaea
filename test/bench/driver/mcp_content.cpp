#include "mcp_content.hpp"

#include "reply_check.hpp"

#include <boost/json/object.hpp>

namespace json = boost::json;

namespace bench {
namespace {

constexpr std::string_view meta = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                                  R"("io.modelcontextprotocol/clientInfo":{"name":"partyline-bench","version":"1.0"},)"
                                  R"("io.modelcontextprotocol/clientCapabilities":{}})";

} // namespace

content tool_call(protocol spoken, std::size_t bytes)
{
    return [spoken, bytes](random_source& random, std::string& params, std::string& result) {
        std::string arguments;
        std::string same;
        text_of(bytes)(random, arguments, same);
        params += R"({"name":"echo","arguments":)" + arguments;
        if (spoken == protocol::mcp_stateless)
            params.append(",").append(meta);
        params += "}";
        result += arguments;
    };
}

content tool_list(protocol spoken, std::size_t count)
{
    return [spoken, count](random_source&, std::string& params, std::string& result) {
        params += "{";
        if (spoken == protocol::mcp_stateless)
            params += meta;
        params += "}";
        result += std::to_string(count);
    };
}

bool is_greeting(std::string_view reply)
{
    const json::object members = parse_object(reply);
    const json::value* const result = members.if_contains("result");
    const json::value* const id = members.if_contains("id");
    return id && *id == "first" && result && result->is_object() && result->get_object().contains("protocolVersion");
}

} // namespace bench
