#include "gateway/remote_message.hpp"

#include "http/mcp/base64_value.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/protocol/printable.hpp>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <optional>

namespace json = boost::json;

namespace gateway {
namespace {

constexpr std::string_view version_member = "io.modelcontextprotocol/protocolVersion";

const json::string* string_in(const json::object& of, std::string_view name)
{
    const json::value* const found = of.if_contains(name);
    return found ? found->if_string() : nullptr;
}

} // namespace

std::string message_text(std::string_view id, std::string_view method, const partyline::json_text& params)
{
    std::string text = "{\"jsonrpc\":\"2.0\"";
    if (!id.empty())
        text.append(",\"id\":").append(id);
    text.append(",\"method\":").append(json::serialize(json::string(method)));
    if (!params.text().empty())
        text.append(",\"params\":").append(params.text());
    return text + '}';
}

std::string response_text(std::string_view id, std::string_view member, std::string_view value)
{
    std::string text = "{\"jsonrpc\":\"2.0\",\"id\":";
    text.append(id).append(",\"").append(member).append("\":").append(value);
    return text + '}';
}

field_list modern_fields(const std::string& method, const partyline::json_text& params)
{
    if (params.text().find(version_member) == std::string_view::npos)
        return {};
    const json::value all = params.to_value();
    const json::object* const members = all.if_object();
    const json::value* const meta = members ? members->if_contains("_meta") : nullptr;
    const json::string* const version =
        meta && meta->is_object() ? string_in(meta->get_object(), version_member) : nullptr;
    if (!version)
        return {};
    field_list fields{{"MCP-Protocol-Version", partyline::http::encode_field_value(*version)},
                      {"Mcp-Method", partyline::http::encode_field_value(method)}};
    for (const auto& [of, member] : {std::pair<std::string_view, std::string_view>{"tools/call", "name"},
                                     {"prompts/get", "name"},
                                     {"resources/read", "uri"},
                                     {"tasks/", "taskId"}}) {
        const bool is_it = of.ends_with('/') ? method.starts_with(of) : method == of;
        const json::string* const name = is_it ? string_in(*members, member) : nullptr;
        if (name)
            fields.emplace_back("Mcp-Name", partyline::http::encode_field_value(*name));
    }
    return fields;
}

partyline::rpc_error no_answer(const std::string& why)
{
    return {partyline::error_codes::internal_error, "The server did not answer", json::object{{"reason", why}}};
}

partyline::rpc_error error_in(const partyline::message& m)
{
    const json::value said = m.outcome.to_value();
    const json::object* const members = said.if_object();
    const json::value* const code = members ? members->if_contains("code") : nullptr;
    const json::value* const text = members ? members->if_contains("message") : nullptr;
    if (!code || !code->is_int64() || !text || !text->is_string())
        return no_answer("its error is none: " + partyline::printable(m.outcome.text(), 200));
    const json::value* const data = members->if_contains("data");
    return {static_cast<int>(code->get_int64()), std::string(text->get_string()),
            data ? std::optional<json::value>(*data) : std::nullopt};
}

} // namespace gateway
