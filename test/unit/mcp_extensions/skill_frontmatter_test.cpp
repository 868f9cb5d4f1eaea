// The frontmatter of a SKILL.md.

#include "mcp_extensions/skills/frontmatter.hpp"
#include "plain_frontmatter.hpp"
#include "unit/testing/thrown.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace json = boost::json;
using namespace partyline::mcp::skills;

namespace {

std::string frontmatter_as_json(std::string_view file)
{
    try {
        return json::serialize(read_frontmatter(file, skills_test::read_plain));
    } catch (const frontmatter_error& refused) {
        return refused.what();
    }
}

// Where they differ; "the same" where they do not.
std::string differs(std::string_view one, std::string_view other)
{
    const auto parse = [](std::string_view text) { return json::parse(json::string_view(text)).as_object(); };
    return find_difference(parse(one), parse(other)).value_or("the same");
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

BOOST_AUTO_TEST_CASE(the_reader_is_given_what_stands_between)
{
    std::string given;
    const auto keep = [&](std::string_view text) {
        given = text;
        return json::object();
    };
    read_frontmatter("---\na: |\r\n\tb\n\n# c\n---\nd\n---\n", keep);
    BOOST_TEST(given == "a: |\r\n\tb\n\n# c\n");
    read_frontmatter("---\n---\n", keep);
    BOOST_TEST(given.empty());
}

BOOST_AUTO_TEST_CASE(what_is_none_is_refused_with_its_line)
{
    BOOST_TEST(frontmatter_as_json("").starts_with("line 1: expected \"---\""));
    BOOST_TEST(frontmatter_as_json("# A\n").starts_with("line 1: expected \"---\""));
    BOOST_TEST(frontmatter_as_json("--- \nname: a\n---\n").starts_with("line 1: expected \"---\""));
    BOOST_TEST(frontmatter_as_json("---\nname: a\n").starts_with("line 2: expected \"---\""));
    BOOST_TEST(frontmatter_as_json("---\nname: \xff\n---\n").starts_with("line 2: expected UTF-8"));
    std::string large = "---\n";
    while (large.size() < (std::size_t(64) << 10))
        large += "# comment\n";
    BOOST_TEST(frontmatter_as_json(large + "---\n").find("64 KiB") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(each_line_is_one_for_whoever_reads_it)
{
    for (const char* const other : {"\x01", "\r", "\x7f", "\xC2\x80", "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9",
                                    "\xEF\xBB\xBF", "\xEF\xBF\xBE", "\xEF\xBF\xBF"})
        BOOST_TEST(frontmatter_as_json("---\nname: a\nb: " + std::string(other) + "c: d\n---\n")
                       .starts_with("line 3: expected an escape"),
                   other);
    BOOST_TEST(frontmatter_as_json(std::string("---\nb: \0\n---\n", 13)).starts_with("line 2: expected an escape"));
    BOOST_TEST(frontmatter_as_json("\xEF\xBB\xBF\xEF\xBB\xBF---\nname: a\n---").starts_with("line 1: "));
    BOOST_TEST(frontmatter_as_json("---\na: \t\xC2\xA0\xEF\xBF\xBD\n---\n\x01\r") ==
               "{\"a\":\"\\t\xC2\xA0\xEF\xBF\xBD\"}");
}

BOOST_AUTO_TEST_CASE(what_the_reader_throws_is_said)
{
    BOOST_TEST(frontmatter_as_json("---\na: 1\nb\n---\n") == "expected \"name: value\", got \"b\"");
    const auto commands = [](std::string_view) -> json::object {
        throw std::runtime_error("\x1b[2J" + std::string(999, 'a'));
    };
    const std::string shown = kit::thrown_by<frontmatter_error>([&] { read_frontmatter("---\n---\n", commands); });
    BOOST_TEST(shown.starts_with("\\u001b[2Jaaa"));
    BOOST_TEST(shown.size() < 300u);
    const auto no_memory = [](std::string_view) -> json::object { throw std::bad_alloc(); };
    BOOST_CHECK_THROW(read_frontmatter("---\n---\n", no_memory), std::bad_alloc);
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

BOOST_AUTO_TEST_CASE(what_json_does_not_have_is_refused)
{
    const auto problem = [](json::value more) {
        return frontmatter_problem({{"name", "a"}, {"description", "b"}, {"more", std::move(more)}});
    };
    BOOST_TEST(problem(json::object{{"a", json::array{1, 1.5, nullptr, true, "x"}}}).empty());
    BOOST_TEST(problem(json::array{"\xff"}) == "\"more/0\": text that is not UTF-8");
    BOOST_TEST(problem(json::object{{"a", std::numeric_limits<double>::infinity()}}).ends_with("finite"));
    BOOST_TEST(problem(json::array{std::numeric_limits<double>::quiet_NaN()}).ends_with("finite"));
    BOOST_TEST(problem(json::object{{"\xff", 1}}).ends_with("not UTF-8"));
    BOOST_TEST(!frontmatter_problem({{"name", "a"}, {"description", "b"}, {"\xff", 1}}).empty());
    json::value deep = 1;
    for (int i = 0; i != 31; ++i) // the frontmatter itself is the 32nd
        deep = json::array{std::move(deep)};
    BOOST_TEST(problem(deep).empty());
    BOOST_TEST(problem(json::array{deep}).ends_with("nested deeper than 31"));
}

BOOST_AUTO_TEST_CASE(metadata_are_texts)
{
    const auto problem = [](json::value metadata) {
        return frontmatter_problem({{"name", "a"}, {"description", "b"}, {"metadata", std::move(metadata)}});
    };
    BOOST_TEST(problem(json::object()).empty());
    BOOST_TEST(problem({{"version", "1.5"}, {"author", ""}}).empty());
    BOOST_TEST(problem({{"author", "me"}, {"version", 1.5}}) ==
               "\"metadata\": expected a text as \"version\", in quotes where YAML has another, got a number");
    BOOST_TEST(problem({{"a", json::object{{"b", "c"}}}}).ends_with("got a map"));
    BOOST_TEST(problem({{"a\x1b[2J", nullptr}}).find("\"a\\u001b[2J\"") != std::string::npos);
    BOOST_TEST(problem(json::array{"a"}) == "\"metadata\": expected a map of texts, got a list");
    BOOST_TEST(problem(nullptr).ends_with("got null"));
    BOOST_TEST(problem("a").ends_with("got a text"));
}

BOOST_AUTO_TEST_CASE(compatibility_is_a_text_that_is_not_too_long)
{
    const auto problem = [](json::value compatibility) {
        return frontmatter_problem({{"name", "a"}, {"description", "b"}, {"compatibility", std::move(compatibility)}});
    };
    BOOST_TEST(problem("x").empty());
    std::string longest;
    for (int i = 0; i != 500; ++i)
        longest += "\xC3\xA9";
    BOOST_TEST(problem(json::string(longest)).empty());
    BOOST_TEST(problem(json::string(longest + "e")) ==
               "\"compatibility\": expected a text of 1 to 500 characters, got 501");
    BOOST_TEST(problem("").ends_with("got 0"));
    BOOST_TEST(problem(nullptr).ends_with("got null"));
    BOOST_TEST(problem(true).ends_with("got a truth value"));
}

// As a reader of YAML may give that follows aliases.
BOOST_AUTO_TEST_CASE(a_frontmatter_that_has_grown_is_refused)
{
    json::object frontmatter{{"name", "a"}, {"description", "b"}};
    json::array& more = frontmatter["more"].emplace_array();
    const std::string part(std::size_t(64) << 10, 'a');
    for (int i = 0; i != 15; ++i)
        more.emplace_back(json::string(part));
    BOOST_TEST(frontmatter_problem(frontmatter).empty());
    more.emplace_back(json::string(part));
    BOOST_TEST(frontmatter_problem(frontmatter).starts_with("\"more\": the frontmatter has more than 1 MiB"));
}

BOOST_AUTO_TEST_CASE(differences_are_named)
{
    BOOST_TEST(differs(R"({"a":1,"b":{"c":[1,"x"]}})", R"({"b":{"c":[1.0,"x"]},"a":1})") == "the same");
    BOOST_TEST(differs(R"({"a":1})", R"({"a":2})") == "a");
    BOOST_TEST(differs(R"({"a":1})", R"({"a":"1"})") == "a");
    BOOST_TEST(differs(R"({"a":null})", "{}") == "a");
    BOOST_TEST(differs("{}", R"({"a":null})") == "a");
    BOOST_TEST(differs(R"({"b":{"c":[1,{"d":true}]}})", R"({"b":{"c":[1,{"d":false}]}})") == "b.c[1].d");
    BOOST_TEST(differs(R"({"b":[1]})", R"({"b":[1,2]})") == "b");
    BOOST_TEST(differs(R"({"a\u001b":1})", "{}") == "a\\u001b");
    const std::string name(10'000, 'n');
    BOOST_TEST(differs("{\"" + name + "\":{\"a\":1}}", "{\"" + name + "\":{}}").ends_with("n....a"));
    BOOST_TEST(differs(R"({"":1,"a":1})", R"({"a":2})").empty()); // at the member "", that is
}

BOOST_AUTO_TEST_SUITE_END()
