#include "support/text_search.hpp"
#include "tools/folders.hpp"
#include "tools/refusal.hpp"

#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <tools/files/file_walk.hpp>
#include <unistd.h>

using partyline::test::contains;
using tools::file_walk;
using tools::root_folder;
using tools::walk_limits;
using tools::test::content_of;
using tools::test::folders;
using tools::test::may_not_read_everything;
using tools::test::refusal_of;

namespace {

std::string paths_of(file_walk& walk)
{
    std::string all;
    while (const auto path = walk.next())
        all += *path + " ";
    return all;
}

struct fixture : folders {
    std::string walked(const std::string& start = "", walk_limits limits = {}) const
    {
        const root_folder all(root);
        file_walk walk(all, start, limits);
        return paths_of(walk);
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(file_walks, fixture)

BOOST_AUTO_TEST_CASE(all_files_come_in_order)
{
    write("b/z.txt", "");
    write("b/a.txt", "");
    write("c.txt", "");
    BOOST_TEST(walked() == "a.txt b/a.txt b/z.txt c.txt deep/b.txt ");
    BOOST_TEST(walked("b") == "a.txt z.txt ");
    BOOST_TEST(walked("deep/er") == "");
}

BOOST_AUTO_TEST_CASE(links_are_not_followed_and_what_is_no_file_is_passed_over)
{
    link("a.txt", "file-link");
    link("deep", "folder-link");
    link("../outside", "out");
    link("none", "dangling");
    link("circle", "circle");
    link(".", "deep/self");
    BOOST_TEST_REQUIRE(::mkfifo((root / "fifo").c_str(), 0600) == 0);
    BOOST_TEST(walked() == "a.txt deep/b.txt ");
}

BOOST_AUTO_TEST_CASE(folders_of_version_control_are_passed_over)
{
    write(".git/config", "");
    write("deep/.hg/store", "");
    write(".github/ci.yml", "");
    write(".gitignore", "");
    BOOST_TEST(walked() == ".github/ci.yml .gitignore a.txt deep/b.txt ");
    BOOST_TEST(walked(".git") == "config ");
}

BOOST_AUTO_TEST_CASE(the_start_is_a_folder_within)
{
    BOOST_TEST(contains(refusal_of([&] { walked("../outside"); }), "leads out of the root"));
    BOOST_TEST(contains(refusal_of([&] { walked("none"); }), "No such file"));
    BOOST_TEST(contains(refusal_of([&] { walked("a.txt"); }), "Not a directory"));
}

BOOST_AUTO_TEST_CASE(too_deep_a_folder_is_noted)
{
    write("1/2/3/4/x", "");
    const root_folder all(root);
    file_walk walk(all, "", {.max_depth = 3});
    BOOST_TEST(paths_of(walk) == "a.txt deep/b.txt ");
    BOOST_TEST_REQUIRE(walk.unreadable_count() == 1u);
    BOOST_TEST(walk.unreadable()[0].path == "1/2/3/4");
    BOOST_TEST(walk.unreadable()[0].why == "it lies deeper than 3 folders");
}

BOOST_AUTO_TEST_CASE(a_thousand_folders_within_each_other_are_no_trouble)
{
    partyline::test::unique_fd folder = partyline::test::open_file(root, O_RDONLY | O_DIRECTORY);
    for (int i = 0; i < 1000; ++i) {
        BOOST_TEST_REQUIRE(::mkdirat(folder.get(), "down", 0700) == 0);
        folder = partyline::test::unique_fd(::openat(folder.get(), "down", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        BOOST_TEST_REQUIRE(bool(folder));
    }
    BOOST_TEST(walked() == "a.txt deep/b.txt ");
}

BOOST_AUTO_TEST_CASE(too_many_entries_are_noted)
{
    for (int i = 0; i < 50; ++i)
        write("many/" + std::to_string(i), "");
    const root_folder all(root);
    file_walk walk(all, "many", {.max_entries = 20});
    BOOST_TEST(partyline::test::count_of(paths_of(walk), " ") == 20);
    BOOST_TEST(walk.is_truncated());
    file_walk whole(all, "many", {.max_entries = 50});
    BOOST_TEST(partyline::test::count_of(paths_of(whole), " ") == 50);
    BOOST_TEST(!whole.is_truncated());
}

BOOST_AUTO_TEST_CASE(what_goes_meanwhile_is_passed_over)
{
    write("b.txt", "b\n");
    const root_folder all(root);
    file_walk walk(all, "");
    BOOST_TEST(walk.next().value() == "a.txt");
    BOOST_TEST(content_of(walk.open().value()) == "within\n");
    BOOST_TEST(walk.next().value() == "b.txt");
    std::filesystem::remove(root / "b.txt");
    std::filesystem::remove_all(root / "deep");
    BOOST_TEST(!walk.open());
    BOOST_TEST(!walk.next());
    BOOST_TEST(walk.unreadable_count() == 0u);
}

BOOST_AUTO_TEST_CASE(what_has_become_something_else_is_passed_over)
{
    const root_folder all(root);
    file_walk walk(all, "");
    BOOST_TEST(walk.next().value() == "a.txt");
    std::filesystem::remove(root / "a.txt");
    BOOST_TEST_REQUIRE(::mkfifo((root / "a.txt").c_str(), 0600) == 0);
    BOOST_TEST(!walk.open());
    std::filesystem::remove_all(root / "deep");
    link("../outside", "deep");
    BOOST_TEST(!walk.next());
}

BOOST_AUTO_TEST_CASE(what_may_not_be_read_is_noted, *boost::unit_test::precondition(may_not_read_everything))
{
    std::filesystem::permissions(root / "deep", std::filesystem::perms::none);
    const root_folder all(root);
    file_walk walk(all, "");
    BOOST_TEST(paths_of(walk) == "a.txt ");
    std::filesystem::permissions(root / "deep", std::filesystem::perms::owner_all);
    BOOST_TEST_REQUIRE(walk.unreadable_count() == 1u);
    BOOST_TEST(walk.unreadable()[0].path == "deep");
    BOOST_TEST(walk.unreadable()[0].why == "Permission denied");
}

BOOST_AUTO_TEST_CASE(it_stops_when_it_is_told_to)
{
    int asked = 0;
    const root_folder all(root);
    file_walk walk(all, "", {}, [&] { return ++asked > 1; });
    BOOST_TEST(walk.next().value() == "a.txt");
    BOOST_CHECK_THROW(walk.next(), boost::system::system_error);
}

BOOST_AUTO_TEST_SUITE_END()
