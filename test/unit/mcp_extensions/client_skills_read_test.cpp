// Files of skills that a client reads: they are what the skill says.

#include "scripted_skills.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>

using namespace skills_test;

BOOST_FIXTURE_TEST_SUITE(client_skills_read, skills_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_file_is_read_by_its_path_or_uri)
{
    start();
    const mcp::skill of = refunds();
    constexpr const char* uri = "skill://acme/refunds/templates/form.md";
    for (const char* const name : {"templates/form.md", "./templates/../templates/%66orm.md#part", uri})
        BOOST_TEST(result(read(of, name, uri, contents_of(uri, form_text))).data == form_text, name);
    const mcp::resource_part whole = result(read(of, "SKILL.md", of.uri, contents_of(of.uri, refunds_text)));
    BOOST_TEST(whole.data == refunds_text);
    BOOST_TEST(whole.uri == of.uri);
    BOOST_TEST(whole.mime_type == "text/markdown");
    BOOST_TEST(!whole.is_binary);
}

BOOST_AUTO_TEST_CASE(a_name_with_a_colon_is_a_path)
{
    start();
    json::object entry = refunds_entry();
    constexpr const char* uri = "skill://acme/refunds/a:b.md";
    entry["resources"].as_array().push_back(file_entry(uri, "A"));
    const mcp::skill of = refunds(std::move(entry));
    BOOST_TEST(result(read(of, "a:b.md", uri, contents_of(uri, "A"))).data == "A");
}

BOOST_AUTO_TEST_CASE(bytes_come_in_base64)
{
    start();
    json::object entry = refunds_entry();
    entry["resources"].as_array().push_back(file_entry("skill://acme/refunds/a.bin", "fo"));
    const mcp::skill of = refunds(std::move(entry));
    constexpr const char* uri = "skill://acme/refunds/a.bin";
    const auto blob = [&](const char* encoded) {
        return json::object{{"contents", json::array{json::object{{"uri", uri}, {"blob", encoded}}}}};
    };
    const mcp::resource_part got = result(read(of, "a.bin", uri, blob("Zm8=")));
    BOOST_TEST(got.is_binary);
    BOOST_TEST(got.data == "fo");
    expect_failure(read(of, "a.bin", uri, blob("Zm8")), client_errc::bad_result, "Base64");
}

BOOST_AUTO_TEST_CASE(what_is_not_what_the_skill_says_is_not_given)
{
    start();
    const mcp::skill of = refunds();
    constexpr const char* uri = "skill://acme/refunds/templates/form.md";
    expect_failure(read(of, uri, uri, contents_of(uri, form_text + "more")), skill_errc::wrong_size,
                   "expected 9 bytes, got 13");
    expect_failure(read(of, uri, uri, contents_of(uri, "Sum: 4..\n")), skill_errc::wrong_digest, digest_of(form_text));
    expect_failure(read(of, uri, uri, contents_of("skill://acme/refunds/other.md", form_text)), client_errc::bad_result,
                   uri);
    expect_failure(read(of, uri, uri, {{"contents", json::array{}}}), client_errc::bad_result, uri);
    expect_failure(read(of, uri, uri, {{"contents", json::array{json::object{{"uri", uri}}}}}),
                   client_errc::bad_result);
}

// The URI of a part is decoded once: what is encoded twice is another one.
BOOST_AUTO_TEST_CASE(a_part_may_spell_its_uri_in_another_way)
{
    start();
    json::object entry = refunds_entry();
    entry["uri"] = "github://acme/refunds/SKILL.md";
    entry["resources"] = json::array{file_entry("github://acme/refunds/SKILL.md", "x"),
                                     file_entry("github://acme/refunds/50%2525.md", "A")};
    const started_task<mcp::skill> asked = begin(skills().get("github://acme/refunds/SKILL.md"));
    answer(expect_request("skills/get", R"({"uri":"github://acme/refunds/SKILL.md"})"), {{"skill", std::move(entry)}});
    const mcp::skill of = result(asked);
    constexpr const char* uri = "github://acme/refunds/50%2525.md"; // of a file that is named "50%25.md"
    BOOST_TEST(result(read(of, uri, uri, contents_of("github://acme/%72efunds/50%2525.m%64", "A"))).data == "A");
    for (const char* const other : {"github://acme/refunds/50%25.md", "github://acme/refunds/50%252525.md",
                                    "github://acme%2Frefunds/50%2525.md", "github://acme/refunds/50%.md"})
        expect_failure(read(of, uri, uri, contents_of(other, "A")), client_errc::bad_result, uri);
}

BOOST_AUTO_TEST_CASE(the_frontmatter_of_a_skill_is_that_of_its_entry)
{
    how.read_frontmatter = read_plain;
    start();
    const auto reading = [&](const std::string& file) {
        json::object entry = refunds_entry();
        entry["resources"] = "dynamic";
        const mcp::skill of = refunds(std::move(entry));
        return read(of, "SKILL.md", of.uri, contents_of(of.uri, file));
    };
    BOOST_TEST(result(reading(refunds_text)).data == refunds_text);
    expect_failure(reading("---\nname: refunds\ndescription: Steals.\n---\n"), skill_errc::wrong_frontmatter,
                   "\"description\" differs");
    expect_failure(reading("---\nname: refunds\ndescription: Pays back.\nallowed-tools: Bash\n---\n"),
                   skill_errc::wrong_frontmatter, "\"allowed-tools\" differs");
    expect_failure(reading("---\nname: refunds\nx\n---\n"), skill_errc::wrong_frontmatter,
                   "SKILL.md: expected \"name: value\", got \"x\"");
    expect_failure(reading("# Refunds\n"), skill_errc::wrong_frontmatter, "SKILL.md: line 1: ");
}

BOOST_AUTO_TEST_CASE(without_a_reader_the_frontmatter_is_left_to_the_program)
{
    start();
    json::object entry = refunds_entry();
    entry["resources"] = "dynamic";
    const mcp::skill of = refunds(std::move(entry));
    BOOST_TEST(result(read(of, "SKILL.md", of.uri, contents_of(of.uri, "# Refunds\n"))).data == "# Refunds\n");
}

BOOST_AUTO_TEST_CASE(a_file_that_the_skill_does_not_have_is_not_asked_for)
{
    start();
    const mcp::skill of = refunds();
    for (const char* const name : {"other.md", "../other/SKILL.md", "templates", "templates/", "", "/etc/passwd",
                                   "file:///etc/passwd", "skill://acme/other/SKILL.md"})
        expect_failure(begin(skills().read(of, name)), skill_errc::no_such_file, of.uri);
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_dynamic_skill_has_any_file_below_it)
{
    start();
    json::object entry = refunds_entry();
    entry["resources"] = "dynamic";
    const mcp::skill of = refunds(std::move(entry));
    constexpr const char* uri = "skill://acme/refunds/today.md";
    BOOST_TEST(result(read(of, "today.md", uri, contents_of(uri, "anything"))).data == "anything");
    constexpr const char* spelled = "skill://acme/%72efunds/x/../to%64ay.md"; // a URI is sent as it was given
    BOOST_TEST(result(read(of, spelled, spelled, contents_of(spelled, "anything"))).data == "anything");
    for (const char* const name : {"../a.md", "skill://acme/other/a.md", "file:///etc/passwd", "skill:a.md"})
        expect_failure(begin(skills().read(of, name)), skill_errc::no_such_file);
    expect_silence();
}

BOOST_AUTO_TEST_SUITE_END()
