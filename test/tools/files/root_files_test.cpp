#include "support/text_search.hpp"
#include "tools/folders.hpp"
#include "tools/refusal.hpp"

#include <boost/test/unit_test.hpp>

#include <command_line/file_uri.hpp>
#include <tools/files/root_files.hpp>

using command_line::file_uri;
using partyline::test::contains;
using tools::file_page;
using tools::list_files;
using tools::root_set;
using tools::whole_file;
using tools::test::folders;
using tools::test::refusal_of;

namespace {

std::string names_of(const file_page& page)
{
    std::string all;
    for (const tools::listed_file& one : page.files)
        all += one.name + " ";
    return all + (page.next ? "then " + std::to_string(*page.next) : "");
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(files_of_roots, folders)

BOOST_AUTO_TEST_CASE(all_files_of_all_roots_are_listed_in_pages)
{
    const root_set two({root, outside});
    link("../outside/secret.txt", "link");
    BOOST_TEST(names_of(list_files(two, {}, 0, 10)) == "root/a.txt root/deep/b.txt outside/secret.txt ");
    BOOST_TEST(names_of(list_files(two, {}, 0, 2)) == "root/a.txt root/deep/b.txt then 2");
    BOOST_TEST(names_of(list_files(two, {}, 2, 2)) == "outside/secret.txt ");
    BOOST_TEST(names_of(list_files(two, {}, 1, 1)) == "root/deep/b.txt then 2");
    BOOST_TEST(names_of(list_files(two, {}, 9, 1)) == "");
}

BOOST_AUTO_TEST_CASE(a_file_that_is_listed_can_be_read_by_its_uri)
{
    write("a b\xff.txt", "odd\n");
    const root_set one({root});
    const file_page page = list_files(one, {}, 0, 10);
    BOOST_TEST_REQUIRE(page.files.size() == 3u);
    BOOST_TEST(page.files[0].name == page.files[0].uri);
    BOOST_TEST(page.files[0].uri == "file://" + root.string() + "/a%20b%FF.txt");
    BOOST_TEST(read_file(one, page.files[0].uri, 100).bytes == "odd\n");
    BOOST_TEST(read_file(one, page.files[1].uri, 100).bytes == "within\n");
}

BOOST_AUTO_TEST_CASE(text_is_told_from_what_is_none)
{
    const root_set one({root});
    const auto is_text = [&](std::string_view content) {
        write("file", content);
        const whole_file got = read_file(one, file_uri((root / "file").string()), 1'000'000);
        BOOST_TEST((got.bytes == content));
        return got.is_text;
    };
    BOOST_TEST(is_text(""));
    BOOST_TEST(is_text("\u00e9"));
    BOOST_TEST(!is_text("\xff"));
    BOOST_TEST(!is_text(std::string_view("a\0", 2)));
    BOOST_TEST(is_text(std::string(std::size_t(64) << 10, 'x')));
    BOOST_TEST(is_text(std::string(500'000, 'x')));
}

BOOST_AUTO_TEST_CASE(what_is_in_no_root_is_refused)
{
    const root_set one({root});
    const auto refusal = [&](const std::string& uri) { return refusal_of([&] { read_file(one, uri, 5); }); };
    BOOST_TEST(contains(refusal("file:///etc/passwd"), "is outside of the roots"));
    BOOST_TEST(contains(refusal(file_uri((root / "../outside/secret.txt").string())), "leads out of the root"));
    BOOST_TEST(contains(refusal("file://" + root.string() + "/%2e%2e/outside/secret.txt"), "leads out of the root"));
    BOOST_TEST(contains(refusal(file_uri((root / "a.txt").string())), "longer than 5 bytes"));
    BOOST_TEST(contains(refusal("file://" + root.string() + "/a.txt%00"), "no path has a zero byte"));
}

BOOST_AUTO_TEST_SUITE_END()
