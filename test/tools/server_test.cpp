// The program partyline-tools, as a client of each era sees it.

#include "folders.hpp"
#include "support/process_state.hpp"
#include "support/server_process.hpp"
#include "support/text_search.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace json = boost::json;
using partyline::test::contains;
using partyline::test::server_process;

namespace {

struct tools_server : tools::test::folders {
    server_process server{PARTYLINE_TOOLS, {"--root", root.string(), "--allow-command", "sh"}};

    std::string ask(std::string_view method, std::string_view members)
    {
        server.send(std::string(R"({"jsonrpc":"2.0","id":1,"method":")") + std::string(method) + R"(","params":{)" +
                    std::string(members) +
                    R"(,"_meta":{"progressToken":"p","io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                    R"("io.modelcontextprotocol/clientCapabilities":{}}}})");
        return server.read_line();
    }
    std::string call(std::string_view tool, std::string_view arguments)
    {
        std::string line =
            ask("tools/call", R"("name":")" + std::string(tool) + R"(","arguments":)" + std::string(arguments));
        while (contains(line, "notifications/progress")) {
            ++progress;
            line = server.read_line();
        }
        return line;
    }
    json::value result(std::string_view tool, std::string_view arguments)
    {
        const std::string line = call(tool, arguments);
        const json::value reply = json::parse(line);
        BOOST_REQUIRE_MESSAGE(reply.as_object().contains("result"), line);
        const json::object& made = reply.at("result").as_object();
        BOOST_REQUIRE_MESSAGE(made.contains("structuredContent"), line);
        return made.at("structuredContent");
    }

    int progress = 0;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(tools_server_program, tools_server, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(all_tools_are_listed_with_texts_and_schemas)
{
    const std::string listed = ask("tools/list", R"("x":0)");
    for (const char* name : {"search_files", "read_lines", "hash_files", "run_command", "wait"})
        BOOST_TEST(contains(listed, std::string("\"name\":\"") + name + '"'), listed);
    BOOST_TEST(contains(listed, "It can be one of: sh."));
    const json::value reply = json::parse(listed);
    for (const json::value& tool : reply.at("result").at("tools").as_array()) {
        BOOST_TEST(!tool.at("description").as_string().empty());
        BOOST_TEST(tool.as_object().contains("outputSchema"));
    }
}

BOOST_AUTO_TEST_CASE(each_tool_does_what_it_says)
{
    const json::value found = result("search_files", R"({"pattern":"deep"})");
    BOOST_TEST(json::serialize(found.at("matches")) == R"([{"file":"deep/b.txt","line":1,"text":"deep within"}])");
    BOOST_TEST(result("read_lines", R"({"file":"a.txt"})").at("text").as_string() == "within\n");
    const json::value hashed = result("hash_files", R"({"files":["a.txt"]})");
    BOOST_TEST(hashed.at("hashes").at(0).at("sha256").as_string() ==
               "5e245225711a8038fcd71f455b96f077cd8f2a8c1b77492759650ba75620d0fa");
    const json::value ran =
        result("run_command", R"({"command":"sh","arguments":["-c","echo out; echo err >&2; exit 3"]})");
    BOOST_TEST(ran.at("output").as_string() == "out\nerr\n");
    BOOST_TEST(ran.at("exit_code").as_int64() == 3);
    BOOST_TEST(progress > 0);
    BOOST_TEST(result("wait", R"({"seconds":0.01})").at("seconds").to_number<double>() >= 0.01);
}

BOOST_AUTO_TEST_CASE(a_client_that_begins_with_a_handshake_is_served_too)
{
    server.send(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",)"
                R"("capabilities":{},"clientInfo":{"name":"test","version":"1"}}})");
    const json::value greeted = json::parse(server.read_line());
    BOOST_TEST((greeted.at("result").at("protocolVersion") == "2025-06-18"));
    BOOST_TEST((greeted.at("result").at("serverInfo").at("name") == "partyline-tools"));
    server.send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    server.send(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_lines",)"
                R"("arguments":{"file":"a.txt"}}})");
    const json::value reply = json::parse(server.read_line());
    BOOST_TEST((reply.at("result").at("structuredContent").at("text") == "within\n"));
    server.close_input();
    server.expect_end(0);
}

BOOST_AUTO_TEST_CASE(nothing_outside_of_the_roots_is_reached)
{
    link("../outside/secret.txt", "link");
    for (const std::string& file : {std::string("../outside/secret.txt"), std::string("link"),
                                    (outside / "secret.txt").string(), std::string("/etc/passwd")}) {
        const std::string refused = call("read_lines", R"({"file":")" + file + "\"}");
        BOOST_TEST(contains(refused, "\"isError\":true"), refused);
        BOOST_TEST(!contains(refused, "\"secret"), refused);
        const std::string read = ask("resources/read", R"("uri":"file://)" + file + '"');
        BOOST_TEST(contains(read, "\"error\""), read);
    }
    BOOST_TEST(contains(ask("resources/read", R"("uri":"file://)" + (root / "a.txt").string() + '"'), "within\\n"));
    BOOST_TEST(contains(ask("resources/read", R"("uri":"tools://files")"), "deep/b.txt"));
    BOOST_TEST(contains(call("run_command", R"({"command":"cat"})"), "\"isError\":true"));
}

BOOST_AUTO_TEST_CASE(a_cancel_ends_a_command_and_all_that_it_has_started)
{
    server.send(
        R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"run_command","arguments":{"command":"sh",)"
        R"("arguments":["-c","sleep 1000 & echo $!; wait"]},"_meta":{"progressToken":"p",)"
        R"("io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})");
    const json::value told = json::parse(server.read_line());
    const int grandchild = std::stoi(std::string(told.at("params").at("message").as_string()));
    BOOST_TEST(partyline::test::is_running(grandchild));
    server.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})");
    server.close_input();
    server.expect_end(0);
    BOOST_TEST(partyline::test::is_gone_soon(grandchild));
}

BOOST_AUTO_TEST_CASE(a_prompt_says_what_to_do_with_a_file)
{
    const std::string said = ask("prompts/get", R"("name":"review","arguments":{"file":"a.txt","focus":"names"})");
    BOOST_TEST(contains(said, "Read the file a.txt"), said);
    BOOST_TEST(contains(said, "above all: names."), said);
}

BOOST_AUTO_TEST_SUITE_END()
