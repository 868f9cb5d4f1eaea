#include "support/text_search.hpp"
#include "tools/folders.hpp"
#include "tools/refusal.hpp"

#include <boost/test/unit_test.hpp>

#include <tools/files/root_set.hpp>

using partyline::test::contains;
using tools::place;
using tools::root_set;
using tools::test::content_of;
using tools::test::folders;
using tools::test::refusal_of;

namespace {

struct fixture : folders {
    fixture()
    {
        std::filesystem::create_directories(scratch / "other/root");
        partyline::test::write_file(scratch / "other/root/c.txt", "other\n");
    }

    static std::string read(const root_set& roots, const std::string& text)
    {
        const place found = roots.find(text);
        return content_of(found.root->open_file(found.path));
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(root_sets, fixture)

BOOST_AUTO_TEST_CASE(with_one_root_paths_are_relative_to_it_or_absolute)
{
    const root_set one({root});
    BOOST_TEST(read(one, "a.txt") == "within\n");
    BOOST_TEST(read(one, "deep/b.txt") == "deep within\n");
    BOOST_TEST(read(one, root / "deep/b.txt") == "deep within\n");
    BOOST_TEST(read(one, root.string() + "//deep/./b.txt") == "deep within\n");
    BOOST_TEST(one.find(root.string()).path == "");
    BOOST_TEST(one.name_of(one.find("deep/b.txt")) == "deep/b.txt");
    BOOST_TEST(one.name_of(one.find(root.string())) == ".");
}

BOOST_AUTO_TEST_CASE(a_name_that_is_not_utf_8_can_be_given_back)
{
    std::filesystem::create_directories(root / "d\xff");
    partyline::test::write_file(root / "d\xff/100% \xfe.txt", "odd\n");
    const root_set one({root});
    const std::string name = one.name_of(one.find((root / "d\xff/100% \xfe.txt").string()));
    BOOST_TEST(name.starts_with("file:///"));
    BOOST_TEST(name.ends_with("/d%FF/100%25%20%FE.txt"), name);
    BOOST_TEST(read(one, name) == "odd\n");
    const root_set two({root, (scratch / "other/root").string()});
    BOOST_TEST(read(two, name) == "odd\n");
    BOOST_TEST(two.name_of(two.find(name)) == name);
    BOOST_TEST(contains(refusal_of([&] { one.find("file:///etc/passwd"); }), "is outside of the roots"));
    BOOST_TEST(contains(refusal_of([&] { one.find("file://elsewhere/x"); }), "is no URI of a file here"));
}

BOOST_AUTO_TEST_CASE(with_several_they_begin_with_a_name)
{
    const root_set two({root, (scratch / "other/root").string()});
    BOOST_TEST(two.name(0) == "root");
    BOOST_TEST(two.name(1) == "root-2");
    BOOST_TEST(read(two, "root/a.txt") == "within\n");
    BOOST_TEST(read(two, "root-2/c.txt") == "other\n");
    BOOST_TEST(read(two, "root-2//c.txt") == "other\n");
    BOOST_TEST(two.find("root-2").path == "");
    for (const char* const text : {"root/a.txt", "root-2/c.txt", "root", "root-2"})
        BOOST_TEST(two.name_of(two.find(text)) == text);
    const std::string refused = refusal_of([&] { two.find("a.txt"); });
    BOOST_TEST(contains(refused, "'a.txt' does not begin with the name of a root, which are root = '"));
    BOOST_TEST(contains(refused, ", root-2 = '"));
}

BOOST_AUTO_TEST_CASE(the_same_root_twice_is_one)
{
    const root_set one({root, root / "deep/..", root / "."});
    BOOST_TEST(one.size() == 1u);
}

BOOST_AUTO_TEST_CASE(of_roots_within_each_other_the_inner_one_has_its_files)
{
    const root_set nested({root, root / "deep"});
    BOOST_TEST(nested.find((root / "deep/b.txt").string()).path == "b.txt");
    BOOST_TEST(nested.find((root / "deeper").string()).path == "deeper");
}

BOOST_AUTO_TEST_CASE(an_absolute_path_may_go_by_the_link_that_was_given)
{
    std::filesystem::create_symlink(root, outside / "link");
    const root_set one({outside / "link"});
    BOOST_TEST(read(one, outside / "link/a.txt") == "within\n");
    BOOST_TEST(read(one, root / "a.txt") == "within\n");
}

BOOST_AUTO_TEST_CASE(what_is_in_no_root_is_refused_by_name)
{
    const root_set one({root});
    for (const std::string& text :
         {std::string("/etc/passwd"), root.string() + "y/a.txt", outside.string(), std::string("/")}) {
        const std::string refused = refusal_of([&] { one.find(text); });
        BOOST_TEST(contains(refused, "'" + text + "' is outside of the roots, which are '" + root.string() + "'"),
                   refused);
    }
    BOOST_TEST(contains(refusal_of([&] { read(one, root / "../outside/secret.txt"); }), "it leads out"));
}

BOOST_AUTO_TEST_CASE(a_root_may_be_everything)
{
    const root_set all({"/"});
    BOOST_TEST(all.find("/etc/x").path == "etc/x");
    BOOST_TEST(read(all, root / "a.txt") == "within\n");
}

BOOST_AUTO_TEST_CASE(there_is_at_least_one)
{
    BOOST_CHECK_THROW(root_set({}), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
