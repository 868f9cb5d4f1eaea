#include "unit/mcp/server/mcp_dialogue.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

namespace json = boost::json;

namespace partyline::test {
namespace {

constexpr std::string_view info = R"("_meta":{"io.modelcontextprotocol/serverInfo":{"name":"unit","version":"1.0"}})";

std::string in_quotes(std::string_view text)
{
    return json::serialize(json::value(json::string(text)));
}

std::string joined(std::initializer_list<std::string_view> parts)
{
    std::string all;
    for (const std::string_view part : parts)
        all += part;
    return all;
}

} // namespace

void mcp_dialogue::begin()
{
    server.prepare(options);
    other_methods = server.methods();
    start();
}

void mcp_dialogue::greet(std::string_view revision, std::string_view capabilities)
{
    begin();
    send(request("0", "initialize",
                 joined({R"({"protocolVersion":")", revision, R"(","capabilities":)", capabilities,
                         R"(,"clientInfo":{"name":"test","version":"1"}})"})));
    const std::string reply = receive();
    BOOST_TEST(reply.find("\"protocolVersion\"") != reply.npos, reply);
    send(notification("notifications/initialized"));
    settle();
}

void mcp_dialogue::call(std::string_view id, std::string_view tool, std::string_view arguments, std::string_view meta)
{
    const std::string more = meta.empty() ? std::string() : joined({R"(,"_meta":)", meta});
    send(request(id, "tools/call", joined({R"({"name":)", in_quotes(tool), R"(,"arguments":)", arguments, more, "}"})));
}

void mcp_dialogue::call_modern(std::string_view id, std::string_view tool, std::string_view arguments,
                               std::string_view capabilities, std::string_view others)
{
    say_modern(id, "tools/call", joined({R"("name":)", in_quotes(tool), R"(,"arguments":)", arguments, others}),
               capabilities);
}

void mcp_dialogue::say_modern(std::string_view id, std::string_view method, std::string_view members,
                              std::string_view capabilities)
{
    const std::string_view comma = members.empty() ? "" : ",";
    send(request(id, method,
                 joined({"{", members, comma, R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)",
                         R"("io.modelcontextprotocol/clientCapabilities":)", capabilities, "}}"})));
}

std::string mcp_dialogue::answer_to(std::string_view line)
{
    send(line);
    return receive();
}

std::string mcp_dialogue::answer_modern(std::string_view method, std::string_view members,
                                        std::string_view capabilities)
{
    say_modern("1", method, members, capabilities);
    return receive();
}

std::string text_result(std::string_view id, std::string_view text)
{
    return result(id, joined({R"({"content":[{"type":"text","text":)", in_quotes(text), "}]}"}));
}

std::string text_failure(std::string_view id, std::string_view text)
{
    return result(id, joined({R"({"content":[{"type":"text","text":)", in_quotes(text), R"(}],"isError":true})"}));
}

std::string modern_text(std::string_view id, std::string_view text)
{
    return modern_result(id, joined({R"("content":[{"type":"text","text":)", in_quotes(text), "}]"}));
}

std::string modern_result(std::string_view id, std::string_view members)
{
    return result(id, joined({"{", members, R"(,"resultType":"complete",)", info, "}"}));
}

std::string result_member(std::string_view reply, std::string_view name)
{
    const json::value read = json::parse(reply);
    const json::value* const result = read.as_object().if_contains("result");
    BOOST_REQUIRE_MESSAGE(result, "no result: " << reply);
    const json::value* const found = result->as_object().if_contains(name);
    BOOST_REQUIRE_MESSAGE(found, "no member " << name << ": " << reply);
    return found->is_string() ? std::string(found->get_string()) : json::serialize(*found);
}

} // namespace partyline::test
