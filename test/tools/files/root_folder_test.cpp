#include "support/text_search.hpp"
#include "tools/folders.hpp"
#include "tools/refusal.hpp"

#include <boost/test/unit_test.hpp>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

using partyline::test::contains;
using tools::path_lookup;
using tools::root_folder;
using tools::test::content_of;
using tools::test::folders;
using tools::test::may_not_read_everything;
using tools::test::refusal_of;

namespace {

constexpr path_lookup both[] = {path_lookup::by_kernel, path_lookup::by_component};

struct fixture : folders {
    std::string read(const std::string& path, path_lookup lookup = path_lookup::by_kernel) const
    {
        return content_of(root_folder(root, lookup).open_file(path));
    }
    std::string refusal(const std::string& path, path_lookup lookup = path_lookup::by_kernel) const
    {
        return refusal_of([&] { read(path, lookup); });
    }
    void expect_refusal(const std::string& path, const char* said, path_lookup lookup = path_lookup::by_kernel) const
    {
        const std::string refused = refusal(path, lookup);
        BOOST_TEST(contains(refused, said), "'" << refused << "' instead of '" << said << "', for " << path);
    }
};

void make_socket(const std::filesystem::path& path)
{
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    path.string().copy(address.sun_path, sizeof address.sun_path - 1);
    const partyline::test::unique_fd socket(::socket(AF_UNIX, SOCK_STREAM, 0));
    partyline::test::checked(::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), "bind");
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(root_folders, fixture)

BOOST_AUTO_TEST_CASE(the_kernel_looks_up_where_it_can)
{
    BOOST_TEST((root_folder(root).lookup() == path_lookup::by_kernel));
}

BOOST_AUTO_TEST_CASE(a_root_has_the_path_that_links_lead_to)
{
    std::filesystem::create_symlink(root, outside / "link");
    const root_folder by_link(outside / "link/");
    BOOST_TEST(by_link.path() == root.string());
    BOOST_TEST(by_link.given_path() == (outside / "link").string());
    BOOST_TEST(by_link.name() == "root");
    BOOST_TEST(root_folder("/").name() == "root");
}

BOOST_AUTO_TEST_CASE(what_is_no_folder_is_no_root)
{
    BOOST_TEST(contains(refusal_of([&] { root_folder none(root / "none"); }), "/none': No such file or directory"));
    BOOST_TEST(contains(refusal_of([&] { root_folder file(root / "a.txt"); }), "/a.txt': Not a directory"));
}

BOOST_AUTO_TEST_CASE(files_within_are_opened)
{
    for (const path_lookup lookup : both) {
        BOOST_TEST(read("a.txt", lookup) == "within\n");
        BOOST_TEST(read("./deep//b.txt", lookup) == "deep within\n");
        BOOST_TEST(read("deep/er/../b.txt", lookup) == "deep within\n");
        BOOST_TEST(read("deep/../a.txt", lookup) == "within\n");
        const root_folder all(root, lookup);
        BOOST_TEST(bool(all.open_folder("")));
        BOOST_TEST(bool(all.open_folder("deep")));
    }
}

// rule: mcp.resources.traversal
BOOST_AUTO_TEST_CASE(what_leads_out_is_refused_by_name)
{
    for (const path_lookup lookup : both) {
        for (const char* const path :
             {"../outside/secret.txt", "..", "deep/../../outside/secret.txt", "/etc/passwd", "deep/../../root/a.txt"})
            expect_refusal(path, "it leads out of the root", lookup);
        const std::string refused = refusal("../outside/secret.txt", lookup);
        BOOST_TEST(contains(refused, "'../outside/secret.txt'"));
        BOOST_TEST(contains(refused, root.string()));
    }
    BOOST_TEST(contains(refusal_of([&] { root_folder(root).open_folder("../outside"); }), "leads out"));
}

BOOST_AUTO_TEST_CASE(links_may_lead_anywhere_within)
{
    link("a.txt", "same");
    link("../a.txt", "deep/up");
    link("deep", "folder");
    link("same", "link-to-link");
    BOOST_TEST(read("same") == "within\n");
    BOOST_TEST(read("deep/up") == "within\n");
    BOOST_TEST(read("folder/b.txt") == "deep within\n");
    BOOST_TEST(read("folder/up") == "within\n");
    BOOST_TEST(read("link-to-link") == "within\n");
}

// rule: mcp.resources.traversal
BOOST_AUTO_TEST_CASE(links_that_lead_out_are_refused)
{
    link("../outside/secret.txt", "direct");
    link(outside / "secret.txt", "absolute");
    link("../outside", "folder");
    link("folder", "nested");
    link("nested/secret.txt", "third");
    link("/proc/self/root/etc/passwd", "magic");
    for (const char* const path : {"direct", "absolute", "folder/secret.txt", "nested/secret.txt", "third", "magic"})
        expect_refusal(path, "it leads out of the root");
}

BOOST_AUTO_TEST_CASE(links_to_nothing_and_in_circles_are_refused)
{
    link("none", "dangling");
    link("circle", "circle");
    expect_refusal("dangling", "No such file or directory");
    expect_refusal("circle", "too many symbolic links");
}

BOOST_AUTO_TEST_CASE(the_links_of_proc_are_refused_also_where_it_is_the_root)
{
    const root_folder proc("/proc");
    BOOST_TEST(contains(refusal_of([&] { proc.open_file("self/root/etc/passwd"); }),
                        "symbolic links, or through one of /proc"));
    BOOST_TEST(contains(refusal_of([&] { proc.open_folder("self/cwd"); }), "through one of /proc"));
}

BOOST_AUTO_TEST_CASE(without_the_kernel_no_link_is_followed)
{
    link("a.txt", "same");
    link("deep", "folder");
    link("../outside", "out");
    for (const char* const path : {"same", "folder/b.txt", "out/secret.txt"})
        expect_refusal(path, "a symbolic link is on the way", path_lookup::by_component);
    const root_folder all(root, path_lookup::by_component);
    BOOST_TEST(contains(refusal_of([&] { all.open_folder("folder"); }), "a symbolic link is on the way"));
}

BOOST_AUTO_TEST_CASE(only_regular_files_are_read)
{
    BOOST_TEST_REQUIRE(::mkfifo((root / "fifo").c_str(), 0600) == 0);
    make_socket(root / "socket");
    for (const path_lookup lookup : both) {
        expect_refusal("deep", "'deep' is a folder, expected a file", lookup);
        expect_refusal("fifo", "'fifo' is no regular file", lookup);
        expect_refusal("socket", "'socket' is no regular file", lookup);
        expect_refusal("none", "No such file or directory", lookup);
        expect_refusal("a.txt/b", "Not a directory", lookup);
        expect_refusal("", "the path of a file is empty", lookup);
        expect_refusal(std::string("a.txt\0b", 7), "no path has a zero byte", lookup);
        expect_refusal(std::string(5000, 'x'), "File name too long", lookup);
    }
    BOOST_TEST(contains(refusal_of([] { root_folder("/dev").open_file("zero"); }), "'zero' is no regular file"));
    BOOST_TEST(contains(refusal_of([&] { root_folder(root).open_folder("a.txt"); }), "Not a directory"));
}

BOOST_AUTO_TEST_CASE(what_may_not_be_read_is_refused, *boost::unit_test::precondition(may_not_read_everything))
{
    std::filesystem::permissions(root / "a.txt", std::filesystem::perms::none);
    expect_refusal("a.txt", "Permission denied");
}

BOOST_AUTO_TEST_CASE(names_that_are_no_text_are_shown_as_such)
{
    expect_refusal("\x1b[2J\xff", "'\\u001b[2J\ufffd'");
}

BOOST_AUTO_TEST_CASE(a_root_that_is_moved_away_stays_the_same_folder)
{
    const root_folder all(root);
    std::filesystem::rename(root, root.parent_path() / "moved");
    std::filesystem::create_symlink(outside, root);
    BOOST_TEST(content_of(all.open_file("a.txt")) == "within\n");
    BOOST_TEST(contains(refusal_of([&] { all.open_file("secret.txt"); }), "No such file"));
}

BOOST_AUTO_TEST_SUITE_END()
