// How the example language server ends, and its command line.

#include "language_client.hpp"
#include "support/server_process.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace json = boost::json;
using namespace partyline::test;

namespace {

const std::string program = PARTYLINE_PLAIN_TEXT_SERVER;

} // namespace

BOOST_AUTO_TEST_SUITE(server_end, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(exit_after_shutdown_is_0)
{
    language_client editor;
    editor.initialize();
    editor.open("file:///x", "the the");
    BOOST_TEST(editor.end() == 0);
    BOOST_TEST(editor.server().last_stderr_lines() == "");
}

BOOST_AUTO_TEST_CASE(exit_without_shutdown_is_1)
{
    language_client before;
    before.notify("exit");
    BOOST_TEST(before.wait_exit() == 1);

    language_client after;
    after.initialize();
    after.notify("exit");
    BOOST_TEST(after.wait_exit() == 1);
}

BOOST_AUTO_TEST_CASE(nothing_is_served_outside_the_life_of_a_server)
{
    language_client editor;
    editor.open("file:///x", "lost");
    BOOST_TEST(editor.error_of(editor.ask_hover("file:///x", 0, 0)).code == -32002);
    editor.initialize();
    BOOST_TEST(editor.error_of(editor.ask_hover("file:///x", 0, 0)).code == -32803); // not open
    BOOST_TEST(editor.error_of(editor.start("initialize", json::object())).code == -32600);
    BOOST_TEST(editor.error_of(editor.start("textDocument/rename", json::object())).code == -32601);
    BOOST_TEST(editor.result_of(editor.start("shutdown")).is_null());
    BOOST_TEST(editor.error_of(editor.ask_symbols("file:///x")).code == -32600);
    editor.notify("exit");
    BOOST_TEST(editor.wait_exit() == 0);
}

BOOST_AUTO_TEST_CASE(it_ends_with_the_process_that_process_id_names)
{
    language_client editor;
    partyline::child_process named(editor.context.get_executor(), {"cat"});
    editor.initialize({{"processId", named.report()->pid()}});
    editor.open("file:///x", "x");
    BOOST_TEST(editor.findings("file:///x", 1).empty());
    named.kill();
    BOOST_TEST(editor.wait_exit() == 3);
}

BOOST_AUTO_TEST_CASE(what_is_no_process_is_no_reason_to_end)
{
    for (const json::value& id : json::array{nullptr, 0, -5}) {
        language_client editor;
        editor.initialize({{"processId", id}});
        editor.open("file:///x", "x");
        BOOST_TEST(editor.findings("file:///x", 1).empty());
        BOOST_TEST(editor.end() == 0, id);
    }
}

BOOST_AUTO_TEST_CASE(the_end_of_input_is_0)
{
    language_client editor;
    editor.initialize();
    editor.talk().close();
    BOOST_TEST(editor.wait_exit() == 0);
}

BOOST_AUTO_TEST_CASE(the_command_line_is_that_of_a_language_server)
{
    server_process help(program, {"--help"});
    const std::string text = help.output().read_rest();
    BOOST_TEST(text.find("Usage: plain-text-server") != std::string::npos);
    for (const char* const code : {" 0 ", " 1 ", " 2 ", " 3 ", " 4 ", "128 + N"})
        BOOST_TEST(text.find(code, text.find("Exit codes:")) != std::string::npos, code);
    BOOST_TEST(help.wait_exit() == 0);

    server_process version(program, {"--stdio", "--version"});
    BOOST_TEST(version.output().read_rest().starts_with("plain-text-server "));
    BOOST_TEST(version.wait_exit() == 0);

    for (const char* wrong : {"--port", "", "-h", "file.txt"}) {
        server_process refused(program, {"--stdio", wrong});
        BOOST_TEST(refused.output().read_rest() == "");
        BOOST_TEST(refused.wait_exit() == 2, wrong);
        const std::string errors = refused.errors();
        BOOST_TEST(errors.find("unexpected argument '" + std::string(wrong) + "'") != std::string::npos, errors);
    }
}

BOOST_AUTO_TEST_CASE(a_body_that_is_no_json_costs_nothing_but_itself)
{
    server_process editor(program, {"--stdio", "--clientProcessId=1"});
    const auto frame = [](const std::string& body) {
        return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    };
    editor.send_bytes(frame("{"));
    editor.send_bytes(frame(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}})"));
    editor.close_input();
    const std::string said = editor.output().read_rest();
    BOOST_TEST(said.find(R"("id":null,"error":{"code":-32700)") != std::string::npos, said);
    BOOST_TEST(said.find(R"("id":1,"result":{"capabilities")") != std::string::npos, said);
    BOOST_TEST(editor.wait_exit() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
