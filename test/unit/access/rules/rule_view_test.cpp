#include "access/file/access_file.hpp"
#include "access/rules/free_methods.hpp"
#include "access/rules/view_book.hpp"
#include "gate_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <random>
#include <string>
#include <vector>

using namespace partyline::access;
using partyline::access_answer;
using partyline::access_verdict;

namespace {

using scopes = std::vector<std::string>;

view_book book_of(const std::string& rules)
{
    return view_book(*parse_access_file("{\"rules\": " + rules + "}", {}).rules);
}

// What the design says, word for word: the oracle of the tables.
access_answer judge_slowly(const std::vector<rule>& rules, const std::string& principal, const scopes& has,
                           const std::string& method, const std::string& key)
{
    bool fits_any = std::find(free_methods.begin(), free_methods.end(), method) != free_methods.end();
    if (fits_any)
        return access_answer::allowed;
    for (const rule& one : rules) {
        const bool is_named = any_fits(one.methods, method) || (method == "tools/call" && any_fits(one.tools, key)) ||
                              (method == "prompts/get" && any_fits(one.prompts, key)) ||
                              (method == "resources/read" && any_fits(one.resources, key));
        if (!is_named || (one.principals && !any_fits(*one.principals, principal)))
            continue;
        fits_any = true;
        if (std::includes(has.begin(), has.end(), one.scopes.begin(), one.scopes.end()))
            return access_answer::allowed;
    }
    return fits_any ? access_answer::lacks_scope : access_answer::hidden;
}

} // namespace

BOOST_AUTO_TEST_SUITE(rule_view_suite)

BOOST_AUTO_TEST_CASE(a_name_is_compared_as_it_is)
{
    view_book book = book_of(R"([{"tools": ["delete", "list_*"]}])");
    const auto view = book.find("alice", {});
    for (const char* const allowed : {"delete", "list_", "list_a", "list_*", "list_\xc3\xa9"})
        BOOST_TEST(view->judge("tools/call", allowed).is == access_answer::allowed, allowed);
    const std::string names[] = {"",
                                 "Delete",
                                 "DELETE",
                                 "delete ",
                                 " delete",
                                 "delete.",
                                 "delete\n",
                                 "delete*",
                                 "elete",
                                 "deletee",
                                 "elete*",
                                 "\\u0064elete",
                                 "d%65lete",
                                 "d\xc3\xa9lete",
                                 "list",
                                 "List_a",
                                 "lis*",
                                 "*",
                                 "../delete",
                                 "delete/",
                                 "delete/..",
                                 "./delete",
                                 "xlist_",
                                 "delete\t",
                                 "\xef\xbb\xbf"
                                 "delete",
                                 std::string("delete\0", 7),
                                 std::string("\0delete", 7),
                                 "ｄelete",
                                 std::string(1 << 20, 'a'),
                                 "list" + std::string(1 << 20, 'a')};
    for (const std::string& hidden : names)
        BOOST_TEST(view->judge("tools/call", hidden).is == access_answer::hidden, hidden.substr(0, 20));
}

BOOST_AUTO_TEST_CASE(forty_names_in_each_spelling_are_judged_as_a_reader_of_the_rules_would)
{
    view_book book = book_of(R"([{"tools": ["tool_1*"], "scopes": ["a"]}, {"tools": ["tool_12", "tool_2*"]},
        {"prompts": ["tool_3"], "methods": ["tool_3*"]}, {"resources": ["file:///srv/*"], "principals": ["bob"]}])");
    const std::vector<rule>& rules = book.rules().rules();
    for (const std::string principal : {"alice", "bob"})
        for (const scopes& has : {scopes{}, scopes{"a"}})
            for (int i = 0; i < 40; ++i) {
                const std::string name = "tool_" + std::to_string(i);
                const auto view = book.find(principal, has);
                for (const std::string& spelled :
                     {name, name + "*", "T" + name.substr(1), name + ".", name + "\xcc\x81", "\\u0074" + name.substr(1),
                      name + std::string(10'000, 'x'), "file:///srv/" + name, "file:///srv/../" + name})
                    for (const char* const method :
                         {"tools/call", "prompts/get", "resources/read", "tool_3", "tool_39"})
                        BOOST_TEST_REQUIRE(view->judge(method, spelled).is ==
                                           judge_slowly(rules, principal, has, method, spelled));
            }
}

BOOST_AUTO_TEST_CASE(random_rules_are_judged_as_a_reader_of_the_rules_would)
{
    std::mt19937 random(3);
    const auto names = [&](std::size_t most) {
        std::vector<name_pattern> all(random() % (most + 1));
        for (name_pattern& one : all)
            one = {std::string(random() % 3, 'a') + std::string(random() % 2, 'b'), random() % 2 == 0};
        return all;
    };
    const std::vector<scopes> scope_sets = {{}, {"x"}, {"y"}, {"x", "y"}};
    for (int round = 0; round < 200; ++round) {
        std::vector<rule> rules(random() % 8);
        for (rule& one : rules) {
            one = {names(2), names(3), names(1), names(1), scope_sets[random() % 4], {}};
            if (random() % 2 == 0)
                one.principals = names(2);
        }
        view_book book(rules);
        const auto shared = std::make_shared<const rule_set>(rules);
        for (const std::string principal : {"a", "ab", "b"})
            for (const scopes& has : scope_sets) {
                const auto kept = book.find(principal, has);
                const rule_view lean(shared, shared->fits(principal, has), rule_view::verdicts::found_each_time);
                for (const char* const method : {"tools/call", "prompts/get", "resources/read", "a", "aab"})
                    for (const std::string key : {"", "a", "b", "aab"}) {
                        const access_answer expected = judge_slowly(rules, principal, has, method, key);
                        BOOST_TEST_REQUIRE(kept->judge(method, key).is == expected);
                        BOOST_TEST_REQUIRE(lean.judge(method, key).is == expected);
                    }
            }
    }
}

BOOST_AUTO_TEST_CASE(all_scopes_of_the_first_rule_that_fits_are_required)
{
    view_book book = book_of(R"([{"tools": ["other"], "scopes": ["z"]}, {"tools": ["a*"], "scopes": ["y", "x"]},
                                 {"tools": ["ab"], "scopes": ["w"]}])");
    const access_verdict verdict = book.find("alice", {"x"})->judge("tools/call", "ab");
    BOOST_TEST_REQUIRE(verdict.is == access_answer::lacks_scope);
    BOOST_TEST(scopes(verdict.required.begin(), verdict.required.end()) == (scopes{"x", "y"}),
               boost::test_tools::per_element());
    BOOST_TEST(book.find("alice", {"w"})->judge("tools/call", "ab").is == access_answer::allowed);
}

BOOST_AUTO_TEST_CASE(what_a_verdict_requires_lives_as_long_as_its_view)
{
    std::shared_ptr<const rule_view> view;
    {
        view_book book = book_of(R"([{"tools": ["a"], "scopes": ["a-scope-that-is-on-the-heap"]}])");
        view = book.find("alice", {});
    }
    BOOST_TEST(view->judge("tools/call", "a").required[0] == "a-scope-that-is-on-the-heap");
}

BOOST_AUTO_TEST_CASE(every_peer_may_call_what_the_protocol_needs_and_no_more)
{
    view_book book = book_of("[]");
    const auto view = book.find("alice", {});
    for (const std::string_view method : free_methods)
        BOOST_TEST(view->judge(method, {}).is == access_answer::allowed, method);
    for (const char* const method : {"tools/call", "prompts/get", "resources/read", "users/list", "tasks/list",
                                     "notifications/", "notifications/purge", "initialize2", "Ping", ""})
        BOOST_TEST(view->judge(method, {}).is == access_answer::hidden, method);
}

BOOST_AUTO_TEST_CASE(a_rule_for_a_method_is_one_for_all_that_it_stands_for)
{
    view_book book = book_of(R"([{"methods": ["tools/*"]}])");
    const auto view = book.find("alice", {});
    BOOST_TEST(view->judge("tools/call", "anything").is == access_answer::allowed);
    BOOST_TEST(view->judge("prompts/get", "anything").is == access_answer::hidden);
}

BOOST_AUTO_TEST_CASE(names_of_one_kind_say_nothing_of_another)
{
    view_book book = book_of(R"([{"tools": ["a"]}, {"resources": ["b"]}])");
    const auto view = book.find("alice", {});
    BOOST_TEST(view->judge("prompts/get", "a").is == access_answer::hidden);
    BOOST_TEST(view->judge("resources/read", "a").is == access_answer::hidden);
    BOOST_TEST(view->judge("a", {}).is == access_answer::hidden);
}

BOOST_AUTO_TEST_CASE(anonymous_peers_have_to_be_named_exactly)
{
    view_book book = book_of(R"([{"methods": ["a"]}, {"methods": ["b"], "principals": ["a*", "anonymous"]},
                                 {"methods": ["c"], "principals": ["*"]}, {"methods": ["d"], "principals": ["an*"]},
                                 {"methods": ["e"], "principals": ["anonymous*"]}])");
    const auto view = book.find({}, {});
    BOOST_TEST(view->judge("b", {}).is == access_answer::allowed);
    for (const char* const hidden : {"a", "c", "d", "e"})
        BOOST_TEST(view->judge(hidden, {}).is == access_answer::hidden, hidden);
    BOOST_TEST(book.find("angela", {})->judge("d", {}).is == access_answer::allowed);
}

BOOST_AUTO_TEST_CASE(peers_whom_the_same_rules_fit_share_a_view)
{
    view_book book = book_of(R"([{"methods": ["a"], "scopes": ["x"]}, {"methods": ["b"], "principals": ["bob"]}])");
    BOOST_TEST(book.find("alice", {"x"}) == book.find("carol", {"x", "y"}));
    BOOST_TEST(book.find("alice", {"x"}) != book.find("alice", {"y"}));
    BOOST_TEST(book.find("alice", {"x"}) != book.find("bob", {"x"}));
}

BOOST_AUTO_TEST_CASE(a_book_keeps_1024_views_and_still_judges_by_more)
{
    std::string rules;
    for (int i = 0; i < 2'000; ++i)
        rules += std::string(i == 0 ? "" : ",") + R"({"methods": ["m)" + std::to_string(i) +
                 R"("], "principals": ["p)" + std::to_string(i) + "\"]}";
    view_book book = book_of("[" + rules + "]");
    for (int i = 0; i < 2'000; ++i) {
        const auto view = book.find("p" + std::to_string(i), {});
        BOOST_TEST_REQUIRE(view->judge("m" + std::to_string(i), {}).is == access_answer::allowed);
        BOOST_TEST_REQUIRE(view->judge("m" + std::to_string(i + 1), {}).is == access_answer::hidden);
    }
    BOOST_TEST(book.size() == view_book::max_views);
}

BOOST_AUTO_TEST_SUITE_END()
