// Skills that a client gets of a server, which the test plays.

#include "scripted_skills.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

using namespace skills_test;

BOOST_FIXTURE_TEST_SUITE(client_skills, skills_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(they_are_declared_and_found_in_either_era)
{
    BOOST_TEST(!skills().served());
    start(has_folders);
    BOOST_TEST(skills().served());
    BOOST_TEST(skills().can_read_directories());
    skills_fixture other;
    other.skills();
    other.start_legacy(has_skills);
    BOOST_TEST(other.skills().served());
    BOOST_TEST(!other.skills().can_read_directories());
    BOOST_CHECK_THROW(mcp::client_skills{client()}, std::logic_error);
}

BOOST_AUTO_TEST_CASE(a_server_without_them_is_asked_nothing)
{
    start("{}");
    BOOST_TEST(!skills().served());
    expect_failure(begin(skills().list()), client_errc::not_declared);
    expect_failure(begin(skills().get("skill://a/SKILL.md")), client_errc::not_declared);
    expect_failure(begin(skills().read_directory("skill://a")), client_errc::not_declared);
    expect_silence();
}

BOOST_AUTO_TEST_CASE(all_pages_are_listed)
{
    start();
    const started_task<std::vector<mcp::skill>> asked = begin(skills().list());
    answer_list({refunds_entry()}, "{}", "more");
    json::object dynamic = refunds_entry();
    dynamic["uri"] = "github://acme/r/refunds/SKILL.md";
    dynamic["resources"] = "dynamic";
    dynamic["_meta"] = json::object{{"com.example/by", "me"}};
    answer_list({std::move(dynamic)}, R"({"cursor":"more"})");
    const std::vector<mcp::skill> all = result(asked);
    BOOST_REQUIRE(all.size() == 2u);
    BOOST_TEST(all[0].uri == "skill://acme/refunds/SKILL.md");
    BOOST_TEST(all[0].name == "refunds");
    BOOST_TEST(all[0].description == "Pays back.");
    BOOST_TEST(all[0].frontmatter.size() == 2u);
    BOOST_TEST(!all[0].is_dynamic);
    BOOST_REQUIRE(all[0].resources.size() == 2u);
    BOOST_TEST(all[0].resources[1].uri == "skill://acme/refunds/templates/form.md");
    BOOST_TEST(all[0].resources[1].size == form_text.size());
    BOOST_TEST(all[0].resources[1].digest == digest_of(form_text));
    BOOST_TEST(all[1].is_dynamic);
    BOOST_TEST(all[1].resources.empty());
    BOOST_TEST(all[1].meta.contains("com.example/by"));
    expect_silence(); // no file is read ahead
}

BOOST_AUTO_TEST_CASE(lists_are_bounded)
{
    how.max_pages = 3;
    start();
    const started_task<std::vector<mcp::skill>> same = begin(skills().list());
    answer_list({}, "{}", "a");
    answer_list({}, R"({"cursor":"a"})", "a");
    expect_failure(same, client_errc::endless_list, "twice");
    const started_task<std::vector<mcp::skill>> cycle = begin(skills().list());
    answer_list({}, "{}", "a");
    answer_list({}, R"({"cursor":"a"})", "b");
    answer_list({}, R"({"cursor":"b"})", "a");
    expect_failure(cycle, client_errc::endless_list, "twice");
    const started_task<std::vector<mcp::skill>> many = begin(skills().list());
    answer_list({}, "{}", "a");
    answer_list({}, R"({"cursor":"a"})", "b");
    answer_list({}, R"({"cursor":"b"})", "c");
    expect_failure(many, client_errc::endless_list, "3 pages");
    skills_fixture other;
    other.how.max_list_bytes = 100;
    other.start();
    const started_task<std::vector<mcp::skill>> large = other.begin(other.skills().list());
    other.answer_list({refunds_entry()}, "{}", "a");
    other.expect_failure(large, client_errc::endless_list, "100 bytes");
    const started_task<std::vector<mcp::skill>> unread = other.begin(other.skills().list());
    other.answer_list(json::array(100, 1)); // which are no entries: bytes are counted before they are read
    other.expect_failure(unread, client_errc::endless_list, "100 bytes");
    const started_task<std::vector<mcp::skill>> last = other.begin(other.skills().list());
    other.answer_list({refunds_entry()}); // the last page counts, too
    other.expect_failure(last, client_errc::endless_list, "100 bytes");
}

BOOST_AUTO_TEST_CASE(another_skill_than_the_one_asked_for_is_refused)
{
    start();
    const started_task<mcp::skill> asked = begin(skills().get("skill://acme/other/SKILL.md"));
    answer(expect_request("skills/get", R"({"uri":"skill://acme/other/SKILL.md"})"), {{"skill", refunds_entry()}});
    expect_failure(asked, client_errc::bad_result, "expected skill://acme/other/SKILL.md");
    const started_task<mcp::skill> unknown = begin(skills().get("skill://a/SKILL.md"));
    refuse(expect_request("skills/get", R"({"uri":"skill://a/SKILL.md"})"), R"({"code":-32602,"message":"None"})");
    BOOST_CHECK_THROW(result(unknown), rpc_error);
}

BOOST_AUTO_TEST_CASE(folders_are_listed_where_the_server_can_do_that)
{
    start(has_folders);
    const started_task<std::vector<mcp::resource_info>> asked = begin(skills().read_directory("skill://acme/refunds"));
    answer(expect_request("resources/directory/read", R"({"uri":"skill://acme/refunds"})"),
           json::parse(R"({"resources":[{"uri":"skill://acme/refunds/a","name":"a","mimeType":"inode/directory"}],
                           "nextCursor":"x"})")
               .as_object());
    answer(expect_request("resources/directory/read", R"({"uri":"skill://acme/refunds","cursor":"x"})"),
           json::parse(R"({"resources":[{"uri":"skill://acme/refunds/b.md","name":"b.md","size":4}]})").as_object());
    const std::vector<mcp::resource_info> all = result(asked);
    BOOST_REQUIRE(all.size() == 2u);
    BOOST_TEST(all[0].mime_type == "inode/directory");
    BOOST_TEST(all[1].name == "b.md");
    BOOST_TEST((all[1].size == 4u));
    skills_fixture other;
    other.start();
    other.expect_failure(other.begin(other.skills().read_directory("skill://a")), client_errc::not_declared,
                         "directoryRead");
    other.expect_silence();
}

BOOST_AUTO_TEST_CASE(it_outlives_its_client)
{
    start();
    const started_task<std::vector<mcp::skill>> asked = begin(skills().list());
    expect_request("skills/list", "{}");
    destroy_client();
    expect_failure(asked, errc::session_closed);
    BOOST_TEST(!skills().served());
    expect_failure(begin(skills().list()), errc::session_closed);
}

BOOST_AUTO_TEST_SUITE_END()
