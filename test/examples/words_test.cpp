#include "plain_text_server/words.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <vector>

using namespace plain_text;

BOOST_AUTO_TEST_SUITE(words)

BOOST_AUTO_TEST_CASE(the_word_at_a_place_is_found)
{
    struct row {
        std::string_view line;
        std::size_t byte;
        std::string_view found; // empty: none
    };
    const std::vector<row> rows = {
        {"", 0, ""},
        {"one two", 0, "one"},
        {"one two", 3, "one"}, // behind its end
        {"one two", 4, "two"},
        {"one two", 7, "two"},
        {"one  two", 4, ""},
        {"a.b", 1, "a"},
        {"a.b", 2, "b"},
        {"(it's) 'x'", 4, "it's"},
        {"(it's) 'x'", 8, "x"},
        {"caf\u00e9, \u65e5\u672c\u3002", 2, "caf\u00e9"},
        {"caf\u00e9, \u65e5\u672c\u3002", 8, "\u65e5\u672c"},
        {"...", 1, ""},
    };
    for (const row& r : rows) {
        BOOST_TEST_CONTEXT(r.line << " at " << r.byte)
        {
            const auto found = word_at(r.line, r.byte);
            BOOST_TEST(found.value_or(word()).text == r.found);
            if (found)
                BOOST_TEST(r.line.substr(found->begin, found->end - found->begin) == r.found);
        }
    }
}

BOOST_AUTO_TEST_CASE(words_are_counted_in_steps)
{
    std::string text;
    for (int i = 0; i < 10; ++i)
        text += "Word words, word\r\nsword\n";
    const document whole(1, text);
    for (const std::size_t step : {1, 7, 1000}) {
        word_count count(whole, "word");
        while (count.step(step)) {
        }
        BOOST_TEST(count.count() == 20u);
    }
}

BOOST_AUTO_TEST_SUITE_END()
