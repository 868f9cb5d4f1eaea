#include "plain_text_server/checks.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace plain_text;

namespace {

std::string describe(const finding& it)
{
    const auto text = [](position at) { return std::to_string(at.line) + ':' + std::to_string(at.character); };
    return text(it.where.start) + '-' + text(it.where.end) + ' ' + std::string(it.code);
}

std::vector<std::string> check(const std::string& text, std::size_t max_length = 100, std::size_t step = 1000)
{
    const document whole(1, text);
    checks work(whole, max_length);
    while (work.step(step)) {
    }
    std::vector<std::string> found;
    for (const finding& it : work.findings())
        found.push_back(describe(it));
    return found;
}

} // namespace

BOOST_AUTO_TEST_SUITE(checks_of_text)

BOOST_AUTO_TEST_CASE(words_twice_in_a_row_are_found)
{
    struct row {
        std::string text;
        std::vector<std::string> found;
    };
    const std::vector<row> rows = {
        {"", {}},
        {"the cat", {}},
        {"the the cat", {"0:4-0:7 repeated-word"}},
        {"The  the\tTHE", {"0:5-0:8 repeated-word", "0:9-0:12 repeated-word"}},
        {"the\nthe cat", {"1:0-1:3 repeated-word"}},
        {"a the \r\n  the cat", {"1:2-1:5 repeated-word"}},
        {"the\n\nthe", {}}, // another paragraph
        {"the\n \t\nthe", {}},
        {"the, the. The", {}},
        {"the.\nThe", {}},
        {"the\n- the", {}},
        {"the them", {}},
        {"10 10 a1 a1", {"0:9-0:11 repeated-word"}},
        {"don't don't", {"0:6-0:11 repeated-word"}},
        {"don\u2019t don\u2019t", {"0:6-0:11 repeated-word"}},
        {"'a' 'a'", {}},
        {"\U0001F600 \u00fcber \u00fcber", {"0:8-0:12 repeated-word"}},
        {"well-well", {}},
    };
    for (const row& r : rows) {
        for (const std::size_t step : {1, 1000}) {
            BOOST_TEST_CONTEXT(r.text << ", lines at once: " << step)
            BOOST_TEST(check(r.text, 100, step) == r.found, boost::test_tools::per_element());
        }
    }
}

BOOST_AUTO_TEST_CASE(lines_that_are_too_long_are_found)
{
    struct row {
        std::string text;
        std::size_t most;
        std::vector<std::string> found;
    };
    const std::vector<row> rows = {
        {std::string(100, 'x'), 100, {}},
        {std::string(101, 'x'), 100, {"0:100-0:101 long-line"}},
        {"a\r\n" + std::string(12, 'x') + "\r\nb", 10, {"1:10-1:12 long-line"}},
        {"\u00e9\u00e9\u00e9", 3, {}},
        {"\u00e9\u00e9\u00e9", 2, {"0:2-0:3 long-line"}},
        {"\U0001F600\U0001F600", 4, {}},
        {"\U0001F600\U0001F600", 3, {"0:2-0:4 long-line"}}, // not through the middle of a pair
    };
    for (const row& r : rows) {
        BOOST_TEST_CONTEXT(r.text)
        BOOST_TEST(check(r.text, r.most) == r.found, boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(findings_are_bounded)
{
    std::string text;
    for (std::size_t i = 0; i < 2 * checks::max_findings; ++i)
        text += i % 3 == 0 ? "x x x x\n" : "too long\n";
    BOOST_TEST(check(text, 5).size() == checks::max_findings);

    std::string line;
    for (std::size_t i = 0; i < 2 * checks::max_findings; ++i)
        line += "x ";
    BOOST_TEST(check(line).size() == checks::max_findings);

    std::string no_prose = "x x ";
    while (no_prose.size() <= checks::longest_prose)
        no_prose += no_prose;
    BOOST_TEST(check(no_prose).size() == 1u); // too long, and that is all
}

BOOST_AUTO_TEST_CASE(messages_say_what_is_wrong)
{
    const document text(1, "the The longer");
    checks work(text, 10);
    BOOST_TEST(!work.step(10));
    BOOST_REQUIRE(work.findings().size() == 2u);
    BOOST_TEST(work.findings()[0].message == "The line is 14 characters long, more than 10.");
    BOOST_TEST(work.findings()[1].message == "\"The\" stands here twice in a row.");
}

BOOST_AUTO_TEST_SUITE_END()
