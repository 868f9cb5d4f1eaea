#include "http/access/cors.hpp"

#include "http/wire/characters.hpp"
#include "http/wire/field_list.hpp"

namespace partyline::http {
namespace {

constexpr std::string_view allowed_fields =
    "Authorization, Content-Type, Accept, Last-Event-ID, traceparent, tracestate, Mcp-Session-Id, "
    "MCP-Protocol-Version, Mcp-Method, Mcp-Name, Partyline-Proof";
constexpr std::string_view parameter_prefix = "mcp-param-";

// Those of the arguments that a tool wants repeated in fields have names of their own.
void append_parameters(std::string& out, std::string_view asked)
{
    for_each_element(asked, [&](std::string_view name) {
        const bool is_one = name.size() > parameter_prefix.size() &&
                            is_name(name.substr(0, parameter_prefix.size()), parameter_prefix) &&
                            is_all(name, is_token_char);
        if (is_one)
            out.append(", ").append(name);
    });
}

} // namespace

std::string cors_fields(std::string_view origin)
{
    std::string fields = "Access-Control-Allow-Origin: ";
    fields.append(origin);
    fields += "\r\nVary: Origin\r\nAccess-Control-Expose-Headers: Mcp-Session-Id, WWW-Authenticate\r\n";
    return fields;
}

std::string preflight_fields(const request_head& head, std::string_view allowed_methods,
                             std::span<const std::string> also)
{
    std::string fields = "Allow: ";
    fields.append(allowed_methods).append("\r\n");
    if (!head.find("access-control-request-method").data())
        return fields;
    fields.append("Access-Control-Allow-Methods: ").append(allowed_methods);
    fields.append("\r\nAccess-Control-Allow-Headers: ").append(allowed_fields);
    for (const std::string& name : also)
        fields.append(", ").append(name);
    append_parameters(fields, head.find("access-control-request-headers"));
    fields += "\r\nAccess-Control-Max-Age: 600\r\n";
    return fields;
}

} // namespace partyline::http
