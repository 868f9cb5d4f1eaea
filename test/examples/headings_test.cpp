#include "plain_text_server/headings.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace plain_text;

namespace {

// Each as "name first-last", the lines of its section.
std::vector<std::string> find(const std::string& text, std::size_t step = 1000)
{
    const document whole(1, text);
    heading_search search(whole);
    while (search.step(step)) {
    }
    std::vector<std::string> found;
    for (const heading& it : search.take()) {
        BOOST_TEST((it.title.start == it.section.start));
        const std::string first = std::to_string(it.section.start.line);
        found.push_back(it.name + ' ' + first + '-' + std::to_string(it.section.end.line));
    }
    return found;
}

} // namespace

BOOST_AUTO_TEST_SUITE(headings)

BOOST_AUTO_TEST_CASE(lines_that_stand_alone_or_are_underlined_are_headings)
{
    struct row {
        std::string text;
        std::vector<std::string> found;
    };
    const std::vector<row> rows = {
        {"", {}},
        {"Alone", {"Alone 0-0"}},
        {"  Alone\t\n", {"Alone 0-1"}},
        {"A sentence.", {}},
        {"Really?", {}},
        {"\u7d42\u308f\u308a\u3002", {}},
        {"one\ntwo", {}},
        {"one\n\ntwo\nthree", {"one 0-3"}},
        {"text\ntext\n\nTitle\n\ntext\ntext", {"Title 3-6"}},
        {"text\nTitle\n===", {"Title 1-2"}},
        {"Is it?\n---\r\ntext\n\nNext\n", {"Is it? 0-3", "Next 4-5"}},
        {"Title\n--", {}},
        {"Title\n=-=", {}},
        {"===\n===", {}},
        {"\n\n---\n\n", {}},
        {"\u00dcber\n===  \n", {"\u00dcber 0-2"}},
        {std::string(100, 'x'), {std::string(100, 'x') + " 0-0"}},
        {std::string(101, 'x'), {}},
    };
    for (const row& r : rows) {
        for (const std::size_t step : {1, 1000}) {
            BOOST_TEST_CONTEXT(r.text << ", lines at once: " << step)
            BOOST_TEST(find(r.text, step) == r.found, boost::test_tools::per_element());
        }
    }
}

BOOST_AUTO_TEST_CASE(sections_end_with_the_line_before_the_next_heading)
{
    const document text(1, "One\n\nbody \U0001F600\nand more.\n\nTwo\n");
    heading_search search(text);
    BOOST_TEST(!search.step(100));
    const std::vector<heading> found = search.take();
    BOOST_REQUIRE(found.size() == 2u);
    BOOST_TEST((found[0].section == range{{0, 0}, {4, 0}}));
    BOOST_TEST((found[0].title == range{{0, 0}, {0, 3}}));
    BOOST_TEST((found[1].section == range{{5, 0}, {6, 0}}));
}

BOOST_AUTO_TEST_CASE(headings_are_bounded)
{
    std::string text;
    for (std::size_t i = 0; i < heading_search::max_headings + 5; ++i)
        text += "x\n\n";
    BOOST_TEST(find(text, text.size()).size() == heading_search::max_headings);
}

BOOST_AUTO_TEST_SUITE_END()
