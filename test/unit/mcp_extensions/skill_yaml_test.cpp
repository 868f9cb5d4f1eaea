// YAML as far as the frontmatter of skills has it.

#include "mcp_extensions/skills/yaml_reader.hpp"
#include "mcp_extensions/skills/yaml_scalar.hpp"

#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace json = boost::json;
using partyline::mcp::skills::read_yaml;
using partyline::mcp::skills::yaml_error;

namespace {

std::vector<std::string_view> yaml_lines(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

std::string yaml_as_json(std::string_view text)
{
    try {
        return json::serialize(read_yaml(yaml_lines(text), 1));
    } catch (const yaml_error& refused) {
        return std::to_string(refused.line()) + ": " + refused.what();
    }
}

// Whether it is refused in that line, by a text with this in it.
void expect_yaml_refusal(std::string_view text, std::string_view line, std::string_view part)
{
    BOOST_TEST_CONTEXT(text)
    {
        const std::string found = yaml_as_json(text);
        BOOST_TEST(found.starts_with(std::string(line) + ": "), found);
        BOOST_TEST(found.find(part) != std::string::npos, found);
    }
}

struct yaml_row {
    std::string_view yaml;
    std::string_view expected;
};

void expect_yaml(std::initializer_list<yaml_row> rows)
{
    for (const yaml_row& one : rows)
        BOOST_TEST_CONTEXT(one.yaml)
        {
            BOOST_TEST(yaml_as_json(one.yaml) == one.expected);
        }
}

} // namespace

BOOST_AUTO_TEST_SUITE(skill_yaml, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(scalars_are_what_the_core_schema_says)
{
    expect_yaml({
        {"a: text", R"({"a":"text"})"},
        {"a: two words  ", R"({"a":"two words"})"},
        {"a:", R"({"a":null})"},
        {"a: ~", R"({"a":null})"},
        {"a: null", R"({"a":null})"},
        {"a: nULL", R"({"a":"nULL"})"},
        {"a: true", R"({"a":true})"},
        {"a: False", R"({"a":false})"},
        {"a: yes", R"({"a":"yes"})"},
        {"a: 12", R"({"a":12})"},
        {"a: -12", R"({"a":-12})"},
        {"a: +12", R"({"a":12})"},
        {"a: 0x1F", R"({"a":31})"},
        {"a: 0o17", R"({"a":15})"},
        {"a: 017", R"({"a":17})"},
        {"a: 18446744073709551615", R"({"a":18446744073709551615})"},
        {"a: -9223372036854775808", R"({"a":-9223372036854775808})"},
        {"a: 1.5", R"({"a":1.5E0})"},
        {"a: 1.2.3", R"({"a":"1.2.3"})"},
        {"a: .5", R"({"a":5E-1})"},
        {"a: 1e", R"({"a":"1e"})"},
        {"a: .", R"({"a":"."})"},
        {"a: 2026-07-28", R"({"a":"2026-07-28"})"},
        {"a: http://b.c/d#e", R"({"a":"http://b.c/d#e"})"},
        {"a: Bash(git:*) Read", R"({"a":"Bash(git:*) Read"})"},
        {"a: -b", R"({"a":"-b"})"},
    });
}

BOOST_AUTO_TEST_CASE(quotes_make_texts)
{
    expect_yaml({
        {R"(a: "1")", R"({"a":"1"})"},
        {"a: 'true'", R"({"a":"true"})"},
        {"a: ''", R"({"a":""})"},
        {"a: 'it''s'", R"({"a":"it's"})"},
        {R"(a: "b: c # d")", R"({"a":"b: c # d"})"},
        {R"(a: "\"\\\/\t\n\x41\u00e9\U0001F600")", "{\"a\":\"\\\"\\\\/\\t\\nA\xC3\xA9\xF0\x9F\x98\x80\"}"},
        {"a: \"b\n  c\n\n  d\"", R"({"a":"b c\nd"})"},
        {"a: 'b\n\n  c'", R"({"a":"b\nc"})"},
        {"\"a b\": c", R"({"a b":"c"})"},
        {"'1': c", R"({"1":"c"})"},
    });
}

BOOST_AUTO_TEST_CASE(block_scalars_keep_or_fold_their_lines)
{
    expect_yaml({
        {"a: |\n  b\n  c\n", R"({"a":"b\nc\n"})"},
        {"a: |-\n  b\n   c\n", R"({"a":"b\n c"})"},
        {"a: |+\n  b\n\n", R"({"a":"b\n\n"})"},
        {"a: |2\n   b\n", R"({"a":" b\n"})"},
        {"a: >\n  b\n  c\n\n  d\n", R"({"a":"b c\nd\n"})"},
        {"a: >-\n  b\n    c\n  d\n", R"({"a":"b\n  c\nd"})"},
        {"a: >- # why\n  b # c\n", R"({"a":"b # c"})"},
        {"a: |\n\n  b\nc: d", R"({"a":"\nb\n","c":"d"})"},
        {"a: |\nc: d", R"({"a":"","c":"d"})"},
        {"a:\n  - |\n    b\n  - c", R"({"a":["b\n","c"]})"},
    });
}

BOOST_AUTO_TEST_CASE(plain_texts_go_on_in_lines_with_more_indentation)
{
    expect_yaml({
        {"a: b\n  c\n  d\ne: f", R"({"a":"b c d","e":"f"})"},
        {"a: b\n\n  c", R"({"a":"b\nc"})"},
        {"a:\n  b\n  c", R"({"a":"b c"})"},
        {"a: b # c\nd: e", R"({"a":"b","d":"e"})"},
    });
}

BOOST_AUTO_TEST_CASE(maps_and_lists_are_in_each_other)
{
    expect_yaml({
        {"a:\n  b: 1\n  c:\n    d: 2\ne: 3", R"({"a":{"b":1,"c":{"d":2}},"e":3})"},
        {"a:\n- b\n- c\nd: e", R"({"a":["b","c"],"d":"e"})"},
        {"a:\n  - b: 1\n    c: 2\n  - d: 3", R"({"a":[{"b":1,"c":2},{"d":3}]})"},
        {"a:\n  - - b\n    - c\n  -\n    d: e\n  -", R"({"a":[["b","c"],{"d":"e"},null]})"},
        {"a: [b, 'c', 1, [d]]", R"({"a":["b","c",1,["d"]]})"},
        {"a: [b,\n  c, # why\n  d,]", R"({"a":["b","c","d"]})"},
        {"a: {b: 1, \"c\": [2], d: }", R"({"a":{"b":1,"c":[2],"d":null}})"},
        {"a: []\nb: {}", R"({"a":[],"b":{}})"},
        {"# first\n\na: 1\n  # between\nb: 2\n# last", R"({"a":1,"b":2})"},
        {"  a: 1\n  b: 2", R"({"a":1,"b":2})"},
    });
}

BOOST_AUTO_TEST_CASE(what_is_not_known_is_refused_with_its_line)
{
    expect_yaml_refusal("a: 1\nb: &x c", "2", "anchors");
    expect_yaml_refusal("a: *x", "1", "anchors");
    expect_yaml_refusal("a: !!str b", "1", "tags");
    expect_yaml_refusal("a: @b", "1", "quotes");
    expect_yaml_refusal("a: b: c", "1", "quotes");
    expect_yaml_refusal("a: b\n  c: d", "2", "quotes");
    expect_yaml_refusal("a: 1\na: 2", "2", "twice");
    expect_yaml_refusal("a: {b: 1, b: 2}", "1", "twice");
    expect_yaml_refusal("1: b", "1", "a key is a text");
    expect_yaml_refusal("? a", "1", "not known");
    expect_yaml_refusal("a: \"b", "1", "expected another \"");
    expect_yaml_refusal("a: \"\\q\"", "1", "escape");
    expect_yaml_refusal("a: \"\\ud800\"", "1", "no character");
    expect_yaml_refusal("a: \"\\u12\"", "1", "hexadecimal");
    expect_yaml_refusal("a: [b", "1", "expected");
    expect_yaml_refusal("a: [b c: d]", "1", "expected \",\"");
    expect_yaml_refusal("a: {b}", "1", "\":\"");
    expect_yaml_refusal("a: [b] c", "1", "end of the line");
    expect_yaml_refusal("a: 'b' c", "1", "end of the line");
    expect_yaml_refusal("a: |x\n  b", "1", "expected \"|\"");
    expect_yaml_refusal("a: 1\n\tb: 2", "2", "tabs");
    expect_yaml_refusal("a:\n  b: 1\n c: 2", "3", "spaces in front");
    expect_yaml_refusal("a: 1\nb", "2", "key: value");
    expect_yaml_refusal("- a", "1", "expected a map");
    expect_yaml_refusal("a: .inf", "1", "too large");
    expect_yaml_refusal("a: 18446744073709551616", "1", "too large");
    expect_yaml_refusal("a: 1e999", "1", "too large");
    expect_yaml_refusal("", "1", "got nothing");
    expect_yaml_refusal("# only this", "1", "got nothing");
}

BOOST_AUTO_TEST_CASE(depth_is_bounded)
{
    expect_yaml_refusal("a: " + std::string(40, '['), "1", "in each other");
    std::string deep = "a";
    for (int i = 1; i != 40; ++i)
        deep += ":\n" + std::string(static_cast<std::size_t>(i), ' ') + "a";
    const std::string found = yaml_as_json(deep + ": 1");
    BOOST_TEST(found.find("in each other") != std::string::npos, found);
    expect_yaml_refusal(
        "a:\n  " +
            [] {
                std::string dashes;
                for (int i = 0; i != 40; ++i)
                    dashes += "- ";
                return dashes + "b";
            }(),
        "2", "in each other");
}

BOOST_AUTO_TEST_SUITE_END()
