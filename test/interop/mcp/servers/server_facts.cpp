#include "server_facts.hpp"

#include <functional>

namespace json = boost::json;

namespace partyline::test {
namespace {

server_facts sdk_facts(std::string name)
{
    server_facts facts;
    facts.name = std::move(name);
    facts.text = {"test_simple_text", {}, "This is a simple text response for testing."};
    facts.sum = {"sum", {}, "42"};
    facts.structured = {"sum", {{"a", 2}, {"b", 40}}};
    facts.result.sum = 42;
    facts.misfit = {"sum", {{"a", "x"}}, "a"};
    facts.failing = {"test_error_handling", {}, "This tool intentionally returns an error for testing"};
    facts.resource = "test://static-text";
    facts.resource_text = "This is the content of the static text resource.";
    facts.uri_template = "test://template/{id}/data";
    facts.template_uri = "test://template/alpha/data";
    facts.template_text = "Data for alpha";
    facts.prompt = "test_prompt_with_arguments";
    facts.prompt_arguments = {{"arg1", "one"}, {"arg2", "two"}};
    facts.prompt_text = "Prompt with arguments: arg1='one', arg2='two'";
    facts.completed = mcp::completion_target::resource(facts.uri_template);
    facts.completed_argument = "id";
    facts.begun = "al";
    facts.completions = {"alpha", "alpine"};
    facts.progress = {"test_tool_with_progress", {}, "done"};
    facts.slow = {"slow", {{"steps", 1000}, {"ms", 10}}};
    facts.log = {"test_tool_with_logging", {}, "Tool execution completed"};
    facts.elicit = {"test_elicitation", {{"message", "Who are you?"}}};
    facts.asked = "Who are you?";
    facts.accepted = "action=accept";
    facts.declined = "action=decline";
    facts.sample = {"test_sampling", {{"prompt", "sing"}}, "LLM response: <sing>"};
    facts.roots = {"list_roots"};
    facts.change = {"test_trigger_tool_change"};
    facts.touch = {"touch"};
    return facts;
}

server_facts python_facts(mcp::era era)
{
    server_facts facts = sdk_facts("python-server");
    const bool is_legacy = era == mcp::era::legacy;
    facts.unknown_tool.reset();                    // to this SDK that is a result with `isError`
    facts.unknown_prompt = is_legacy ? 0 : -32603; // it takes that for a fault of its own
    facts.has_log_levels = !is_legacy;             // it logs without being asked, and does not know logging/setLevel
    facts.has_subscriptions = !is_legacy;          // it says that it has none
    return facts;
}

server_facts go_facts(mcp::era era)
{
    server_facts facts = sdk_facts("go-server");
    facts.pages = 3; // of four tools each
    // To this SDK the end of any subscriptions/listen is that of the one for lists, too.
    facts.keeps_telling_of_lists = era == mcp::era::legacy;
    facts.refuses_methods_by_status = era == mcp::era::legacy;
    return facts;
}

// @modelcontextprotocol/server-everything, which knows the handshake alone.
server_facts everything_facts(mcp::era)
{
    server_facts facts;
    facts.name = "mcp-servers/everything";
    facts.newest = mcp::newest_legacy;
    facts.text = {"echo", {{"message", "hello"}}, "Echo: hello"};
    facts.sum = {"get-sum", {}, "The sum of 2 and 40 is 42."};
    facts.structured = {"get-structured-content", {{"location", "New York"}}};
    facts.result.temperature = 33;
    facts.result.conditions = "Cloudy";
    facts.misfit = {"get-sum", {{"a", "x"}}, "expected number"};
    facts.failing = {"get-resource-reference", {{"resourceType", "Text"}, {"resourceId", -1}}, "Invalid resourceId"};
    facts.unknown_tool.reset(); // to its SDK, version 1, that is a result with `isError`
    facts.resource = "demo://resource/static/document/architecture.md";
    facts.resource_text = "# Everything Server";
    facts.uri_template = "demo://resource/dynamic/text/{resourceId}";
    facts.template_uri = "demo://resource/dynamic/text/7";
    facts.template_text = "Resource 7:";
    facts.prompt = "args-prompt";
    facts.prompt_arguments = {{"city", "Rome"}, {"state", "Lazio"}};
    facts.prompt_text = "What's weather in Rome, Lazio?";
    facts.completed = mcp::completion_target::prompt("completable-prompt");
    facts.completed_argument = "department";
    facts.begun = "S";
    facts.completions = {"Sales", "Support"};
    facts.progress = {"trigger-long-running-operation", {{"duration", 0.06}, {"steps", 3}}, "Steps: 3"};
    facts.slow = {"trigger-long-running-operation", {{"duration", 10}, {"steps", 1000}}};
    facts.log = {.tool = "toggle-simulated-logging", .text = "level", .is_toggle = true};
    facts.elicit = {"trigger-elicitation-request"};
    facts.asked = "Please provide inputs for the following fields:";
    facts.accepted = "User provided the requested information";
    facts.declined = "User declined to provide the requested information";
    facts.sample = {"trigger-sampling-request", {{"prompt", "sing"}}, "context: sing>"};
    facts.roots = {"get-roots-list"};
    facts.touch = {.tool = "toggle-subscriber-updates", .is_toggle = true};
    return facts;
}

} // namespace

server_facts facts_of(std::string_view server, mcp::era era)
{
    static const std::map<std::string_view, std::function<server_facts(mcp::era)>> known{
        {"everything", &everything_facts},
        {"node", [](mcp::era) { return sdk_facts("sdk-server"); }},
        {"python", &python_facts},
        {"go", &go_facts},
    };
    return known.at(server)(era);
}

} // namespace partyline::test
