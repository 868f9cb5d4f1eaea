// Skills that are made of their files.

#include "mcp_extensions/skills/digest.hpp"
#include "mcp_extensions/skills/mime_type.hpp"
#include "mcp_extensions/skills/packed_skill.hpp"
#include "mcp_extensions/skills/utf8.hpp"
#include "plain_frontmatter.hpp"
#include "unit/testing/thrown.hpp"

#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace json = boost::json;
namespace mcp = partyline::mcp;
using namespace mcp::skills;
using kit::contains;

namespace {

const std::string refunds_md = "---\nname: refunds\ndescription: Pays back.\n---\nAsk first.\n";

const json::object refunds_says{{"name", "refunds"}, {"description", "Pays back."}};

std::string why_no_skill(std::string path, file_map files)
{
    return kit::thrown_by<std::invalid_argument>(
        [&] { read_skill(path, std::move(files), skills_test::read_plain, path); });
}

} // namespace

BOOST_AUTO_TEST_SUITE(skill_files, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(utf8_is_well_formed)
{
    for (const char* const good :
         {"", "a", "\xC3\xA9", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"})
        BOOST_TEST(is_utf8(good), good);
    for (const char* const bad : {"\x80", "\xC1\x81", "\xC3", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
                                  "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "a\xE2\x82", "\xE2\x82(", "\xFF"})
        BOOST_TEST(!is_utf8(bad), bad);
    BOOST_TEST(count_code_points("a\xC3\xA9\xF0\x9F\x98\x80") == 3u);
}

BOOST_AUTO_TEST_CASE(digests_are_sha256)
{
    // FIPS 180-2, B.1
    BOOST_TEST(digest_of("abc") == "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    BOOST_TEST(is_digest(digest_of("")));
    BOOST_TEST(!is_digest("sha256:BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD"));
    BOOST_TEST(!is_digest(digest_of("").substr(0, 70)));
    BOOST_TEST(!is_digest(digest_of("").substr(7)));
}

BOOST_AUTO_TEST_CASE(base64_has_its_padding)
{
    std::string bytes;
    for (const auto& [text, expected] : {std::pair{"", ""}, {"Zg==", "f"}, {"Zm8=", "fo"}, {"Zm9v", "foo"}})
        BOOST_TEST((decode_base64(text, bytes) && bytes == expected), text);
    for (const char* const bad : {"Z", "Zg", "Zg=", "Zg==\n", " Zg=", "Z===", "====", "Zg==Zg==", "Zm9-"})
        BOOST_TEST(!decode_base64(bad, bytes), bad);
}

BOOST_AUTO_TEST_CASE(types_go_by_the_end_of_the_name)
{
    BOOST_TEST(mime_type_of("a/SKILL.md", true) == "text/markdown");
    BOOST_TEST(mime_type_of("a.PNG", false) == "image/png");
    BOOST_TEST(mime_type_of("LICENSE", true) == "text/plain");
    BOOST_TEST(mime_type_of("a.bin", false) == "application/octet-stream");
}

BOOST_AUTO_TEST_CASE(an_entry_has_all_files)
{
    const file_map all{{"SKILL.md", refunds_md}, {"b/c d.md", "C"}, {"b.png", "\xff"}};
    const skill_ptr made = read_skill("acme/refunds", all, skills_test::read_plain, "x");
    BOOST_TEST(made->uri == "skill://acme/refunds/SKILL.md");
    BOOST_TEST(made->name == "refunds");
    BOOST_TEST(made->description == "Pays back.");
    BOOST_TEST(json::serialize(made->entry.at("frontmatter")) == R"({"name":"refunds","description":"Pays back."})");
    const json::array& files = made->entry.at("resources").as_array();
    BOOST_REQUIRE(files.size() == 3u);
    BOOST_TEST(files[0].at("uri") == json::value("skill://acme/refunds/SKILL.md"));
    BOOST_TEST(files[0].at("digest") == json::value(digest_of(refunds_md)));
    BOOST_TEST(files[0].at("size").to_number<std::size_t>() == refunds_md.size());
    BOOST_TEST(files[1].at("uri") == json::value("skill://acme/refunds/b.png"));
    BOOST_TEST(files[2].at("uri") == json::value("skill://acme/refunds/b/c%20d.md"));
    BOOST_TEST(std::holds_alternative<mcp::text_resource>(made->files.at("acme/refunds/b/c d.md")->contents()));
    BOOST_TEST(std::holds_alternative<mcp::blob_resource>(made->files.at("acme/refunds/b.png")->contents()));
}

BOOST_AUTO_TEST_CASE(a_skill_is_written_of_its_frontmatter)
{
    const skill_ptr made = write_skill("acme/refunds", refunds_says, "Ask first.\n", {{"a", "A"}});
    const std::string expected = "---\nname: \"refunds\"\ndescription: \"Pays back.\"\n---\n\nAsk first.\n";
    BOOST_TEST(made->files.at("acme/refunds/SKILL.md")->bytes == expected);
    BOOST_TEST(made->entry.at("frontmatter") == json::value(refunds_says));
    BOOST_TEST(made->description == "Pays back.");
    BOOST_TEST(made->files.size() == 2u);
    const skill_ptr read =
        read_skill("acme/refunds", {{"SKILL.md", expected}, {"a", "A"}}, skills_test::read_plain, "x");
    BOOST_TEST(read->entry == made->entry);
}

BOOST_AUTO_TEST_CASE(what_can_not_be_written_is_refused)
{
    const auto why = [](const char* key, json::value value, file_map files = {}) {
        json::object says = refunds_says;
        says[key] = std::move(value);
        return kit::thrown_by<std::invalid_argument>([&] { write_skill("refunds", says, "", std::move(files)); });
    };
    BOOST_TEST(contains(why("name", "refund"), "skill refunds/SKILL.md: \"name\" is \"refund\", expected"));
    BOOST_TEST(contains(why("description", 1), "skill refunds/SKILL.md: \"description\": expected a text"));
    BOOST_TEST(contains(why("", 1), "skill refunds/SKILL.md: the member \"\""));
    BOOST_TEST(contains(why("<<", 1), "skill refunds/SKILL.md: the member \"<<\""));
    const std::string large(std::size_t(64) << 10, 'a');
    BOOST_TEST(contains(why("more", json::value(large)), "64 KiB"));
    BOOST_TEST(contains(why("more", 1, {{"SKILL.md", refunds_md}}), "skill refunds: SKILL.md is made of"));
}

BOOST_AUTO_TEST_CASE(folders_have_what_is_in_them)
{
    const skill_ptr made =
        write_skill("refunds", refunds_says, "", {{"a/1", ""}, {"a/b/2", ""}, {"a-b/3", ""}, {"a.md", ""}});
    const auto in = [&](const char* folder) { return made->folders.at(folder); };
    BOOST_TEST(
        (in("refunds") == std::vector<std::string>{"refunds/SKILL.md", "refunds/a", "refunds/a-b", "refunds/a.md"}));
    BOOST_TEST((in("refunds/a") == std::vector<std::string>{"refunds/a/1", "refunds/a/b"}));
    BOOST_TEST((in("refunds/a/b") == std::vector<std::string>{"refunds/a/b/2"}));
    BOOST_TEST(made->folders.size() == 4u);
}

BOOST_AUTO_TEST_CASE(what_is_no_skill_is_refused)
{
    BOOST_TEST(contains(why_no_skill("refunds", {}), "no SKILL.md"));
    BOOST_TEST(
        contains(why_no_skill("refunds", {{"SKILL.md", "# Refunds"}}), "refunds/SKILL.md: line 1: expected \"---\""));
    BOOST_TEST(contains(why_no_skill("refunds", {{"SKILL.md", "---\nname: refunds\nx\n---\n"}}),
                        "refunds/SKILL.md: expected \"name: value\", got \"x\""));
    BOOST_TEST(contains(why_no_skill("refunds", {{"SKILL.md", "---\nname: refunds\n---\n"}}), "\"description\""));
    BOOST_TEST(
        contains(why_no_skill("refund", {{"SKILL.md", refunds_md}}), "expected the name of the folder, \"refund\""));
    BOOST_TEST(contains(why_no_skill("../refunds", {{"SKILL.md", refunds_md}}), "\"..\""));
    BOOST_TEST(contains(why_no_skill("", {{"SKILL.md", refunds_md}}), "empty"));
    BOOST_TEST(contains(why_no_skill("refunds", {{"SKILL.md", refunds_md}, {"../a", ""}}), "\"../a\""));
    BOOST_TEST(contains(why_no_skill("refunds", {{"SKILL.md", refunds_md}, {"a", ""}, {"a/b", ""}}),
                        "both a file and a folder"));
    std::string deep;
    for (int i = 0; i != 17; ++i)
        deep += "a/";
    BOOST_TEST(contains(why_no_skill("refunds", {{"SKILL.md", refunds_md}, {deep + "b", ""}}), "16 folders"));
    BOOST_TEST(contains(
        why_no_skill("refunds", {{"SKILL.md", refunds_md}, {"a", std::string(std::size_t(16) << 20, 'a')}}), "bytes"));
    file_map many{{"SKILL.md", refunds_md}};
    for (int i = 0; i != 511; ++i)
        many.emplace(std::to_string(i), "");
    BOOST_CHECK_NO_THROW(read_skill("refunds", many, skills_test::read_plain, "x"));
    many.emplace("one more", "");
    BOOST_TEST(contains(why_no_skill("refunds", many), "513 files"));
}

BOOST_AUTO_TEST_CASE(a_path_is_bounded_as_a_whole)
{
    const auto add = [](std::size_t size) {
        return write_skill("refunds", refunds_says, "", {{std::string(size, 'a'), ""}});
    };
    BOOST_TEST(add(1024 - 8)->files.size() == 2u); // "refunds/" is in front
    BOOST_TEST(contains(kit::thrown_by<std::invalid_argument>([&] { add(1025 - 8); }), "1024 bytes at most"));
}

BOOST_AUTO_TEST_CASE(the_size_in_a_reply_is_that_of_its_json)
{
    BOOST_TEST(size_in_reply("") == 0u);
    for (const std::string_view text : {"a\xC3\xA9/\x7f", "\"\\", "\b\f\n\r\t", "\x01\x1f", "a\nb \"c\" \x02"})
        BOOST_TEST(size_in_reply(text) == json::serialize(json::string_view(text)).size() - 2, text);
    BOOST_TEST(size_in_reply("\xff") == 4u); // in Base64
    BOOST_TEST(size_in_reply("\xff\xff\xff") == 4u);
    BOOST_TEST(size_in_reply("\xff\xff\xff\xff") == 8u);
    BOOST_TEST(size_in_reply(std::string_view("\0", 1)) == 4u);
}

BOOST_AUTO_TEST_CASE(a_file_fits_a_reply)
{
    const auto why = [](std::string bytes) {
        return kit::thrown_by<std::invalid_argument>(
            [&] { write_skill("refunds", refunds_says, "", {{"a", std::move(bytes)}}); });
    };
    constexpr std::size_t most = max_size_in_reply / 6; // each byte has an escape of six
    BOOST_TEST(why(std::string(most, '\x01')) == "nothing was thrown");
    BOOST_TEST(contains(why(std::string(most + 1, '\x01')), "the file \"a\" takes 16711686 bytes in a reply"));
}

BOOST_AUTO_TEST_CASE(the_entry_file_is_utf8)
{
    const auto why = [](const std::string& behind) {
        return why_no_skill("refunds", {{"SKILL.md", refunds_md + behind}});
    };
    BOOST_TEST(why("\xC3\xA9\n") == "nothing was thrown");
    BOOST_TEST(why("a\n\xE2\x82\nb\n") == "skill refunds/SKILL.md: line 7: expected UTF-8 without NUL");
    BOOST_TEST(why("\xff") == "skill refunds/SKILL.md: line 6: expected UTF-8 without NUL");
    BOOST_TEST(why(std::string("\0", 1)) == "skill refunds/SKILL.md: line 6: expected UTF-8 without NUL");
    const std::string written =
        kit::thrown_by<std::invalid_argument>([] { write_skill("refunds", refunds_says, "a\n\xff\n", {}); });
    BOOST_TEST(written == "skill refunds/SKILL.md: line 7: expected UTF-8 without NUL");
}

BOOST_AUTO_TEST_CASE(errors_command_no_terminal)
{
    BOOST_TEST(contains(why_no_skill("refunds", {{"SKILL.md", refunds_md}, {"\x1b[2J", ""}}), "\"\\u001b[2J\""));
    BOOST_TEST(contains(why_no_skill("\x1b[2J", {{"SKILL.md", refunds_md}}), "skill \\u001b[2J: "));
}

BOOST_AUTO_TEST_SUITE_END()
