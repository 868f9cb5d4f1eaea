// The skills that a server has now.

#include "mcp_extensions/skills/skill_catalogue.hpp"
#include "plain_frontmatter.hpp"
#include "unit/testing/thrown.hpp"

#include <partyline/protocol/error.hpp>

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <functional>
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

BOOST_AUTO_TEST_CASE(pages_of_skills_have_up_to_1_mib)
{
    const std::string large(std::size_t(59) << 10, 'a');
    skill_catalogue all(0);
    for (int i = 0; i != 20; ++i)
        all.add(write_skill("s" + std::to_string(i),
                            {{"name", "s" + std::to_string(i)}, {"description", "Does."}, {"more", large}}, "", {}));
    const list_part first = all.list({});
    BOOST_TEST(first.items.size() == 17u);
    const std::size_t bytes = json::serialize(first.items).size();
    BOOST_TEST(bytes < max_page_bytes);
    BOOST_TEST(bytes + large.size() > max_page_bytes);
    const list_part last = all.list(first.next_cursor);
    BOOST_TEST(last.items.size() == 3u);
    BOOST_TEST(!last.next_cursor);
}

BOOST_AUTO_TEST_CASE(an_entry_that_is_larger_than_a_page_stands_alone)
{
    file_map many;
    for (int i = 0; i != 500; ++i)
        many.emplace(std::to_string(i) + std::string(1000, ' '), ""); // 3000 bytes in a URI
    skill_catalogue all(0);
    for (const char* const path : {"a", "b", "c"})
        all.add(skill_at(path, path == std::string("b") ? many : file_map()));
    const list_part first = all.list({});
    BOOST_TEST((uris_of(first) == uri_list{"skill://a/SKILL.md"}));
    const list_part second = all.list(first.next_cursor);
    BOOST_TEST((uris_of(second) == uri_list{"skill://b/SKILL.md"}));
    BOOST_TEST((uris_of(all.list(second.next_cursor)) == uri_list{"skill://c/SKILL.md"}));
}

BOOST_AUTO_TEST_CASE(refusals_show_no_more_than_a_line_of_what_was_asked)
{
    skill_catalogue all(0);
    const std::string wicked = "skill://\x1b[2J" + std::string(9000, 'a') + "/SKILL.md";
    for (const auto& ask :
         std::vector<std::function<void()>>{[&] { all.get(wicked); }, [&] { all.read_folder(wicked, {}); }}) {
        const std::string why = kit::thrown_by<rpc_error>(ask);
        BOOST_TEST(contains(why, "skill://\\u001b[2Jaaa"));
        BOOST_TEST(why.size() < 400u);
    }
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
