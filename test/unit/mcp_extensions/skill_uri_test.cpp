// Where skills and their files are.

#include "mcp_extensions/skills/skill_uri.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

using namespace partyline::mcp::skills;

namespace {

constexpr std::string_view billing = "skill://acme/billing/SKILL.md";

// "-" for none.
std::string key_in(std::string_view skill, std::string_view reference)
{
    return file_key(skill, reference).value_or("-");
}

} // namespace

BOOST_AUTO_TEST_SUITE(skill_uri, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(paths_stay_where_they_are)
{
    for (const char* const good : {"a", "a/b.md", "a b/\xC3\xA9", "...", ".a", "a:b"})
        BOOST_TEST(path_problem(good).empty(), good);
    for (const char* const bad :
         {"", "/a", "a/", "a//b", ".", "..", "a/../b", "a/./b", "a\\b", "a\nb", "\xff", "\x7f", "a\xC2\x9B"})
        BOOST_TEST(!path_problem(bad).empty(), bad);
    BOOST_TEST(!path_problem(std::string_view("a\0b", 3)).empty());
    BOOST_TEST(path_problem(std::string(1024, 'a')).empty());
    BOOST_TEST(!path_problem(std::string(1025, 'a')).empty());
}

BOOST_AUTO_TEST_CASE(names_are_short_and_plain)
{
    for (const char* const good : {"a", "7", "pdf-processing", "a-b-c"})
        BOOST_TEST(name_problem(good).empty(), good);
    for (const char* const bad : {"", "A", "a_b", "a.b", "-a", "a-", "a--b", "a/b", "\xC3\xA9"})
        BOOST_TEST(!name_problem(bad).empty(), bad);
    BOOST_TEST(name_problem(std::string(64, 'a')).empty());
    BOOST_TEST(!name_problem(std::string(65, 'a')).empty());
}

BOOST_AUTO_TEST_CASE(uris_are_encoded_and_found_in_any_spelling)
{
    BOOST_TEST(uri_of("acme/Q&A \xC3\xA9.md") == "skill://acme/Q%26A%20%C3%A9.md");
    BOOST_TEST(path_of("skill://acme/Q%26A%20%c3%a9.md").value() == "acme/Q&A \xC3\xA9.md");
    BOOST_TEST(path_of("skill://acme/Q&A.md").value() == "acme/Q&A.md");
    BOOST_TEST(!path_of("skills://acme/a"));
    BOOST_TEST(!path_of("skill://a%2"));
    BOOST_TEST(!path_of("skill://a%zz"));
}

BOOST_AUTO_TEST_CASE(one_uri_has_one_key_in_all_spellings)
{
    const std::string key = spelling_key("skill://acme/r%C3%A9/a~b").value();
    for (const char* const same :
         {"skill://acme/r\xC3\xA9/a~b", "skill://acme/r%c3%a9/a%7eb", "SKILL://%61cme/r%C3%A9/a%7Eb"})
        BOOST_TEST(spelling_key(same).value() == key, same);
    for (const char* const other :
         {"skill://acme/r%25C3%25A9/a~b", "skill://Acme/r%C3%A9/a~b", "skill://acme/r%C3%A9%2Fa~b",
          "skills://acme/r%C3%A9/a~b", "skill:///acme/r%C3%A9/a~b", "skill://acme/r%C3%A9//a~b"})
        BOOST_TEST(spelling_key(other).value() != key, other);
    for (const char* const none : {"skill://a/%", "skill://a/%4", "skill://a/%4g", "skill://a/../b", "skill://a/%2E/b"})
        BOOST_TEST(!spelling_key(none), none);
    BOOST_TEST((spelling_key("custom:Skills/a") != spelling_key("custom:skills/a")));
}

BOOST_AUTO_TEST_CASE(uris_are_bounded)
{
    const std::string front = "skill://a/";
    const std::string longest = front + std::string(8192 - front.size(), 'b');
    BOOST_TEST((path_of(longest) && spelling_key(longest) && key_of_uri("skill://a/SKILL.md", longest)));
    const std::string more = longest + "b";
    BOOST_TEST((!path_of(more) && !spelling_key(more) && !key_of_uri("skill://a/SKILL.md", more)));
}

BOOST_AUTO_TEST_CASE(keys_stand_for_files_that_can_be)
{
    for (const char* const good : {"a", "a/b.md", "a%20b/%C3%A9", "a%3Fb"})
        BOOST_TEST(has_file_names(good), good);
    for (const char* const bad : {"a%2Fb", "..%2F..%2Fetc/passwd", "a%5Cb", "a/%00", "a/%0A", "%FF", ""})
        BOOST_TEST(!has_file_names(bad), bad);
}

BOOST_AUTO_TEST_CASE(a_path_is_below_its_parent)
{
    BOOST_TEST(parent_of("a/b/c") == "a/b");
    BOOST_TEST(parent_of("a").empty());
    BOOST_TEST(last_segment("a/b") == "b");
    BOOST_TEST(last_segment("a") == "a");
}

BOOST_AUTO_TEST_CASE(a_skill_is_named_by_its_folder)
{
    BOOST_TEST(name_in(billing).value() == "billing");
    BOOST_TEST(name_in("github://o/r/refunds/SKILL.md").value() == "refunds");
    BOOST_TEST(name_in("skill://r%C3%A9/SKILL.md").value() == "r\xC3\xA9");
    for (const char* const none :
         {"", "SKILL.md", "/SKILL.md", "skill:///SKILL.md", "skill://a/README.md", "skill://a/xSKILL.md", "a/SKILL.md",
          "/a/SKILL.md", "//a/SKILL.md", "1a://b/SKILL.md", "skill:SKILL.md", "skill:/SKILL.md", "skill:///SKILL.md",
          "skill://a?b=/c/SKILL.md", "skill://a#/c/SKILL.md"})
        BOOST_TEST(!name_in(none), none);
}

BOOST_AUTO_TEST_CASE(a_file_has_one_key_in_all_spellings)
{
    BOOST_TEST(key_in(billing, "SKILL.md") == "SKILL.md");
    BOOST_TEST(key_in(billing, billing) == "SKILL.md");
    BOOST_TEST(key_in(billing, "a/./b.md") == "a/b.md");
    BOOST_TEST(key_in(billing, "a/../b.md") == "b.md");
    BOOST_TEST(key_in(billing, "%61.md#part") == "a.md");
    BOOST_TEST(key_in(billing, "Q&A.md") == key_in(billing, "skill://acme/billing/Q%26A.md"));
    BOOST_TEST(key_in(billing, "skill://acme/%62illing/a.md") == "a.md");
    BOOST_TEST(key_in("custom:skills/billing/SKILL.md", "custom:skills/billing/a.md") == "a.md");
    BOOST_TEST(key_in(billing, "a:b.md") == key_in(billing, "skill://acme/billing/a:b.md")); // no URI, but a name
    BOOST_TEST(key_in(billing, "a%2Fb.md") == "a%2Fb.md"); // a name with a slash in it
    BOOST_TEST(key_in(billing, "a%252Fb.md") != key_in(billing, "a%2Fb.md"));
}

BOOST_AUTO_TEST_CASE(a_uri_is_told_from_a_path)
{
    for (const char* const path : {"a.md", "a:b.md", "./skill://acme/billing/a.md", "%73kill://a", "1:/a", "#a"})
        BOOST_TEST(uri_in(billing, path).empty(), path);
    BOOST_TEST(uri_in(billing, "skill://acme/%62illing/a.md#b") == "skill://acme/%62illing/a.md");
    BOOST_TEST(uri_in(billing, "skill:a.md") == "skill:a.md");
    BOOST_TEST(uri_in(billing, "file:/a") == "file:/a");
    for (const char* const path : {"a.md", "./a.md", "a:b.md"})
        BOOST_TEST(!key_of_uri(billing, path), path);
    BOOST_TEST(key_of_uri(billing, "skill://acme/billing/a.md").value() == "a.md");
    BOOST_TEST(!key_of_uri("acme/billing/SKILL.md", "acme/billing/a.md"));
}

BOOST_AUTO_TEST_CASE(what_is_not_below_the_skill_has_none)
{
    for (const char* const outside : {"",
                                      "#a",
                                      "..",
                                      "../other/SKILL.md",
                                      "a/../../b",
                                      "a//b",
                                      ".//SKILL.md",
                                      "skill://acme/billing//SKILL.md",
                                      "%2e%2e/b",
                                      "a/%2E%2E/%2e./b",
                                      "/a",
                                      "a/",
                                      "a/.",
                                      "a/b/..",
                                      "a%",
                                      "a%4",
                                      "skill://acme/billing",
                                      "skill://acme/billing/",
                                      "skill://acme/billing-other/a.md",
                                      "skill://other/billing/a.md",
                                      "github://acme/billing/a.md",
                                      "skill:a.md",
                                      "file:/a",
                                      "skill://acme/billing/../x/a.md"})
        BOOST_TEST(key_in(billing, outside) == "-", outside);
    BOOST_TEST(file_uri(billing, "a/b.md") == "skill://acme/billing/a/b.md");
}

BOOST_AUTO_TEST_SUITE_END()
