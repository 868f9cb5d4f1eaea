// Folders that become skills: what is read of them, and what is not.

#include "mcp_extensions/skills/read_folder.hpp"
#include "support/scratch_directory.hpp"
#include "unit/testing/thrown.hpp"

#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include <sys/stat.h>

using namespace partyline::mcp::skills;
using kit::contains;

namespace {

constexpr std::string_view entry_text = "---\nname: refunds\n---\n";

void make_file(const std::filesystem::path& to, std::string_view text)
{
    std::filesystem::create_directories(to.parent_path());
    std::ofstream(to, std::ios::binary) << text;
}

} // namespace

BOOST_AUTO_TEST_SUITE(skill_read_folder, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(a_folder_is_read_without_what_is_hidden)
{
    const partyline::test::scratch_directory scratch;
    make_file(scratch / "refunds/SKILL.md", entry_text);
    make_file(scratch / "refunds/a/b.md", "B");
    make_file(scratch / "refunds/.git/config", "x");
    make_file(scratch / "refunds/.hidden", "x");
    BOOST_TEST((read_folder(scratch / "refunds") == file_map{{"SKILL.md", std::string(entry_text)}, {"a/b.md", "B"}}));
}

BOOST_AUTO_TEST_CASE(no_link_is_followed)
{
    const partyline::test::scratch_directory scratch;
    make_file(scratch / "secret/key", "k");
    const auto fails = [&](const std::filesystem::path& at, const char* name) {
        const std::string why = kit::thrown_by<std::invalid_argument>([&] { read_folder(at); });
        return contains(why, (at / name).string()) && contains(why, "symbolic link");
    };
    make_file(scratch / "one/SKILL.md", entry_text);
    std::filesystem::create_symlink(scratch / "secret/key", scratch / "one/key");
    BOOST_TEST(fails(scratch / "one", "key"));
    make_file(scratch / "two/SKILL.md", entry_text);
    std::filesystem::create_directory_symlink(scratch / "secret", scratch / "two/folder");
    BOOST_TEST(fails(scratch / "two", "folder"));
    std::filesystem::create_directory_symlink(scratch / "secret", scratch / "linked"); // the folder itself may be one
    BOOST_TEST(read_folder(scratch / "linked").size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_folder_that_is_not_there_is_named)
{
    const partyline::test::scratch_directory scratch;
    const std::string why = kit::thrown_by<boost::system::system_error>([&] { read_folder(scratch / "none"); });
    BOOST_TEST(contains(why, (scratch / "none").string()));
}

BOOST_AUTO_TEST_CASE(folders_are_bounded)
{
    const partyline::test::scratch_directory scratch;
    std::string deep = "deep";
    for (int i = 0; i != 17; ++i)
        deep += "/a";
    make_file(scratch / (deep + "/b"), "");
    BOOST_TEST(contains(kit::thrown_by<std::invalid_argument>([&] { read_folder(scratch / "deep"); }), "16 folders"));
    make_file(scratch / "hidden/a", "");
    for (int i = 0; i != 2047; ++i) // other names of one file are made faster than files
        std::filesystem::create_hard_link(scratch / "hidden/a", scratch / ("hidden/." + std::to_string(i) + "x"));
    BOOST_TEST(read_folder(scratch / "hidden").size() == 1u);
    make_file(scratch / "hidden/.more", "");
    BOOST_TEST(contains(kit::thrown_by<std::invalid_argument>([&] { read_folder(scratch / "hidden"); }), "2048 files"));
    make_file(scratch / "large/a", "");
    std::filesystem::resize_file(scratch / "large/a", (std::size_t(16) << 20) + 1);
    BOOST_TEST(
        contains(kit::thrown_by<std::invalid_argument>([&] { read_folder(scratch / "large"); }), "bytes at most"));
    make_file(scratch / "many/a", "");
    for (int i = 0; i != 512; ++i)
        std::filesystem::create_hard_link(scratch / "many/a", scratch / ("many/" + std::to_string(i)));
    BOOST_TEST(contains(kit::thrown_by<std::invalid_argument>([&] { read_folder(scratch / "many"); }), "512 files"));
}

BOOST_AUTO_TEST_CASE(nobody_waits_for_a_pipe)
{
    const partyline::test::scratch_directory scratch;
    make_file(scratch / "one/SKILL.md", entry_text);
    BOOST_REQUIRE(::mkfifo((scratch / "one/pipe").c_str(), 0600) == 0);
    const std::string why = kit::thrown_by<std::invalid_argument>([&] { read_folder(scratch / "one"); });
    BOOST_TEST(contains(why, "one/pipe: expected a file or a folder, got a pipe or a device"));
}

BOOST_AUTO_TEST_CASE(errors_name_files_on_one_line)
{
    const partyline::test::scratch_directory scratch;
    make_file(scratch / "one/SKILL.md", entry_text);
    std::filesystem::create_symlink("nowhere", scratch / "one/a\nb");
    const std::string why = kit::thrown_by<std::invalid_argument>([&] { read_folder(scratch / "one"); });
    BOOST_TEST(contains(why, "/one/a\\u000ab: "));
}

BOOST_AUTO_TEST_SUITE_END()
