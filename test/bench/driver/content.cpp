#include "content.hpp"

#include "bench/servers/work.hpp"
#include "reply_check.hpp"

#include <boost/json/object.hpp>

#include <utility>

namespace json = boost::json;

namespace bench {
namespace {

constexpr std::size_t short_text = 16;

constexpr std::string_view meta = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                                  R"("io.modelcontextprotocol/clientInfo":{"name":"partyline-bench","version":"1.0"},)"
                                  R"("io.modelcontextprotocol/clientCapabilities":{}})";

void append_string(random_source& random, std::string& out, std::size_t bytes)
{
    out.push_back('"');
    random.append_text(out, bytes);
    out.push_back('"');
}

} // namespace

content text_of(std::size_t bytes)
{
    return [bytes](random_source& random, std::string& params, std::string&) {
        params += "{\"text\":";
        append_string(random, params, bytes);
        params += "}";
    };
}

content two_numbers()
{
    return [](random_source& random, std::string& params, std::string& result) {
        const std::uint64_t a = random.below(1000000);
        const std::uint64_t b = random.below(1000000);
        params += "{\"a\":" + std::to_string(a) + ",\"b\":" + std::to_string(b) + "}";
        result += std::to_string(a + b);
    };
}

content description()
{
    return [](random_source& random, std::string& params, std::string&) {
        params += "{\"name\":";
        append_string(random, params, short_text);
        params += ",\"tags\":[";
        append_string(random, params, 4);
        params += ",";
        append_string(random, params, 8);
        params += "],\"size\":{\"w\":" + std::to_string(random.below(10000)) +
                  ",\"h\":" + std::to_string(random.below(10000)) + "}}";
    };
}

content delay_of(std::chrono::milliseconds time)
{
    return [time](random_source& random, std::string& params, std::string&) {
        params += "{\"ms\":" + std::to_string(time.count()) + ",\"text\":";
        append_string(random, params, short_text);
        params += "}";
    };
}

content fixed(std::string params, std::string result)
{
    return [params = std::move(params), result = std::move(result)](random_source&, std::string& to,
                                                                    std::string& expected) {
        to += params;
        expected += result;
    };
}

content notifications_of(std::size_t count)
{
    return fixed("{\"count\":" + std::to_string(count) + "}", "");
}

content tool_list(protocol spoken, std::size_t count)
{
    return fixed(spoken == protocol::mcp_stateless ? "{" + std::string(meta) + "}" : "{}", std::to_string(count));
}

content progress_of(std::size_t count)
{
    return [count](random_source& random, std::string& params, std::string& result) {
        params += "{\"count\":" + std::to_string(count) + ",\"workDoneToken\":";
        append_string(random, params, short_text);
        params += "}";
        result += "{\"count\":" + std::to_string(count) + "}";
    };
}

content work_of(std::uint32_t rounds)
{
    return [rounds](random_source& random, std::string& params, std::string& result) {
        const auto seed = static_cast<std::uint32_t>(random.below(1000000));
        params += "{\"rounds\":" + std::to_string(rounds) + ",\"seed\":" + std::to_string(seed) + "}";
        result += "\"" + work(rounds, seed) + "\"";
    };
}

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

bool is_greeting(std::string_view reply)
{
    const json::object members = parse_object(reply);
    const json::value* const result = members.if_contains("result");
    const json::value* const id = members.if_contains("id");
    return id && *id == "first" && result && result->is_object() && result->get_object().contains("protocolVersion");
}

} // namespace bench
