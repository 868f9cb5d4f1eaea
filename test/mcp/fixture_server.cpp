#include "mcp/fixture_server.hpp"

#include "mcp/testing/message_schemas.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <utility>

namespace json = boost::json;

namespace partyline::test {
namespace {

std::string line_of(std::string_view id, std::string_view method, const json::object& params)
{
    return R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":")" + std::string(method) + R"(","params":)" +
           json::serialize(params) + '}';
}

std::string place(const std::source_location& at)
{
    return std::string(at.file_name()) + ":" + std::to_string(at.line());
}

std::string id_of(const json::object& message)
{
    const json::value* const id = message.if_contains("id");
    return id ? json::serialize(*id) : std::string();
}

} // namespace

fixture_server::fixture_server(std::vector<std::string> options)
    : server_process(PARTYLINE_MCP_FIXTURE, std::move(options))
{
}

fixture_server::fixture_server(mcp::revision r, std::vector<std::string> options) : fixture_server(std::move(options))
{
    if (era_of(r) == mcp::era::legacy)
        greet(r);
}

void fixture_server::greet(mcp::revision r)
{
    const json::object params{{"protocolVersion", json::string(to_string(r))},
                              {"capabilities", capabilities},
                              {"clientInfo", json::object{{"name", "test"}, {"version", "1"}}}};
    session_ = r;
    send_raw("\"greeting\"", r, "initialize", line_of("\"greeting\"", "initialize", params));
    const json::object result = read_result("\"greeting\"");
    BOOST_TEST(result.at("protocolVersion").as_string() == to_string(r));
    send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
}

json::object fixture_server::with_meta(json::object params, mcp::revision r)
{
    json::object& meta = params["_meta"].is_object() ? params["_meta"].get_object() : params["_meta"].emplace_object();
    if (const json::value* const token = meta.if_contains("progressToken"))
        tokens_[json::serialize(*token)] = r;
    if (era_of(r) == mcp::era::modern) {
        meta["io.modelcontextprotocol/protocolVersion"] = to_string(r);
        meta["io.modelcontextprotocol/clientCapabilities"] = capabilities;
        meta["io.modelcontextprotocol/clientInfo"] = json::object{{"name", "test"}, {"version", "1"}};
        for (const auto& [name, value] : more_meta)
            meta[name] = value;
    }
    if (meta.empty())
        params.erase("_meta");
    return params;
}

void fixture_server::request(std::string_view id, mcp::revision r, std::string_view method, std::string_view params)
{
    const json::object whole = with_meta(json::parse(params).as_object(), r);
    send_raw(id, r, method, line_of(id, method, whole));
}

void fixture_server::call(std::string_view id, mcp::revision r, std::string_view tool, std::string_view arguments)
{
    request(id, r, "tools/call", call_params(tool, arguments));
}

void fixture_server::send_raw(std::string_view id, mcp::revision r, std::string_view method, std::string_view line)
{
    note_request(id, r, method);
    send(line);
}

void fixture_server::note_request(std::string_view id, mcp::revision r, std::string_view method)
{
    open_[std::string(id)] = {r, std::string(method)};
}

void fixture_server::cancel(std::string_view id)
{
    open_.erase(std::string(id));
    send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + std::string(id) + "}}");
}

void fixture_server::answer(const json::object& asked, std::string_view result)
{
    send(R"({"jsonrpc":"2.0","id":)" + json::serialize(asked.at("id")) + R"(,"result":)" + std::string(result) + '}');
}

json::object fixture_server::read(here at)
{
    return checked(json::parse(read_line()).as_object(), at);
}

json::array fixture_server::read_batch(here at)
{
    json::array all = json::parse(read_line()).as_array();
    for (const json::value& one : all)
        checked(one.as_object(), at);
    return all;
}

mcp::revision fixture_server::revision_of(const json::object& message, const open_request& asked) const
{
    const json::value* const params = message.if_contains("params");
    if (!message.contains("method") || !params || !params->is_object())
        return message.contains("method") ? session_ : asked.r;
    if (const json::value* const token = params->get_object().if_contains("progressToken"))
        return tokens_.at(json::serialize(*token));
    const json::value* const meta = params->get_object().if_contains("_meta");
    return meta && meta->get_object().contains("io.modelcontextprotocol/subscriptionId") ? modern : session_;
}

json::object fixture_server::checked(json::object message, here at)
{
    open_request asked{session_, {}};
    if (const std::string id = id_of(message); !message.contains("method") && !id.empty()) {
        BOOST_TEST(open_.contains(id), "an answer that nobody waits for: " << json::serialize(message));
        if (const auto found = open_.extract(id))
            asked = found.mapped();
    }
    const std::string wrong =
        mcp::schema_problem(message, revision_of(message, asked), mcp::message_sender::server, asked.method);
    BOOST_TEST(wrong.empty(), place(at) << ": " << wrong << ": " << json::serialize(message));
    return message;
}

std::vector<json::object> fixture_server::read_until(std::string_view id, here at)
{
    std::vector<json::object> all;
    do
        all.push_back(read(at));
    while (all.back().contains("method") || id_of(all.back()) != id);
    return all;
}

json::object fixture_server::read_answer(std::string_view id, here at)
{
    json::object message = read(at);
    BOOST_TEST((!message.contains("method") && id_of(message) == id),
               place(at) << ": expected the answer to " << id << ", got " << json::serialize(message));
    return message;
}

json::object fixture_server::read_result(std::string_view id, here at)
{
    const json::object message = read_answer(id, at);
    BOOST_TEST_REQUIRE(message.contains("result"), place(at) << ": " << json::serialize(message));
    return message.at("result").as_object();
}

json::object fixture_server::read_error(std::string_view id, int code, here at)
{
    const json::object message = read_answer(id, at);
    BOOST_TEST_REQUIRE(message.contains("error"), place(at) << ": " << json::serialize(message));
    const json::object& error = message.at("error").as_object();
    BOOST_TEST(error.at("code").as_int64() == code, place(at) << ": " << json::serialize(message));
    return error;
}

void fixture_server::expect_quiet(here at)
{
    const std::string id = "\"probe " + std::to_string(++probes_) + '"';
    request(id, modern, "server/discover");
    read_result(id, at);
}

void fixture_server::finish(int exit_code, here at)
{
    close_input();
    expect_end(exit_code, at);
}

std::string text_of(const json::object& result)
{
    std::string all;
    for (const json::value& block : result.at("content").as_array())
        if (block.at("type") == "text")
            all += (all.empty() ? "" : "\n") + std::string(block.at("text").as_string());
    return all;
}

bool is_tool_error(const json::object& result)
{
    const json::value* const told = result.if_contains("isError");
    return told && *told == true;
}

std::string call_params(std::string_view tool, std::string_view arguments)
{
    return R"({"name":")" + std::string(tool) + R"(","arguments":)" + std::string(arguments) + '}';
}

} // namespace partyline::test
