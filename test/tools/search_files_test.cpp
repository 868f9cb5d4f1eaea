#include "folders.hpp"
#include "heard_progress.hpp"
#include "refusal.hpp"
#include "support/text_search.hpp"

#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <command_line/file_uri.hpp>
#include <tools/search_files.hpp>

using partyline::test::contains;
using tools::root_set;
using tools::search_arguments;
using tools::search_match;
using tools::search_result;
using tools::tool_limits;
using tools::test::folders;
using tools::test::heard_progress;
using tools::test::refusal_of;

namespace {

std::string matches_of(const search_result& result)
{
    std::string all;
    for (const search_match& one : result.matches)
        all += one.file + ":" + std::to_string(one.line) + ":" + one.text + " ";
    return all + (result.truncated ? "..." : "");
}

struct fixture : folders {
    search_result search(const search_arguments& what, const tool_limits& limits = {})
    {
        return search_files(root_set({root}), limits, what, progress);
    }
    std::string found(const search_arguments& what) { return matches_of(search(what)); }

    heard_progress progress;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(file_searches, fixture)

BOOST_AUTO_TEST_CASE(files_of_a_root_are_searched)
{
    link("../outside", "out");
    link("../outside/secret.txt", "secret");
    BOOST_TEST(found({.pattern = "within"}) == "a.txt:1:within deep/b.txt:1:deep within ");
    BOOST_TEST(found({.pattern = "deep"}) == "deep/b.txt:1:deep within ");
    BOOST_TEST(found({.pattern = "secret"}) == "");
    BOOST_TEST(found({.pattern = "WITHIN"}) == "");
    BOOST_TEST(found({.pattern = "A.TXT"}) == "");
    BOOST_TEST(found({.pattern = "DEEP W", .case_sensitive = false}) == "deep/b.txt:1:deep within ");
}

BOOST_AUTO_TEST_CASE(a_folder_and_a_glob_narrow_it)
{
    BOOST_TEST(found({.pattern = "within", .root = "deep"}) == "deep/b.txt:1:deep within ");
    BOOST_TEST(found({.pattern = "within", .root = root / "deep//"}) == "deep/b.txt:1:deep within ");
    BOOST_TEST(found({.pattern = "within", .root = "."}) == "a.txt:1:within deep/b.txt:1:deep within ");
    BOOST_TEST(found({.pattern = "within", .glob = "a.*"}) == "a.txt:1:within ");
    BOOST_TEST(found({.pattern = "within", .glob = "deep/*"}) == "deep/b.txt:1:deep within ");
    BOOST_TEST(found({.pattern = "within", .glob = "b.*", .root = "deep"}) == "deep/b.txt:1:deep within ");
    BOOST_TEST(found({.pattern = "within", .glob = "/b.*", .root = "deep"}) == "deep/b.txt:1:deep within ");
}

BOOST_AUTO_TEST_CASE(all_roots_are_searched_unless_one_is_named)
{
    const root_set two({root, outside});
    const search_result both = search_files(two, {}, {.pattern = "t"}, progress);
    BOOST_TEST(matches_of(both) == "root/a.txt:1:within root/deep/b.txt:1:deep within outside/secret.txt:1:secret ");
    const search_result one = search_files(two, {}, {.pattern = "t", .root = "outside"}, progress);
    BOOST_TEST(matches_of(one) == "outside/secret.txt:1:secret ");
}

BOOST_AUTO_TEST_CASE(it_stops_at_the_most_that_is_wanted)
{
    BOOST_TEST(found({.pattern = "within", .max_matches = 1}) == "a.txt:1:within ...");
    BOOST_TEST(found({.pattern = "within", .max_matches = 3}) == "a.txt:1:within deep/b.txt:1:deep within ");
}

BOOST_AUTO_TEST_CASE(what_was_not_read_is_told)
{
    write("big.txt", std::string(1000, 'x'));
    write("binary", std::string_view("within\0", 7));
    const search_result got = search({.pattern = "within"}, {.file_bytes = 100});
    BOOST_TEST(got.matches.size() == 2u);
    BOOST_TEST(got.files_searched == 2u);
    BOOST_TEST(!got.truncated);
    BOOST_TEST_REQUIRE(got.unreadable.size() == 1u);
    BOOST_TEST(got.unreadable[0].file == "big.txt");
    BOOST_TEST(contains(got.unreadable[0].why, "longer than 100 bytes"));
    tool_limits few;
    few.walk.max_entries = 2;
    BOOST_TEST(search({.pattern = "within"}, few).truncated);
}

BOOST_AUTO_TEST_CASE(a_name_that_is_not_utf_8_is_told_as_a_uri_that_is_taken)
{
    write("a\xff.txt", "odd\n");
    BOOST_TEST(found({.pattern = "odd"}) == command_line::file_uri((root / "a\xff.txt").string()) + ":1:odd ");
}

BOOST_AUTO_TEST_CASE(at_the_end_it_has_told_what_it_did)
{
    search({.pattern = "within"});
    BOOST_TEST_REQUIRE(!progress.heard.empty());
    BOOST_TEST(progress.heard.back().done == 2);
    BOOST_TEST(!progress.heard.back().total);
    BOOST_TEST(progress.heard.back().message == "2 files searched, 2 lines found");
}

BOOST_AUTO_TEST_CASE(it_stops_when_it_is_cancelled)
{
    write("big.txt", std::string(1'000'000, '\n'));
    for (int patience = 0; patience < 8; ++patience) {
        heard_progress impatient(patience);
        BOOST_CHECK_THROW(search_files(root_set({root}), {}, {.pattern = "x"}, impatient), boost::system::system_error);
    }
}

BOOST_AUTO_TEST_CASE(arguments_that_make_no_sense_are_refused)
{
    const auto refusal = [&](const search_arguments& what) { return refusal_of([&] { search(what); }); };
    BOOST_TEST(contains(refusal({.pattern = ""}), "has 0 bytes"));
    BOOST_TEST(contains(refusal({.pattern = "x", .glob = "["}), "has a '[' without its ']'"));
    BOOST_TEST(contains(refusal({.pattern = "x", .root = "../outside"}), "leads out of the root"));
    BOOST_TEST(contains(refusal({.pattern = "x", .root = "none"}), "No such file"));
    BOOST_TEST(contains(refusal({.pattern = "x", .root = outside.string()}), "is outside of the roots"));
}

BOOST_AUTO_TEST_SUITE_END()
