#include "support/text_search.hpp"
#include "tools/refusal.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

#include <tools/text/glob.hpp>

using partyline::test::contains;
using tools::glob;
using tools::test::refusal_of;

BOOST_AUTO_TEST_SUITE(globs)

BOOST_AUTO_TEST_CASE(what_matches)
{
    const std::pair<const char*, const char*> rows[] = {
        {"*", "a"},
        {"*", "x/y/a"},
        {"*", ".hidden"},
        {"*.cpp", "a.cpp"},
        {"*.cpp", "x/y/a.cpp"},
        {"*.cpp", ".cpp"},
        {"a*b*c", "abc"},
        {"a*b*c", "axxbxxbxc"},
        {"?.cpp", "a.cpp"},
        {"?.cpp", "\u00e9.cpp"},
        {"?.cpp", "\U0001f600.cpp"},
        {"?.cpp", "\xff.cpp"},
        {"[abc].h", "b.h"},
        {"[a-c].h", "b.h"},
        {"[!a-c].h", "d.h"},
        {"[^a-c].h", "d.h"},
        {"[]].h", "].h"},
        {"[!]].h", "x.h"},
        {"[a-].h", "-.h"},
        {"[a-]x", "ax"},
        {"[\u00e0-\u00ff]", "\u00e9"},
        {"[*?]", "*"},
        {"src/*.cpp", "src/a.cpp"},
        {"/src/*.cpp", "src/a.cpp"},
        {"/*.cpp", "a.cpp"},
        {"src/**", "src/a"},
        {"src/**", "src/x/y/a"},
        {"**/a", "a"},
        {"**/a", "x/a"},
        {"**/a", "x/y/a"},
        {"src/**/*.cpp", "src/a.cpp"},
        {"src/**/*.cpp", "src/x/y/a.cpp"},
        {"**/x/**/y/*", "x/y/a"},
        {"**/x/**/y/*", "1/x/2/3/y/a"},
        {"**/**/a", "a"},
        {"a**/b", "axx/yy/b"},
        {"**", "x/a"},
        {"***", "a"},
    };
    for (const auto& [pattern, path] : rows)
        BOOST_TEST(glob(pattern).matches(path), pattern << " and " << path);
}

BOOST_AUTO_TEST_CASE(what_does_not)
{
    const std::pair<const char*, const char*> rows[] = {
        {"a", "b"},
        {"a", "ab"},
        {"a", "A"},
        {"*.cpp", "a.cpp.orig"},
        {"*.cpp", "a.hpp"},
        {"?", "ab"},
        {"?", ""},
        {"[abc]", "d"},
        {"[!abc]", "a"},
        {"[a-c]", "-"},
        {"src/*.cpp", "src/x/a.cpp"},
        {"src/*.cpp", "x/src/a.cpp"},
        {"/*.cpp", "x/a.cpp"},
        {"src/*", "src"},
        {"src?a", "src/a"},
        {"x[/]a", "x/a"},
        {"x/[!b]", "x//"},
        {"**/a", "xa"},
        {"**/a", "x/ya"},
        {"src/**/a", "srca"},
    };
    for (const auto& [pattern, path] : rows)
        BOOST_TEST(!glob(pattern).matches(path), pattern << " and " << path);
}

BOOST_AUTO_TEST_CASE(patterns_that_make_no_sense_are_refused)
{
    for (const char* const pattern : {"[", "[]", "[a", "x[!", "[a-", "*[a-z", "[!]"})
        BOOST_TEST(contains(refusal_of([&] { glob{pattern}; }), "' has a '[' without its ']'"), pattern);
    BOOST_TEST(contains(refusal_of([] { glob{""}; }), "'' has 0 bytes, expected 1 to 256"));
    BOOST_TEST(contains(refusal_of([] { glob{std::string(257, 'a')}; }), "has 257 bytes"));
    BOOST_TEST(glob(std::string(256, '*')).matches("a"));
}

BOOST_AUTO_TEST_CASE(the_worst_pattern_takes_no_more_than_its_length_times_the_paths)
{
    std::string pattern;
    for (int i = 0; i < 120; ++i)
        pattern += "*a";
    const auto begun = std::chrono::steady_clock::now();
    BOOST_TEST(!glob(pattern + "*b").matches(std::string(4000, 'a')));
    BOOST_TEST(!glob("**/" + pattern + "*b").matches(std::string(4000, 'a')));
    BOOST_TEST((std::chrono::steady_clock::now() - begun < std::chrono::seconds(10)));
}

BOOST_AUTO_TEST_SUITE_END()
