#include "mcp_server.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <chrono>
#include <utility>

namespace json = boost::json;

namespace partyline::test {
namespace {

// Longer than a string that needs no memory, as the ids of many clients are.
std::string id_text(int id)
{
    return "\"5f0c6a1e-8d4b-4c57-9a1f-0000000" + std::to_string(id) + '"';
}

std::string line(const std::string& members)
{
    return R"({"jsonrpc":"2.0",)" + members + "}\n";
}

std::string request(int id, const std::string& method, const std::string& params)
{
    return line("\"id\":" + id_text(id) + ",\"method\":\"" + method + "\",\"params\":" + params);
}

std::string notification(const std::string& method, const std::string& params = "{}")
{
    return line("\"method\":\"" + method + "\",\"params\":" + params);
}

std::string cancel(int id)
{
    return notification("notifications/cancelled", "{\"requestId\":" + id_text(id) + ",\"reason\":\"so\"}");
}

std::string reply(int id, const std::string& result)
{
    return line("\"id\":" + std::to_string(id) + ",\"result\":" + result);
}

std::string handshake(int id = 10)
{
    return request(id, "initialize",
                   R"({"protocolVersion":"2025-11-25","capabilities":{"elicitation":{},"roots":{}},)"
                   R"("clientInfo":{"name":"a client whose name needs memory","version":"1"}})");
}

std::string initialized()
{
    return notification("notifications/initialized");
}

// The params of a request of the modern era; `members` end with a comma, if there are any.
std::string modern(const std::string& members = "")
{
    return '{' + members +
           R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
           R"("io.modelcontextprotocol/clientInfo":{"name":"a client whose name needs memory","version":"1"},)"
           R"("io.modelcontextprotocol/clientCapabilities":{"elicitation":{}},)"
           R"("io.modelcontextprotocol/logLevel":"debug","progressToken":"a token that needs memory"}})";
}

std::string tool(const std::string& name, const std::string& arguments = R"({"text":"a text that needs memory"})")
{
    return "\"name\":\"" + name + "\",\"arguments\":" + arguments;
}

std::string legacy_call(int id, const std::string& what)
{
    return request(id, "tools/call", '{' + what + R"(,"_meta":{"progressToken":"a token that needs memory"}})");
}

std::string modern_call(int id, const std::string& what)
{
    return request(id, "tools/call", modern(what + ','));
}

script made(std::string name, std::vector<std::string> input)
{
    script of{std::move(name), std::move(input)};
    of.serve = serve_mcp;
    return of;
}

script legacy()
{
    return made("a legacy client", {handshake(), initialized() + request(11, "tools/list", "{}"),
                                    legacy_call(12, tool("report")) + legacy_call(13, tool("fail")),
                                    legacy_call(14, tool("offloaded")) + legacy_call(15, tool("hop")),
                                    legacy_call(16, tool("wait", "{}")) + legacy_call(17, tool("drop", "{}")),
                                    cancel(16) + cancel(17), legacy_call(18, tool("late", "{}"))});
}

script legacy_asking()
{
    const std::string yes = R"({"action":"accept","content":{"sure":true}})";
    const std::string roots = R"({"roots":[{"uri":"file:///a/path/that/needs/memory","name":"so"}]})";
    return made("a legacy client that is asked",
                {handshake() + initialized(), legacy_call(12, tool("ask")), reply(1, yes),
                 legacy_call(13, tool("ask_twice")), reply(2, yes), reply(3, roots),
                 legacy_call(14, tool("ask")) + legacy_call(15, tool("ask_twice")), cancel(15)});
}

script legacy_changes()
{
    return made("a legacy client that is told of changes",
                {handshake() + initialized(), request(11, "resources/subscribe", R"({"uri":"notes://all"})"),
                 legacy_call(12, tool("change", "{}")), legacy_call(13, tool("added", "{}")),
                 legacy_call(14, tool("update", "{}")) + legacy_call(15, tool("change", "{}")),
                 request(16, "resources/unsubscribe", R"({"uri":"notes://all"})"),
                 legacy_call(17, tool("update", "{}"))});
}

script late_reader()
{
    script of = made("a client that reads late is told of changes",
                     {handshake() + initialized(), request(11, "resources/subscribe", R"({"uri":"notes://all"})"),
                      legacy_call(12, tool("change", "{}")), legacy_call(13, tool("change", "{}")),
                      legacy_call(14, tool("update", "{}")), legacy_call(15, tool("update", "{}"))});
    of.reads_late = true;
    of.prepare = [](session_options& options) { // a session that fails has that time for what nobody reads
        options.cancel_grace = std::chrono::milliseconds(10);
    };
    return of;
}

script errors()
{
    return made("a legacy client that errs",
                {request(11, "tools/list", "{}") + request(12, "initialize", "{}"), handshake() + initialized(),
                 legacy_call(13, tool("hop", R"({"text":5,"other":[]})")) + legacy_call(14, tool("no\\u0062ody")) +
                     legacy_call(15, tool("checked", R"({"n":10})")) + legacy_call(16, tool("checked", R"({"n":9})")),
                 request(17, "resources/read", R"({"uri":"notes://nothing of this long name"})") +
                     request(18, "prompts/get", R"({"name":"nothing of this long name"})") +
                     request(19, "tools/list", R"({"cursor":"that nobody has given"})"),
                 request(20, "completion/complete", "{}") + request(21, "server/discover", "{}") +
                     request(22, "logging/setLevel", R"({"level":"loud"})") + handshake(23)});
}

script modern_session()
{
    return made("a modern client",
                {request(11, "server/discover", modern()) + request(12, "tools/list", modern()),
                 modern_call(13, tool("report")) + modern_call(14, tool("hop")) + modern_call(15, tool("offloaded")),
                 modern_call(16, tool("drop", "{}")) + modern_call(17, tool("fail")), cancel(16),
                 request(18, "ping", modern()) + modern_call(19, tool("hop", "{}"))});
}

script modern_changes()
{
    const std::string wishes = R"("notifications":{"toolsListChanged":true,"resourcesListChanged":true,)"
                               R"("resourceSubscriptions":["notes://all","notes://a name that needs memory"]},)";
    return made("a modern client that listens",
                {request(11, "subscriptions/listen", modern(wishes)), modern_call(12, tool("change", "{}")),
                 modern_call(13, tool("added", "{}")) + modern_call(14, tool("update", "{}")),
                 request(15, "subscriptions/listen", modern(wishes)) + cancel(11),
                 modern_call(16, tool("update", "{}")) + modern_call(17, tool("change", "{}"))});
}

// What a server has asked, by its answer to the last request.
std::string state_in(const std::string& output)
{
    const json::value answer = json::parse(output);
    return json::serialize(answer.at("result").at("requestState"));
}

script modern_asking()
{
    const std::string first = modern_call(11, tool("ask"));
    const std::string state = state_in(perform(made("a question", {first}), {}).output);
    const std::string answers = R"(,"inputResponses":{"sure":{"action":"accept","content":{"sure":true}}},)";
    const std::string unfit = R"(,"inputResponses":{"sure":{"action":"accept","content":{"sure":5}}},)";
    const std::string with_state = "\"requestState\":" + state;
    const auto retry = [&](int id, const std::string& brought) {
        return modern_call(id, tool("ask") + brought + with_state);
    };
    return made("a modern client that is asked",
                {first, retry(12, answers), retry(13, unfit), retry(14, ","),
                 modern_call(15, tool("ask", R"({"text":"another that needs memory"})") + answers + with_state)});
}

script reading()
{
    return made(
        "resources and prompts",
        {handshake() + initialized(),
         request(11, "resources/list", "{}") + request(12, "resources/templates/list", "{}") +
             request(13, "prompts/list", "{}"),
         request(14, "resources/read", R"({"uri":"notes:\/\/all"})") +
             request(15, "resources/read", R"({"uri":"notes://of/2026-11-2%34"})") +
             request(16, "resources/read", modern(R"("uri":"notes://of/2026-11-24",)")),
         request(17, "prompts/get", R"({"name":"review","arguments":{"code":"int main() { return 1; }"}})") +
             request(18, "completion/complete",
                     R"({"ref":{"type":"ref/prompt","name":"review"},"argument":{"name":"code","value":"2026"}})"),
         request(19, "completion/complete",
                 modern(R"("ref":{"type":"ref/resource","uri":"notes://of/{date}"},)"
                        R"("argument":{"name":"date","value":"2026"},)"))});
}

// The params of a client that has declared the extension.
std::string declared(const std::string& members)
{
    std::string all = modern(members);
    const std::string able = R"("elicitation":{})";
    return all.replace(all.find(able), able.size(), able + R"(,"extensions":{"com.example/jobs":{"a":[1]}})");
}

script extended()
{
    const std::string declaring = declared(R"("text":"a text that needs memory",)");
    return made("a client of an extension",
                {request(11, "server/discover", modern()) + request(12, "jobs/list", modern()),
                 request(13, "jobs/list", declaring) + request(14, "jobs/wait", declaring) +
                     request(15, "jobs/wait", R"({"text":5})"),
                 modern_call(16, tool("passed")) + notification("notifications/jobs/seen"),
                 handshake(17) + initialized() + request(18, "jobs/list", "{}"), legacy_call(19, tool("passed"))});
}

script topics()
{
    const std::string wishes = R"("notifications":{"jobsChanged":true,"toolsListChanged":true,)"
                               R"("jobIds":["a job with a name that needs memory","another job",)"
                               R"("somebody else's job"]},)";
    const std::string nothing = declared("");
    return made("a client of an extension that listens",
                {request(11, "subscriptions/listen", declared(wishes)),
                 request(12, "jobs/change", nothing) + request(13, "jobs/change", nothing),
                 request(14, "subscriptions/listen", declared(wishes)) + cancel(11),
                 request(15, "jobs/change", nothing),
                 request(16, "subscriptions/listen", declared(R"("notifications":{"jobIds":[7]},)"))});
}

} // namespace

const std::vector<script>& scripts()
{
    static const std::vector<script> all{legacy(),      errors(),         legacy_asking(),  legacy_changes(),
                                         late_reader(), modern_session(), modern_changes(), modern_asking(),
                                         reading(),     extended(),       topics()};
    return all;
}

} // namespace partyline::test
