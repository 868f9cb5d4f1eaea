// The skills that a server has now.

#include "mcp_extensions/skills/skill_catalogue.hpp"
#include "plain_frontmatter.hpp"
#include "unit/testing/thrown.hpp"

#include <partyline/protocol/error.hpp>

#include <boost/json/value.hpp>
#include <boost/test/unit_test.hpp>

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace json = boost::json;
using namespace partyline::mcp::skills;
using kit::contains;
using partyline::rpc_error;

namespace {

skill_ptr skill_at(const std::string& path, file_map more = {})
{
    const std::string name = path.substr(path.rfind('/') + 1);
    more.emplace("SKILL.md", "---\nname: " + name + "\ndescription: Does " + name + ".\n---\n");
    return read_skill(path, std::move(more), skills_test::read_plain, path);
}

std::vector<std::string> uris_of(const list_part& part)
{
    std::vector<std::string> found;
    for (const json::value& each : part.items)
        found.emplace_back(each.at("uri").as_string());
    return found;
}

using uri_list = std::vector<std::string>;

int catalogue_refusal(const std::function<void()>& act)
{
    try {
        act();
    } catch (const rpc_error& refused) {
        return refused.error().code;
    }
    return 0;
}

} // namespace

BOOST_AUTO_TEST_SUITE(skill_catalogue_rules, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(pages_go_on_where_they_were)
{
    skill_catalogue all(2);
    const skill_ptr b = skill_at("b");
    for (const char* const path : {"c", "a", "x/d"})
        all.add(skill_at(path));
    all.add(b);
    const list_part first = all.list({});
    BOOST_TEST((uris_of(first) == uri_list{"skill://a/SKILL.md", "skill://b/SKILL.md"}));
    BOOST_REQUIRE(first.next_cursor);
    all.remove(b); // the one that the cursor names
    all.add(skill_at("bb"));
    const list_part second = all.list(first.next_cursor);
    BOOST_TEST((uris_of(second) == uri_list{"skill://bb/SKILL.md", "skill://c/SKILL.md"}));
    const list_part last = all.list(second.next_cursor);
    BOOST_TEST((uris_of(last) == uri_list{"skill://x/d/SKILL.md"}));
    BOOST_TEST(!last.next_cursor);
}

BOOST_AUTO_TEST_CASE(a_full_page_at_the_end_is_the_last)
{
    skill_catalogue all(1);
    BOOST_TEST(uris_of(all.list({})).empty());
    all.add(skill_at("a"));
    BOOST_TEST(!all.list({}).next_cursor);
    skill_catalogue unpaged(0);
    unpaged.add(skill_at("a"));
    unpaged.add(skill_at("b"));
    BOOST_TEST(uris_of(unpaged.list({})).size() == 2u);
}

BOOST_AUTO_TEST_CASE(cursors_that_are_none_are_refused)
{
    skill_catalogue all(1);
    all.add(skill_at("a", {{"b/c", ""}}));
    for (const char* const none :
         {"", "x", "skill://a", "skill://SKILL.md", "skill://../SKILL.md", "skill://a/SKILL.md%"})
        BOOST_TEST(catalogue_refusal([&] { all.list(std::string(none)); }) == -32602, none);
    for (const char* const none : {"", "x", "skill://a", "skill://a/b/c", "skill://b/c"})
        BOOST_TEST(catalogue_refusal([&] { all.read_folder("skill://a", std::string(none)); }) == -32602, none);
}

BOOST_AUTO_TEST_CASE(an_entry_is_found_by_its_uri)
{
    skill_catalogue all(0);
    all.add(skill_at("acme/refunds", {{"a.md", ""}}));
    BOOST_TEST(all.get("skill://acme/refunds/SKILL.md").at("uri") == json::value("skill://acme/refunds/SKILL.md"));
    BOOST_TEST(all.get("skill://acme/%72efunds/SKILL.md").at("uri") == json::value("skill://acme/refunds/SKILL.md"));
    for (const char* const none :
         {"", "skill://acme/refunds", "skill://acme/refunds/a.md", "skill://acme/SKILL.md", "skill://SKILL.md",
          "other://acme/refunds/SKILL.md", "skill://acme/refunds/SKILL.md/"})
        BOOST_TEST(catalogue_refusal([&] { all.get(none); }) == -32602, none);
}

BOOST_AUTO_TEST_CASE(folders_are_read_page_by_page)
{
    skill_catalogue all(2);
    all.add(skill_at("acme/refunds", {{"a/b.png", "\xff"}, {"z z.md", "Z"}}));
    const list_part first = all.read_folder("skill://acme/refunds", {});
    BOOST_TEST((uris_of(first) == uri_list{"skill://acme/refunds/SKILL.md", "skill://acme/refunds/a"}));
    BOOST_TEST(first.items[0].at("name") == json::value("refunds"));
    BOOST_TEST(first.items[0].at("description") == json::value("Does refunds."));
    BOOST_TEST(first.items[1].at("name") == json::value("a"));
    BOOST_TEST(first.items[1].at("mimeType") == json::value("inode/directory"));
    const list_part last = all.read_folder("skill://acme/refunds", first.next_cursor);
    BOOST_TEST((uris_of(last) == uri_list{"skill://acme/refunds/z%20z.md"}));
    BOOST_TEST(last.items[0].at("name") == json::value("z z.md"));
    BOOST_TEST(last.items[0].at("size") == json::value(1));
    BOOST_TEST(!last.next_cursor);
    BOOST_TEST(all.read_folder("skill://acme/refunds/a", {}).items[0].at("mimeType") == json::value("image/png"));
}

BOOST_AUTO_TEST_CASE(what_is_no_folder_is_refused)
{
    skill_catalogue all(0);
    all.add(skill_at("acme/refunds", {{"a/b", ""}}));
    for (const char* const none : {"", "skill://acme", "skill://acme/refunds/", "skill://acme/refunds/SKILL.md",
                                   "skill://acme/refunds/a/b", "skill://acme/refunds/c", "other://acme/refunds"})
        BOOST_TEST(catalogue_refusal([&] { all.read_folder(none, {}); }) == -32602, none);
}

BOOST_AUTO_TEST_CASE(a_path_is_taken_once)
{
    skill_catalogue all(0);
    const skill_ptr one = skill_at("a");
    all.add(one);
    const auto again = [&] { all.add(skill_at("a")); };
    BOOST_TEST(contains(kit::thrown_by<std::invalid_argument>(again), "there is one"));
    all.remove(one);
    again();
    all.remove(one); // which is not the one that is there now
    BOOST_TEST(uris_of(all.list({})).size() == 1u);
}

BOOST_AUTO_TEST_CASE(nested_skills_have_the_same_files)
{
    const std::string inner = "---\nname: in\ndescription: Does in.\n---\n";
    const skill_ptr outer = skill_at("out", {{"in/SKILL.md", inner}, {"in/a", "A"}});
    const auto refuses = [](skill_ptr first, skill_ptr second) {
        skill_catalogue all(0);
        all.add(std::move(first));
        const auto add = [&] { all.add(std::move(second)); };
        return contains(kit::thrown_by<std::invalid_argument>(add), "skill out/in: the skill out around it");
    };
    for (const skill_ptr& other : {skill_at("out/in"), skill_at("out/in", {{"a", "B"}}),
                                   skill_at("out/in", {{"a", "A"}, {"b", ""}}), skill_at("out/in", {{"A", "A"}})}) {
        BOOST_TEST(refuses(outer, other));
        BOOST_TEST(refuses(other, outer));
    }
    skill_catalogue all(0);
    all.add(outer);
    const skill_ptr nested = skill_at("out/in", {{"a", "A"}});
    all.add(nested);
    all.add(skill_at("out-in"));
    BOOST_TEST(uris_of(all.list({})).size() == 3u);
    BOOST_TEST(uris_of(all.read_folder("skill://out/in", {})).size() == 2u);
    all.remove(outer);
    BOOST_TEST(all.find_file("out/in/a") != nullptr); // it is still a file of the other one
    BOOST_TEST(all.find_file("out/SKILL.md") == nullptr);
    all.remove(nested);
    BOOST_TEST(all.find_file("out/in/a") == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
