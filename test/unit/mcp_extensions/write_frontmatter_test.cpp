// The frontmatter of a SKILL.md as it is written: readers of YAML of either version read what is in it.

#include "mcp_extensions/skills/frontmatter.hpp"
#include "mcp_extensions/skills/write_frontmatter.hpp"
#include "plain_frontmatter.hpp"
#include "unit/testing/thrown.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace json = boost::json;
using namespace partyline::mcp::skills;
using kit::contains;

namespace {

// The line of a value.
std::string written(json::value value)
{
    const std::string text = write_frontmatter({{"a", std::move(value)}});
    return text.substr(7, text.size() - 7 - 5); // between "---\na: " and "\n---\n"
}

// The line of a name.
std::string written_name(const std::string& name)
{
    const std::string text = write_frontmatter({{name, nullptr}});
    return text.substr(4, text.size() - 4 - 11); // between "---\n" and ": null\n---\n"
}

} // namespace

BOOST_AUTO_TEST_SUITE(skill_write_frontmatter, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(each_member_is_a_line_of_json)
{
    const json::object frontmatter{{"name", "refunds"},
                                   {"allowed-tools", "Bash Read"},
                                   {"metadata", {{"tags", {"a", "b"}}, {"none", json::object()}, {"1", true}}}};
    const std::string expected = "---\n"
                                 "name: \"refunds\"\n"
                                 "allowed-tools: \"Bash Read\"\n"
                                 "metadata: {\"tags\": [\"a\", \"b\"], \"none\": {}, \"1\": true}\n"
                                 "---\n";
    BOOST_TEST(write_frontmatter(frontmatter) == expected);
    BOOST_TEST((read_frontmatter(expected, skills_test::read_plain) == frontmatter));
}

BOOST_AUTO_TEST_CASE(texts_are_quoted_and_have_no_more_than_one_line)
{
    BOOST_TEST(written("no") == R"("no")");
    BOOST_TEST(written("a: b #c") == R"("a: b #c")");
    BOOST_TEST(written("a\n---\nb\t\"\\\x01") == R"("a\n---\nb\t\"\\\u0001")");
    BOOST_TEST(written("\x7f\xC2\x85\xC2\x9F\xC2\xA0") == "\"\\u007f\\u0085\\u009f\xC2\xA0\"");
    BOOST_TEST(written("\xE2\x80\xA8\xE2\x80\xA9\xE2\x80\xAA") == "\"\\u2028\\u2029\xE2\x80\xAA\"");
    BOOST_TEST(written("\xEF\xBB\xBF\xEF\xBF\xBE\xEF\xBF\xBF\xEF\xBF\xBD") == "\"\\ufeff\\ufffe\\uffff\xEF\xBF\xBD\"");
    BOOST_TEST(written("\xF0\x9F\x98\x80") == "\"\xF0\x9F\x98\x80\"");
    BOOST_TEST(written(json::object{{"\xC2\x85", "\xC2\x85"}}) == R"({"\u0085": "\u0085"})");
}

BOOST_AUTO_TEST_CASE(a_double_is_one_for_all_readers)
{
    BOOST_TEST(written(1.5) == "1.5");
    BOOST_TEST(written(1.0) == "1.0");
    BOOST_TEST(written(-0.0) == "-0.0");
    BOOST_TEST(written(1e20) == "1.0e+20");
    BOOST_TEST(written(1.5e300) == "1.5e+300");
    BOOST_TEST(written(2e-7) == "2.0e-07");
    BOOST_TEST(written(1) == "1");
    BOOST_TEST(written(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
    BOOST_TEST(written(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
    BOOST_TEST(written(nullptr) == "null");
}

BOOST_AUTO_TEST_CASE(a_name_without_quotes_is_a_text)
{
    for (const char* const plain : {"name", "allowed-tools", "a_1", "nothing", "Yes-2", "x0"})
        BOOST_TEST(written_name(plain) == plain);
    for (const char* const other : {"1", "0x1f", "-", "---", "_1", "y", "No", "ON", "true", "NULL", "2024-01-02", "a b",
                                    "a:", "#", "*a", "?", "\xC3\xA9"})
        BOOST_TEST(written_name(other) == "\"" + std::string(other) + "\"");
    BOOST_TEST(written_name("a\"\n") == R"("a\"\n")");
}

BOOST_AUTO_TEST_CASE(names_that_readers_take_otherwise_are_refused)
{
    const auto refused = [](json::object frontmatter) {
        return kit::thrown_by<std::invalid_argument>([&] { write_frontmatter(frontmatter); });
    };
    BOOST_TEST(contains(refused({{"<<", json::object{{"name", "x"}}}}), "\"<<\""));
    BOOST_TEST(contains(refused({{"a", json::array{json::object{{"<<", 1}}}}}), "\"<<\""));
    BOOST_TEST(contains(refused({{"", 1}}), "the member \"\""));
    BOOST_TEST(contains(refused({{std::string(129, 'a'), 1}}), "128 bytes"));
    BOOST_CHECK_NO_THROW(write_frontmatter({{std::string(128, 'a'), "<<"}}));
}

BOOST_AUTO_TEST_SUITE_END()
