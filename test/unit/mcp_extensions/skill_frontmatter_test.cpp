// The frontmatter of a SKILL.md.

#include "mcp_extensions/skills/frontmatter.hpp"
#include "mcp_extensions/skills/yaml_scalar.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

namespace json = boost::json;
using namespace partyline::mcp::skills;

namespace {

std::string frontmatter_as_json(std::string_view file)
{
    try {
        return json::serialize(read_frontmatter(file));
    } catch (const yaml_error& refused) {
        return std::to_string(refused.line()) + ": " + refused.what();
    }
}

std::string differs(std::string_view one, std::string_view other)
{
    const auto parse = [](std::string_view text) { return json::parse(json::string_view(text)).as_object(); };
    return find_difference(parse(one), parse(other));
}

} // namespace

BOOST_AUTO_TEST_SUITE(skill_frontmatter, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(it_stands_between_two_fences)
{
    const std::string expected = R"({"name":"a"})";
    BOOST_TEST(frontmatter_as_json("---\nname: a\n---\n# A\n") == expected);
    BOOST_TEST(frontmatter_as_json("---\r\nname: a\r\n---\r\n# A\r\n") == expected);
    BOOST_TEST(frontmatter_as_json("\xEF\xBB\xBF---\nname: a\n---") == expected);
    BOOST_TEST(frontmatter_as_json("---\nname: a\n--- \t\n---\nb: c\n---\n") == expected);
}

BOOST_AUTO_TEST_CASE(what_is_none_is_refused_with_its_line)
{
    BOOST_TEST(frontmatter_as_json("").starts_with("1: expected \"---\""));
    BOOST_TEST(frontmatter_as_json("# A\n").starts_with("1: expected \"---\""));
    BOOST_TEST(frontmatter_as_json("--- \nname: a\n---\n").starts_with("1: expected \"---\""));
    BOOST_TEST(frontmatter_as_json("---\nname: a\n").starts_with("2: expected \"---\""));
    BOOST_TEST(frontmatter_as_json("---\nname: a\nb: \x01\n---\n").starts_with("3: YAML has no control"));
    BOOST_TEST(frontmatter_as_json("---\nname: \xff\n---\n").starts_with("2: expected UTF-8"));
    BOOST_TEST(frontmatter_as_json("---\na: 1\nb: *c\n---\n").starts_with("3: "));
    BOOST_TEST(frontmatter_as_json("---\n---\n").starts_with("2: expected \"name"));
    std::string large = "---\n";
    while (large.size() < (std::size_t(64) << 10))
        large += "# comment\n";
    BOOST_TEST(frontmatter_as_json(large + "---\n").find("64 KiB") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_skill_has_a_name_and_a_description)
{
    const auto problem = [](std::string_view text) {
        return frontmatter_problem(json::parse(json::string_view(text)).as_object());
    };
    BOOST_TEST(problem(R"({"name":"a","description":"b"})").empty());
    BOOST_TEST(problem(R"({"name":"A","description":"b"})").starts_with("\"name\""));
    BOOST_TEST(problem(R"({"name":1,"description":"b"})").starts_with("\"name\""));
    BOOST_TEST(problem(R"({"name":"a"})").starts_with("\"description\""));
    BOOST_TEST(problem(R"({"name":"a","description":""})").starts_with("\"description\""));
    std::string longest;
    for (int i = 0; i != 1024; ++i)
        longest += "\xC3\xA9"; // characters count, not bytes
    json::object frontmatter{{"name", "a"}, {"description", longest}};
    BOOST_TEST(frontmatter_problem(frontmatter).empty());
    frontmatter["description"] = longest + "e";
    BOOST_TEST(frontmatter_problem(frontmatter).ends_with("got 1025"));
}

BOOST_AUTO_TEST_CASE(differences_are_named)
{
    BOOST_TEST(differs(R"({"a":1,"b":{"c":[1,"x"]}})", R"({"b":{"c":[1.0,"x"]},"a":1})").empty());
    BOOST_TEST(differs(R"({"a":1})", R"({"a":2})") == "a");
    BOOST_TEST(differs(R"({"a":1})", R"({"a":"1"})") == "a");
    BOOST_TEST(differs(R"({"a":null})", "{}") == "a");
    BOOST_TEST(differs("{}", R"({"a":null})") == "a");
    BOOST_TEST(differs(R"({"b":{"c":[1,{"d":true}]}})", R"({"b":{"c":[1,{"d":false}]}})") == "b.c[1].d");
    BOOST_TEST(differs(R"({"b":[1]})", R"({"b":[1,2]})") == "b");
}

BOOST_AUTO_TEST_SUITE_END()
