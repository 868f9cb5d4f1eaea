// What the example language server does while its user types faster than it works.

#include "language_client.hpp"

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/detached.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline::test;

namespace {

const std::string opened = "file:///text.txt";

// So many lines that a check of them takes many steps.
std::string long_text()
{
    std::string text;
    for (int i = 0; i < 100'000; ++i)
        text += "Some words for every line of it.\n";
    return text;
}

// Does not wait until it has gone.
void type(language_client& editor, std::int64_t version, json::object change)
{
    json::value params{{"textDocument", {{"uri", opened}, {"version", version}}},
                       {"contentChanges", json::array{std::move(change)}}};
    editor.talk().notify("textDocument/didChange", std::move(params))(asio::detached);
}

// Whatever is still being checked is through, or given up, when as long a text that came later is.
void wait_for_others(language_client& editor)
{
    editor.open("file:///other", long_text());
    editor.findings("file:///other", 1);
}

} // namespace

BOOST_AUTO_TEST_SUITE(server_burst, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_request_sees_the_version_that_was_current_when_it_came)
{
    constexpr int changes = 3000;
    language_client editor;
    editor.initialize();
    editor.open(opened, "x");
    std::vector<pending> asked;
    for (int i = 0; i < changes; ++i) {
        type(editor, 2 + i, replacement(0, 0, 0, "x")); // each makes the line one longer
        asked.push_back(editor.ask_hover(opened, 0, 0));
    }
    for (std::size_t i = 0; i < asked.size(); ++i) {
        const std::string said = hover_text(editor.result_of(asked[i]));
        const std::string expected = "This line is " + std::to_string(i + 2) + " characters long.";
        BOOST_TEST_REQUIRE(said.ends_with(expected), said << "\nexpected: " << expected);
    }
    BOOST_TEST(editor.findings(opened, 1 + changes).size() == 1u);
    BOOST_TEST(editor.end() == 0);
}

BOOST_AUTO_TEST_CASE(diagnostics_never_go_back_to_an_older_version)
{
    constexpr std::int64_t last = 300;
    language_client editor;
    editor.initialize();
    const std::string slow = long_text().substr(0, 200'000);
    editor.open(opened, slow);
    for (std::int64_t version = 2; version <= last; ++version)
        type(editor, version, new_text(version % 10 == 5 ? slow : "the the"));
    editor.findings(opened, last);
    wait_for_others(editor);

    const std::vector<std::int64_t> versions = editor.published_versions(opened);
    BOOST_TEST(std::ranges::is_sorted(versions));
    BOOST_TEST(versions.back() == last);
    BOOST_TEST((std::ranges::adjacent_find(versions) == versions.end()));
    BOOST_TEST(editor.end() == 0);
}

BOOST_AUTO_TEST_CASE(the_check_of_an_old_version_is_given_up)
{
    language_client editor;
    editor.initialize();
    editor.open(opened, long_text());
    for (std::int64_t version = 2; version < 10; ++version)
        type(editor, version, replacement(0, 0, 0, "more "));
    type(editor, 10, new_text("the the"));
    BOOST_TEST(editor.findings(opened, 10).size() == 1u);
    wait_for_others(editor);
    // The first one may have come through before there was anything newer to see.
    const std::vector<std::int64_t> versions = editor.published_versions(opened);
    BOOST_TEST(versions.size() <= 2u, "published: " << versions.size());
    BOOST_TEST(versions.back() == 10);
    BOOST_TEST(editor.end() == 0);
}

BOOST_AUTO_TEST_CASE(nothing_is_published_of_a_document_that_was_closed)
{
    language_client editor;
    editor.initialize();
    editor.open(opened, long_text());
    editor.close(opened);
    wait_for_others(editor);
    BOOST_TEST(editor.published_versions(opened) == std::vector<std::int64_t>{0});
    BOOST_TEST(editor.end() == 0);
}

BOOST_AUTO_TEST_CASE(a_cancelled_request_is_given_up)
{
    language_client editor;
    editor.initialize();
    editor.open(opened, long_text());
    editor.findings(opened, 1);
    for (std::size_t i = 1; i <= 6; ++i) {
        asio::cancellation_signal enough;
        editor.ask_hover(opened, 0, 0, enough.slot());
        const pending other = editor.ask_hover(opened, 0, 0);
        enough.emit(asio::cancellation_type::terminal);
        BOOST_TEST(hover_text(editor.result_of(other)).starts_with("\"Some\" stands 100000 times"));
        BOOST_TEST(editor.errors.size() == i); // it has been answered before the other one was through
    }
    for (const auto& [id, error] : editor.errors)
        BOOST_TEST(error.at("code").as_int64() == -32800, error);
    BOOST_TEST(editor.end() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
