// Entries of skills that a client refuses: those of a wicked server, which the test plays.

#include "scripted_skills.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace skills_test;

namespace {

json::object entry_with(const char* key, json::value value)
{
    json::object entry = refunds_entry();
    entry[key] = std::move(value);
    return entry;
}

json::object dynamic_entry(std::string_view uri)
{
    json::object entry = entry_with("uri", json::string(uri));
    entry["resources"] = "dynamic";
    return entry;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(client_skills_entries, skills_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(an_entry_that_is_none_is_named)
{
    start();
    const auto named_as = [](const char* name, const char* uri) {
        return json::object{
            {"uri", uri}, {"frontmatter", {{"name", name}, {"description", "x"}}}, {"resources", "dynamic"}};
    };
    const auto with_file = [&](const char* key, json::value value) {
        json::object file = file_entry("skill://acme/refunds/a.md", "A");
        file[key] = std::move(value);
        json::object entry = refunds_entry();
        entry["resources"].as_array().push_back(std::move(file));
        return entry;
    };
    expect_bad_entry(entry_with("uri", 1), "skills/list: skills[0].uri: expected a string");
    expect_bad_entry(entry_with("uri", "skill://acme/refunds/README.md"), "SKILL.md in a folder");
    expect_bad_entry(entry_with("uri", "acme/refunds/SKILL.md"), "SKILL.md in a folder");
    expect_bad_entry(entry_with("uri", "skill://acme/billing/SKILL.md"), "expected the last folder");
    expect_bad_entry(named_as("..", "skill://acme/%2E%2E/SKILL.md"), "a name that a folder can have");
    expect_bad_entry(named_as(".", "skill://acme/./SKILL.md"), "a name that a folder can have");
    expect_bad_entry(named_as("a/b", "skill://acme/a%2Fb/SKILL.md"), "a name that a folder can have");
    expect_bad_entry(named_as("a\\b", "skill://acme/a%5Cb/SKILL.md"), "a name that a folder can have");
    expect_bad_entry(named_as("a\n", "skill://acme/a%0A/SKILL.md"), "a name that a folder can have");
    expect_bad_entry(named_as("a\xC2\x9B", "skill://acme/a%C2%9B/SKILL.md"), "a name that a folder can have");
    expect_bad_entry(entry_with("frontmatter", nullptr), "skills[0].frontmatter: expected an object");
    expect_bad_entry(entry_with("frontmatter", json::object{{"name", "refunds"}}), "frontmatter.description");
    expect_bad_entry(entry_with("resources", "static"), "expected a list, or \"dynamic\"");
    expect_bad_entry(entry_with("resources", nullptr), "expected a list, or \"dynamic\"");
    expect_bad_entry(entry_with("resources", json::array{}), "among the files");
    expect_bad_entry(with_file("uri", "skill://acme/other/a.md"), "resources[2].uri: expected a file below");
    expect_bad_entry(with_file("uri", "a.md"), "resources[2].uri: expected a file below");
    expect_bad_entry(with_file("uri", "a:b.md"), "resources[2].uri: expected a file below");
    expect_bad_entry(with_file("uri", "skill://acme/refunds/x/../templates/%66orm.md"), "twice");
    expect_bad_entry(with_file("uri", "skill://acme/refunds//templates/form.md"), "expected a file below");
    for (const char* const name : {"..%2F..%2Fetc%2Fpasswd", "a%5Cb", "a%00", "a%0A", "%FF"})
        expect_bad_entry(with_file("uri", json::string("skill://acme/refunds/" + std::string(name))),
                         "names that a file");
    expect_bad_entry(with_file("digest", "sha256:00"), "resources[2].digest");
    expect_bad_entry(with_file("size", -1), "resources[2].size");
    expect_bad_entry(with_file("size", "1"), "resources[2].size");
    expect_bad_entry(with_file("size", 1.5), "resources[2].size");
    const started_task<std::vector<mcp::skill>> none = begin(skills().list());
    answer(expect_request("skills/list", "{}"), {{"skills", json::object{}}});
    expect_failure(none, client_errc::bad_result, "expected a list");
}

BOOST_AUTO_TEST_CASE(a_skill_is_there_once_however_it_is_spelled)
{
    start();
    for (const char* const twin : {"skill://acme/refunds/SKILL.md", "skill://acme/%72efunds/SKILL.md",
                                   "skill://%61%63me/refunds/SKILL.md", "SKILL://acme/refunds/SKILL.md"}) {
        const started_task<std::vector<mcp::skill>> twice = begin(skills().list());
        answer_list({refunds_entry()}, "{}", "more"); // on whatever page
        answer_list({dynamic_entry(twin)}, R"({"cursor":"more"})");
        expect_failure(twice, client_errc::bad_result, "skills[1].uri: " + std::string(twin) + " is there twice");
    }
    const started_task<std::vector<mcp::skill>> accents = begin(skills().list());
    answer_list({dynamic_entry("skill://%c3%a9/refunds/SKILL.md"), dynamic_entry("skill://%C3%A9/refunds/SKILL.md")});
    expect_failure(accents, client_errc::bad_result, "twice");
    const started_task<std::vector<mcp::skill>> others = begin(skills().list());
    answer_list({dynamic_entry("skill://a%2Fb/refunds/SKILL.md"), dynamic_entry("skill://a%252Fb/refunds/SKILL.md"),
                 dynamic_entry("skill://a/b/refunds/SKILL.md"), dynamic_entry("skill://A/b/refunds/SKILL.md")});
    BOOST_TEST(result(others).size() == 4u);
}

BOOST_AUTO_TEST_CASE(a_uri_that_could_be_another_one_is_refused)
{
    start();
    for (const char* const uri : {"skill://acme/../refunds/SKILL.md", "skill://acme/%2e/refunds/SKILL.md",
                                  "skill://ac%me/refunds/SKILL.md", "skill://acme%/refunds/SKILL.md"})
        expect_bad_entry(dynamic_entry(uri), "skills[0].uri: expected two digits behind each \"%\"");
}

BOOST_AUTO_TEST_CASE(uris_command_no_terminal)
{
    start();
    for (const char* const part : {"\x1b[2J", "\n", "\x7f", "\xC2\x9B", "\t"}) {
        const std::string uri = "skill://a" + std::string(part) + "/refunds/SKILL.md";
        expect_bad_entry(dynamic_entry(uri), "skills[0].uri: expected no control characters");
        json::object entry = refunds_entry();
        entry["resources"].as_array().push_back(file_entry("skill://acme/refunds/" + std::string(part), "A"));
        expect_bad_entry(std::move(entry), "resources[2].uri: expected no control characters");
    }
}

BOOST_AUTO_TEST_CASE(uris_have_up_to_8192_bytes)
{
    start();
    const auto with_size = [](std::size_t size) {
        const std::string rest = "/refunds/SKILL.md";
        return dynamic_entry("skill://" + std::string(size - 8 - rest.size(), 'a') + rest);
    };
    const started_task<std::vector<mcp::skill>> longest = begin(skills().list());
    answer_list({with_size(8192)});
    BOOST_TEST(result(longest).size() == 1u);
    expect_bad_entry(with_size(8193), "skills[0].uri: expected up to 8192 bytes, got 8193");
    json::object entry = refunds_entry();
    entry["resources"].as_array().push_back(file_entry("skill://acme/refunds/" + std::string(8192, 'a'), "A"));
    expect_bad_entry(std::move(entry), "resources[2].uri: expected up to 8192 bytes");
}

BOOST_AUTO_TEST_CASE(errors_show_no_more_of_a_server_than_a_line)
{
    start();
    const std::string wicked = "skill://acme/\x1b[2J\n\xE2\x80\xAE" + std::string(5000, 'a') + "/README.md";
    const started_task<std::vector<mcp::skill>> asked = begin(skills().list());
    answer_list({entry_with("uri", json::string(wicked))});
    try {
        result(asked);
        BOOST_ERROR("it has not failed");
    } catch (const boost::system::system_error& failed) {
        const std::string_view text = failed.what();
        BOOST_TEST(text.find("skill://acme/\\u001b[2J\\u000a\\u202eaaa") != std::string_view::npos, text);
        BOOST_TEST(text.size() < 500u);
    }
}

BOOST_AUTO_TEST_CASE(a_frontmatter_is_as_the_server_has_it)
{
    start();
    json::object entry = refunds_entry();
    entry["frontmatter"].as_object()["metadata"] = json::object{{"version", 1.5}, {"", 1}};
    const started_task<std::vector<mcp::skill>> asked = begin(skills().list());
    answer_list({std::move(entry)});
    BOOST_TEST(result(asked).at(0).frontmatter.at("metadata").as_object().size() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
