// Skills of a server, used through the test client.

#include "plain_frontmatter.hpp"
#include "served_skills.hpp"
#include "support/scratch_directory.hpp"
#include "unit/mcp/testing/eras.hpp"
#include "unit/testing/thrown.hpp"

#include <partyline/mcp/mcp.hpp>
#include <partyline/mcp/testing/test_client.hpp>
#include <partyline/mcp_extensions/server_skills.hpp>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace json = boost::json;
namespace mcp = partyline::mcp;
using namespace mcp_test;
using kit::contains;
using partyline::named;
using namespace skills_test;

BOOST_AUTO_TEST_SUITE(server_skills, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(they_are_declared_with_the_resources)
{
    mcp::server server("skills", "1");
    mcp::server_skills skills(server);
    mcp::test_client_options options;
    options.extensions["io.modelcontextprotocol/skills"] = {};
    in_each_era([&](mcp::era era) {
        mcp::test_client client(server, era, options);
        const json::object& capabilities = client.server().capabilities;
        BOOST_TEST(json::serialize(capabilities.at("extensions").at("io.modelcontextprotocol/skills")) ==
                   R"({"directoryRead":true})");
        BOOST_TEST(capabilities.contains("resources"));
        BOOST_TEST(ask_skills(client, "skills/list").at("skills").as_array().empty());
        expect_no_problems(client);
    });
}

BOOST_AUTO_TEST_CASE(an_entry_is_the_same_in_the_list_and_by_itself)
{
    mcp::server server("skills", "1");
    mcp::server_skills skills(server);
    BOOST_TEST(add_skill(skills, "refunds", "acme/").uri() == "skill://acme/refunds/SKILL.md");
    in_each_era([&](mcp::era era) {
        mcp::test_client client(server, era);
        const json::value listed = ask_skills(client, "skills/list");
        const json::value got = ask_skills(client, "skills/get", named("uri", "skill://acme/refunds/SKILL.md"));
        BOOST_REQUIRE(listed.at("skills").as_array().size() == 1u);
        BOOST_TEST(listed.at("skills").at(0) == got.at("skill"));
        BOOST_TEST(json::serialize(got.at("skill").at("frontmatter")) ==
                   R"({"name":"refunds","description":"Does refunds.","metadata":{"version":"1.5"}})");
        BOOST_TEST(got.at("skill").at("resources").as_array().size() == 3u);
        for (const json::value* const result : {&listed, &got}) {
            BOOST_TEST(result->as_object().contains("ttlMs") == (era == mcp::era::modern));
            BOOST_TEST(result->as_object().contains("cacheScope") == (era == mcp::era::modern));
            BOOST_TEST(!result->as_object().contains("nextCursor"));
        }
    });
}

BOOST_AUTO_TEST_CASE(each_file_is_a_resource_with_the_bytes_that_were_added)
{
    mcp::server server("skills", "1");
    mcp::server_skills skills(server);
    add_skill(skills, "refunds");
    in_each_era([&](mcp::era era) {
        mcp::test_client client(server, era);
        const mcp::resource_answer text = client.read_resource("skill://refunds/SKILL.md");
        BOOST_REQUIRE(text.parts.size() == 1u);
        BOOST_TEST(text.text() == skill_text("refunds"));
        BOOST_TEST(text.parts[0].mime_type == "text/markdown");
        BOOST_TEST(client.read_resource("skill://refunds/refs/how%20to.md").text() == "So.");
        const mcp::resource_answer picture = client.read_resource("skill://refunds/logo.png");
        BOOST_REQUIRE(picture.parts.size() == 1u);
        BOOST_TEST(picture.parts[0].is_binary);
        BOOST_TEST(picture.parts[0].data == "\x89PNG\xff");
        BOOST_TEST(picture.parts[0].mime_type == "image/png");
        const std::vector<mcp::resource_info> listed = client.resources();
        BOOST_REQUIRE(listed.size() == 1u);
        BOOST_TEST(listed[0].uri == "skill://refunds/SKILL.md");
        BOOST_TEST(listed[0].name == "refunds");
        BOOST_TEST(listed[0].description == "Does refunds.");
        BOOST_TEST(listed[0].mime_type == "text/markdown");
        BOOST_TEST((listed[0].size == skill_text("refunds").size()));
        expect_no_problems(client);
    });
}

BOOST_AUTO_TEST_CASE(what_is_not_there_is_answered_as_the_protocol_has_it)
{
    mcp::server server("skills", "1");
    mcp::server_skills skills(server);
    add_skill(skills, "refunds");
    in_each_era([&](mcp::era era) {
        mcp::test_client client(server, era);
        BOOST_TEST(refused_code(client, "skills/get", named("uri", "skill://none/SKILL.md")) == -32602);
        BOOST_TEST(refused_code(client, "skills/get", named("uri", "skill://refunds/logo.png")) == -32602);
        BOOST_TEST(refused_code(client, "skills/get", json::object{}) == -32602);
        BOOST_TEST(refused_code(client, "skills/list", named("cursor", "nothing")) == -32602);
        BOOST_TEST(refused_code(client, "skills/list", named("cursor", 1)) == -32602);
        BOOST_TEST(refused_code(client, "resources/directory/read", named("uri", "skill://refunds/SKILL.md")) ==
                   -32602);
        BOOST_TEST(refused_code(client, "resources/directory/read", named("uri", "skill://none")) == -32602);
        const int not_found = era == mcp::era::modern ? -32602 : -32002;
        for (const char* const none : {"skill://refunds/none.md", "skill://refunds/refs/../SKILL.md", "skill://refunds",
                                       "skill://refunds/%2e%2e/refunds/SKILL.md"})
            BOOST_TEST(refused_code(client, "resources/read", named("uri", none)) == not_found, none);
    });
}

BOOST_AUTO_TEST_CASE(folders_are_read_where_the_server_has_them_read)
{
    mcp::server server("skills", "1");
    mcp::server_skills skills(server);
    add_skill(skills, "refunds");
    mcp::server closed("skills", "1");
    mcp::server_skills hidden(closed, {.directory_read = false});
    add_skill(hidden, "refunds");
    in_each_era([&](mcp::era era) {
        mcp::test_client client(server, era);
        const json::value root = ask_skills(client, "resources/directory/read", named("uri", "skill://refunds"));
        BOOST_REQUIRE(root.at("resources").as_array().size() == 3u);
        BOOST_TEST(root.at("resources").at(2).at("mimeType") == json::value("inode/directory"));
        BOOST_TEST(root.as_object().contains("ttlMs") == (era == mcp::era::modern));
        const json::value refs = ask_skills(client, "resources/directory/read", named("uri", "skill://refunds/refs"));
        BOOST_TEST(refs.at("resources").at(0).at("uri") == json::value("skill://refunds/refs/how%20to.md"));
        mcp::test_client without(closed, era);
        BOOST_TEST(refused_code(without, "resources/directory/read", named("uri", "skill://refunds")) == -32601);
        const json::value declared = without.server().capabilities.at("extensions");
        BOOST_TEST(json::serialize(declared) == R"({"io.modelcontextprotocol/skills":{}})");
    });
}

BOOST_AUTO_TEST_CASE(clients_are_told_of_skills_that_come_and_go)
{
    mcp::server server("skills", "1");
    mcp::server_skills skills(server);
    add_skill(skills, "first");
    in_each_era([&](mcp::era era) {
        mcp::test_client client(server, era);
        client.run_until_idle();
        mcp::skill_handle added = add_skill(skills, "refunds");
        client.run_until_idle();
        const auto told = client.changes().resources;
        BOOST_TEST(told != 0);
        BOOST_TEST(ask_skills(client, "skills/list").at("skills").as_array().size() == 2u);
        added.remove();
        added.remove();
        client.run_until_idle();
        BOOST_TEST(client.changes().resources > told);
        BOOST_TEST(ask_skills(client, "skills/list").at("skills").as_array().size() == 1u);
        BOOST_TEST(client.resources().size() == 1u);
        BOOST_TEST(refused_code(client, "skills/get", named("uri", "skill://refunds/SKILL.md")) == -32602);
        BOOST_TEST(refused_code(client, "resources/read", named("uri", "skill://refunds/logo.png")) != 0);
    });
}

BOOST_AUTO_TEST_CASE(what_is_refused_leaves_nothing_behind)
{
    mcp::server server("skills", "1");
    mcp::server_skills skills(server);
    server.add_resource("skill://taken/SKILL.md", "taken", "Somebody's own.", [] { return std::string("own"); });
    BOOST_CHECK_THROW(add_skill(skills, "taken"), std::invalid_argument);
    BOOST_CHECK_THROW(skills.add("other", skill_says("refunds"), ""), std::invalid_argument);
    BOOST_CHECK_THROW(skills.add("refunds", {}, ""), std::invalid_argument);
    mcp::test_client client(server, mcp::era::modern);
    BOOST_TEST(ask_skills(client, "skills/list").at("skills").as_array().empty());
    add_skill(skills, "refunds");
    BOOST_CHECK_THROW(add_skill(skills, "refunds"), std::invalid_argument);
    BOOST_TEST(ask_skills(client, "skills/list").at("skills").as_array().size() == 1u);
    BOOST_CHECK_THROW(mcp::server_skills{server}, std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_folder_becomes_a_skill)
{
    const partyline::test::scratch_directory scratch;
    std::filesystem::create_directories(scratch / "refunds/refs");
    std::ofstream(scratch / "refunds/SKILL.md") << skill_text("refunds");
    std::ofstream(scratch / "refunds/refs/a.md") << "A";
    mcp::server server("skills", "1");
    mcp::server_skills skills(server, {.read_frontmatter = skills_test::read_plain});
    mcp::skill_handle added = skills.add_folder(scratch / "refunds");
    BOOST_TEST(added.uri() == "skill://refunds/SKILL.md");
    BOOST_TEST(skills.add_folder(scratch / "refunds/", "acme/billing").uri() ==
               "skill://acme/billing/refunds/SKILL.md");
    std::ofstream(scratch / "refunds/refs/a.md") << "B"; // it is as it was
    mcp::test_client client(server, mcp::era::legacy);
    BOOST_TEST(client.read_resource("skill://refunds/refs/a.md").text() == "A");
    std::ofstream(scratch / "refunds/SKILL.md") << "---\nname: refunds\nx\n---\n";
    added.remove();
    const std::string no_path = kit::thrown_by<boost::system::system_error>([&] { skills.add_folder(""); });
    BOOST_TEST(contains(no_path, "the folder \"\""));
    const std::string why = kit::thrown_by<std::invalid_argument>([&] { skills.add_folder(scratch / "refunds"); });
    BOOST_TEST(contains(why, (scratch / "refunds").string() + "/SKILL.md: expected \"name: value\""));
}

BOOST_AUTO_TEST_CASE(a_folder_is_read_by_the_reader_of_the_options)
{
    mcp::server server("skills", "1");
    mcp::server_skills skills(server);
    const std::string why = kit::thrown_by<std::invalid_argument>([&] { skills.add_folder("refunds"); });
    BOOST_TEST(contains(why, "server_skills_options::read_frontmatter"));
}

BOOST_AUTO_TEST_CASE(handles_and_methods_outlive_what_made_them)
{
    mcp::skill_handle added;
    added.remove();
    BOOST_TEST(added.uri().empty());
    std::optional<mcp::server> server(std::in_place, "skills", "1");
    {
        mcp::server_skills skills(*server);
        added = add_skill(skills, "refunds");
    }
    mcp::server moved = *std::move(server);
    server.reset();
    {
        mcp::test_client client(moved, mcp::era::modern);
        BOOST_TEST(ask_skills(client, "skills/list").at("skills").as_array().size() == 1u);
        added.remove();
        BOOST_TEST(ask_skills(client, "skills/list").at("skills").as_array().empty());
    }
    moved = mcp::server("other", "1");
    added.remove();
    BOOST_TEST(added.uri() == "skill://refunds/SKILL.md");
}

BOOST_AUTO_TEST_SUITE_END()
