// The example language server as an editor sees it, over pipes.

#include "language_client.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace json = boost::json;
using namespace partyline::test;

namespace {

const std::string uri = "file:///text.txt";

using texts = std::vector<std::string>;

std::string hover_said(std::string_view word, std::string_view times, std::size_t length)
{
    return '"' + std::string(word) + "\" stands " + std::string(times) + " in this document.\nThis line is " +
           std::to_string(length) + " characters long.";
}

} // namespace

BOOST_AUTO_TEST_SUITE(server, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(initialize_tells_what_it_offers)
{
    language_client editor;
    const json::object told = editor.initialize();
    BOOST_TEST(told.at("serverInfo").at("name").as_string() == "plain-text-server");
    BOOST_TEST(told.at("capabilities").at("positionEncoding").as_string() == "utf-16");
    BOOST_TEST(told.at("capabilities").at("textDocumentSync").at("change").as_int64() == 2);
    BOOST_TEST(editor.end() == 0);
    BOOST_TEST(editor.server().last_stderr_lines() == "");
}

BOOST_AUTO_TEST_CASE(diagnostics_follow_the_text)
{
    language_client editor;
    editor.initialize({{"initializationOptions", {{"maxLineLength", 10}}}});
    editor.open(uri, "the\nthe cat\n\U0001F600 far too long\n");
    BOOST_TEST(editor.findings(uri, 1) == (texts{"1:0-1:3 repeated-word", "2:10-2:15 long-line"}));
    editor.change(uri, 2, {replacement(2, 2, 15, " short"), replacement(1, 0, 3, "a")});
    BOOST_TEST(editor.findings(uri, 2) == texts());
    editor.change(uri, 7, {replacement(1, 2, 5, "cat cat")});
    BOOST_TEST(editor.findings(uri, 7) == texts{"1:6-1:9 repeated-word"});
    editor.close(uri);
    editor.wait_published(4);
    BOOST_TEST(editor.published_versions(uri) == (std::vector<std::int64_t>{1, 2, 7, 0}));
    BOOST_TEST(editor.heard.back().params.at("diagnostics").as_array().empty());
    BOOST_TEST(editor.end() == 0);
}

BOOST_AUTO_TEST_CASE(hover_tells_of_the_word_and_its_line)
{
    language_client editor;
    editor.initialize();
    editor.open(uri, "Tea, tea.\r\nNo \U0001F600 caf\u00e9 tea\n");
    BOOST_TEST(hover_text(editor.result_of(editor.ask_hover(uri, 0, 6))) == hover_said("tea", "3 times", 9));
    const json::value hover = editor.result_of(editor.ask_hover(uri, 1, 7));
    BOOST_TEST(hover_text(hover) == hover_said("caf\u00e9", "once", 14));
    BOOST_TEST(hover.at("range") ==
               json::value({{"start", {{"line", 1}, {"character", 6}}}, {"end", {{"line", 1}, {"character", 10}}}}));
    BOOST_TEST(hover_text(editor.result_of(editor.ask_hover(uri, 2, 0))) == "null");
    BOOST_TEST(hover_text(editor.result_of(editor.ask_hover(uri, 4000000000, 4000000000))) == "null");
    BOOST_TEST(editor.error_of(editor.ask_hover("file:///other", 0, 0)).code == -32803);
    BOOST_TEST(editor.end() == 0);
}

BOOST_AUTO_TEST_CASE(symbols_come_as_the_client_knows_them)
{
    const std::string text = "Title\n=====\n\nbody\nbody\n\nAlone\n";
    language_client old;
    old.initialize();
    old.open(uri, text);
    const json::value information = old.result_of(old.ask_symbols(uri));
    BOOST_REQUIRE(information.as_array().size() == 2u);
    BOOST_TEST(information.at(1).at("name").as_string() == "Alone");
    BOOST_TEST(information.at(1).at("location").at("uri").as_string() == uri);

    language_client recent;
    recent.initialize(
        {{"capabilities", {{"textDocument", {{"documentSymbol", {{"hierarchicalDocumentSymbolSupport", true}}}}}}}});
    recent.open(uri, text);
    const json::value symbols = recent.result_of(recent.ask_symbols(uri));
    BOOST_REQUIRE(symbols.as_array().size() == 2u);
    BOOST_TEST(symbols.at(0).at("range").at("end").at("line").as_int64() == 5);
    BOOST_TEST(symbols.at(0).at("selectionRange").at("end").at("character").as_int64() == 5);
    BOOST_TEST(old.end() == 0);
    BOOST_TEST(recent.end() == 0);
}

BOOST_AUTO_TEST_CASE(tracing_tells_of_checks)
{
    language_client editor;
    editor.initialize({{"trace", "verbose"}});
    editor.open(uri, "the the", 3);
    editor.run_until([&] { return !editor.heard_of("$/logTrace").empty(); });
    BOOST_TEST(editor.heard_of("$/logTrace")[0] ==
               json::value({{"message", "checked version 3 of " + uri}, {"verbose", "1 findings"}}));
    BOOST_TEST(editor.end() == 0);
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_refused)
{
    for (const json::value& length : json::array{0, -1, "80", 1.5, json::array()}) {
        language_client editor;
        const json::value params{{"capabilities", json::object()},
                                 {"initializationOptions", {{"maxLineLength", length}}}};
        BOOST_TEST(editor.error_of(editor.start("initialize", params)).code == -32602, length);
        editor.initialize(); // it may try again
        BOOST_TEST(editor.error_of(editor.ask_hover("file:///x", 0, 0)).code == -32803);
        const json::value no_place{{"textDocument", {{"uri", uri}}}, {"position", {{"line", -1}, {"character", 0}}}};
        BOOST_TEST(editor.error_of(editor.start("textDocument/hover", no_place)).code == -32602);
        BOOST_TEST(editor.error_of(editor.start("textDocument/hover", json::array{1, 2})).code == -32602);
        BOOST_TEST(editor.end() == 0);
    }
}

BOOST_AUTO_TEST_CASE(a_version_that_is_not_newer_is_left_out_and_logged)
{
    language_client editor;
    editor.initialize();
    editor.open(uri, "one", 5);
    editor.change(uri, 5, {new_text("two")});
    editor.change("file:///other", 6, {new_text("two")});
    BOOST_TEST(hover_text(editor.result_of(editor.ask_hover(uri, 0, 0))) == hover_said("one", "once", 3));
    BOOST_TEST(editor.end() == 0);
    const std::string errors = editor.server().last_stderr_lines();
    BOOST_TEST(errors.find(uri + ": version 5 came after version 5") != std::string::npos, errors);
    BOOST_TEST(errors.find("file:///other: not open") != std::string::npos, errors);
}

BOOST_AUTO_TEST_SUITE_END()
