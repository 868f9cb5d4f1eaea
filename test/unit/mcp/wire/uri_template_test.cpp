#include "mcp/wire/uri_template.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>

using partyline::mcp::uri_template;

namespace {

// As `a=1|b=2`; "no" for a URI that is not of this form.
std::string matched(const std::string& text, std::string_view uri)
{
    const std::optional<uri_template::values> found = uri_template(text).match(uri);
    if (!found)
        return "no";
    std::string out;
    for (const auto& [name, value] : *found)
        out += (out.empty() ? "" : "|") + name + '=' + value;
    return out;
}

std::string refusal_of(const std::string& text)
{
    try {
        uri_template made(text);
        return "";
    } catch (const std::invalid_argument& thrown) {
        return thrown.what();
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(mcp_uri_template)

BOOST_AUTO_TEST_CASE(variables_are_found_and_decoded)
{
    const struct {
        const char* text;
        const char* uri;
        const char* values;
    } rows[] = {
        {"notes://{date}", "notes://2026-11-24", "date=2026-11-24"},
        {"notes://{date}", "notes://a%20b%c3%a4%25", "date=a bä%"},
        {"notes://{date}", "notes://a:b@c;d+e", "date=a:b@c;d+e"},
        {"notes://{date}", "notes://ä", "date=ä"},
        {"notes://{date}", "notes://a%3Fb%23c", "date=a?b#c"},
        {"notes://{date}", "notes://...", "date=..."},
        {"notes://readme", "notes://readme", ""},
        {"{a}", "x", "a=x"},
        {"file:///{+path}", "file:///a/b.txt", "path=a/b.txt"},
        {"file:///{+path}", "file:///a%2Fb?c#d", "path=a/b?c#d"},
        {"file:///{+path}", "file:////etc", "path=/etc"},
        {"file:///{+path}", "file:///a/..b/c../...", "path=a/..b/c../..."},
        {"x://{a}/{b}", "x://1/2", "a=1|b=2"},
        {"x://{a}/{b}.txt", "x://1/2.txt", "a=1|b=2"},
        {"x://{a}/{b}.txt", "x://1/2.txt.txt", "a=1|b=2.txt"},
        {"x://{a}-{b}", "x://1-2-3", "a=1|b=2-3"},
        {"x://{a}-{b}", "x://-1-2", "a=-1|b=2"},
        {"x://{+a}/{b}", "x:///1/2", "a=/1|b=2"},
        {"x://{a_1}?q={Q2}&r={_r}", "x://1?q=2&r=3", "a_1=1|Q2=2|_r=3"},
        {"x://a%20b/{c}", "x://a%20b/1", "c=1"},
    };
    for (const auto& [text, uri, values] : rows)
        BOOST_TEST_CONTEXT(text << " and " << uri)
    BOOST_TEST(matched(text, uri) == values);
}

// rule: mcp.resources.validate
BOOST_AUTO_TEST_CASE(what_is_not_of_the_form_is_not_found)
{
    const struct {
        const char* text;
        std::string uri;
    } rows[] = {
        {"notes://{date}", ""},
        {"notes://{date}", "notes:/"},
        {"notes://{date}", "notes://"},
        {"notes://{date}", "Notes://a"},
        {"notes://{date}", "notes://a/b"},
        {"notes://{date}", "notes://a%2Fb"},
        {"notes://{date}", "notes://a%2fb"},
        {"notes://{date}", "notes://a?b"},
        {"notes://{date}", "notes://a#b"},
        {"notes://{date}", "notes://.."},
        {"notes://{date}", "notes://%2E%2e"},
        {"notes://{date}", "notes://a%"},
        {"notes://{date}", "notes://a%4"},
        {"notes://{date}", "notes://a%zz"},
        {"notes://{date}", "notes://a%00"},
        {"notes://{date}", "notes://a%0Ab"},
        {"notes://{date}", "notes://a%7f"},
        {"notes://{date}", "notes://a\nb"},
        {"notes://{date}", std::string("notes://a\0b", 11)},
        {"notes://{date}", "notes://%ff"},
        {"notes://{date}", "notes://%c3"},
        {"notes://{date}", "notes://%c0%af"}, // "/", overlong
        {"notes://{date}", "notes://%ed%a0%80"},
        {"notes://{date}", "notes://\xff"},
        {"notes://readme", "notes://readme2"},
        {"notes://readme", "notes://read"},
        {"file:///{+path}", "file:///"},
        {"file:///{+path}", "file:///.."},
        {"file:///{+path}", "file:///../a"},
        {"file:///{+path}", "file:///a/.."},
        {"file:///{+path}", "file:///a/../b"},
        {"file:///{+path}", "file:///a/%2e%2E/b"},
        {"file:///{+path}", "file:///a%2f..%2fb"},
        {"file:///{+path}", "file:///a%00"},
        {"x://{a}/{b}", "x:///2"},
        {"x://{a}/{b}", "x://1/"},
        {"x://{a}/{b}", "x://1"},
        {"x://{a}/{b}", "x://1/2/3"},
        {"x://{a}.txt", "x://.txt"},
        {"x://{a}.txt", "x://txt"},
        {"x://{a}.txt", "x://1.txt2"},
    };
    for (const auto& [text, uri] : rows)
        BOOST_TEST_CONTEXT(text << " and " << uri)
    BOOST_TEST(matched(text, uri) == "no");
}

BOOST_AUTO_TEST_CASE(long_uris_are_done_in_a_moment)
{
    const std::string slashes(2'000'000, '/');
    const std::string dashes(2'000'000, '-');
    BOOST_TEST(matched("x://{+a}-{+b}-{+c}-{+d}/e", "x://" + slashes) == "no");
    BOOST_TEST(matched("x://{a}--{b}--{c}--{d}-e", "x://" + dashes) == "no");
    BOOST_TEST(uri_template("x://{+a}").match("x://" + slashes).has_value());
    BOOST_TEST(matched("x://{+a}--------x{+b}", "x://" + dashes) == "no");
}

BOOST_AUTO_TEST_CASE(other_templates_are_refused_with_the_reason)
{
    const struct {
        std::string text;
        const char* why;
    } rows[] = {
        {"x://{a", "has a \"{\" without a \"}\"."},
        {"x://{", "has a \"{\" without a \"}\"."},
        {"x://a}", "has a \"}\" without a \"{\"."},
        {"x://{a}}", "has a \"}\" without a \"{\"."},
        {"x://{a}{b}", "has nothing between the variables \"a\" and \"b\"."},
        {"x://{a}/{a}", "has two variables of the name \"a\"."},
        {"x://{a}/{+a}", "has two variables of the name \"a\"."},
        {"x://a b", "has a character in \"x://a b\" that has to be percent-encoded."},
        {"x://ä", "has a character in \"x://ä\" that has to be percent-encoded."},
        {"x://a%2", "has a character in \"x://a%2\" that has to be percent-encoded."},
        {"x://a%{b}", "has a character in \"x://a%\" that has to be percent-encoded."},
        {"x://{a}\n", "has a character in \"\\u000a\" that has to be percent-encoded."},
    };
    for (const auto& [text, why] : rows)
        BOOST_TEST(refusal_of(text).ends_with(why), refusal_of(text));
    for (const std::string expression : {"{}", "{+}", "{#a}", "{/a}", "{.a}", "{;a}", "{?a}", "{&a}", "{=a}", "{a,b}",
                                         "{a:3}", "{a*}", "{a-b}", "{ a}", "{++a}", "{{a}", "{a.b}", "{%41}", "{ä}"})
        BOOST_TEST(refusal_of("x://" + expression) ==
                   "The URI template \"x://" + expression + "\" has the expression \"" + expression +
                       "\"; there are only {name} and {+name}, names made of letters, digits and \"_\".");
}

BOOST_AUTO_TEST_CASE(names_come_in_the_order_of_the_template)
{
    const uri_template made("x://{b}/{+a}?c={c}");
    BOOST_TEST(made.names() == (std::vector<std::string>{"b", "a", "c"}), boost::test_tools::per_element());
    BOOST_TEST(made.text() == "x://{b}/{+a}?c={c}");
    BOOST_TEST(uri_template("x://y").names().empty());
}

// rule: mcp.resources.custom_scheme
BOOST_AUTO_TEST_CASE(values_make_the_uri_that_gives_them_back)
{
    const struct {
        const char* text;
        uri_template::values given;
        const char* uri;
    } rows[] = {
        {"notes://{date}", {{"date", "a bä%?#:"}}, "notes://a%20b%C3%A4%25%3F%23%3A"},
        {"file:///{+path}", {{"path", "a/b c%20?"}}, "file:///a/b%20c%2520?"},
        {"x://{a}/{b}.txt", {{"a", "1"}, {"b", "2.txt"}}, "x://1/2.txt.txt"},
        {"x://y", {}, "x://y"},
    };
    for (const auto& [text, given, uri] : rows) {
        const uri_template made(text);
        BOOST_TEST(made.expand(given) == uri);
        BOOST_TEST((made.match(uri) == given));
    }
    BOOST_TEST(uri_template("x://{a}/{b}").expand({{"b", "2"}, {"a", "1"}}) == "x://1/2");
}

BOOST_AUTO_TEST_CASE(values_that_would_not_come_back_are_refused)
{
    const struct {
        const char* text;
        uri_template::values given;
    } rows[] = {
        {"x://{a}", {}},
        {"x://{a}", {{"b", "1"}}},
        {"x://{a}", {{"a", "1"}, {"b", "1"}}},
        {"x://{a}", {{"a", "1"}, {"a", "2"}}},
        {"x://{a}", {{"a", ""}}},
        {"x://{a}", {{"a", "b/c"}}},
        {"x://{a}", {{"a", ".."}}},
        {"x://{a}", {{"a", "\xff"}}},
        {"x://{a}", {{"a", "b\n"}}},
        {"x://{+a}", {{"a", "b/../c"}}},
        {"x://{a}-{b}", {{"a", "1-2"}, {"b", "3"}}},
    };
    for (const auto& [text, given] : rows)
        BOOST_CHECK_THROW(uri_template(text).expand(given), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
