#include "mcp_request.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/exception_text.hpp>
#include <partyline/protocol/limits.hpp>
#include <partyline/protocol/message.hpp>
#include <partyline/protocol/printable.hpp>
#include <partyline/protocol/writer.hpp>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <stdexcept>
#include <string>
#include <string_view>

namespace call {
namespace {

using named = mcp_options::named;
using partyline::byte_buffer;
using partyline::json_text;

std::string_view kind_of(named what)
{
    switch (what) {
    case named::tool: return "a tool";
    case named::prompt: return "a prompt";
    default: return "a method of MCP";
    }
}

bool is_object(const json_text& params)
{
    const std::string_view text = params.text();
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != text.npos && text[first] == '{';
}

void check_params(named what, const json_text& params)
{
    if (params.empty())
        return;
    if (what == named::resource)
        throw std::invalid_argument("a resource takes no params besides its URI");
    if (!is_object(params))
        throw std::invalid_argument("the params of " + std::string(kind_of(what)) +
                                    " have names: name=value ..., or a JSON object");
}

json_text params_with(std::string_view name, const std::string& value, std::string_view arguments)
{
    byte_buffer written;
    write_string(written, value);
    std::string text = "{\"" + std::string(name) + "\":" + std::string(written.view());
    if (!arguments.empty())
        text.append(",\"arguments\":").append(arguments);
    return json_text(text + '}');
}

} // namespace

// Numbers as they were written: 1.10 is no 1.1.
json_text prompt_arguments(const json_text& given)
try {
    if (given.empty())
        return {};
    const std::string text = given.text().substr(given.text().find('{'));
    partyline::message_reader reader{partyline::limits()};
    const boost::json::value values = given.to_value();
    byte_buffer out;
    for (const auto& [name, value] : values.as_object()) {
        const auto written = reader.find_member(partyline::json_view::checked(text), name);
        out.push_back(out.empty() ? '{' : ',');
        write_string(out, name);
        out.push_back(':');
        write_string(out, value.is_string() ? std::string_view(value.get_string()) : written.text());
    }
    out.append(out.empty() ? "{}" : "}");
    return json_text(std::string(out.view()));
} catch (const std::exception& e) {
    throw std::invalid_argument("the arguments can't be read: " + partyline::printable(partyline::exception_text(e)));
}

request protocol_request(named what, const request& call)
{
    check_params(what, call.params);
    switch (what) {
    case named::tool:
        return {"tools/call", params_with("name", call.method, call.params.empty() ? "{}" : call.params.text()),
                call.label};
    case named::prompt:
        return {"prompts/get", params_with("name", call.method, prompt_arguments(call.params).text()), call.label};
    case named::resource: return {"resources/read", params_with("uri", call.method, {}), call.label};
    default: return call;
    }
}

} // namespace call
