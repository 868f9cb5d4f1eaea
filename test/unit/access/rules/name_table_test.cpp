#include "access/rules/name_table.hpp"

#include <boost/test/unit_test.hpp>

#include <random>
#include <set>
#include <string>
#include <vector>

using namespace partyline::access;

namespace {

// The patterns that fit a name, as the table has them: a slot and those above it.
std::set<name_table::slot> fitting(const name_table& table, std::string_view name)
{
    std::set<name_table::slot> all;
    for (auto slot = table.find(name); slot != name_table::none; slot = table.above(slot))
        all.insert(slot);
    return all;
}

} // namespace

BOOST_AUTO_TEST_SUITE(name_table_suite)

BOOST_AUTO_TEST_CASE(the_same_pattern_is_the_same_slot)
{
    const name_pattern exact = {"a", false};
    const name_pattern prefix = {"a", true};
    name_table table;
    const auto first = table.add(exact);
    BOOST_TEST(table.add(exact) == first);
    BOOST_TEST(table.add(prefix) != first);
    BOOST_TEST(table.size() == 2u);
}

BOOST_AUTO_TEST_CASE(an_empty_table_finds_nothing)
{
    name_table table;
    table.finish();
    BOOST_TEST(table.find("a") == name_table::none);
    BOOST_TEST(table.find("") == name_table::none);
}

BOOST_AUTO_TEST_CASE(a_table_finds_what_a_comparison_with_each_pattern_finds)
{
    std::mt19937 random(7);
    const auto text = [&] {
        std::string made(random() % 6, 'a');
        for (char& c : made)
            c = "ab\xff"[random() % 3];
        return made;
    };
    for (int round = 0; round < 300; ++round) {
        std::vector<name_pattern> patterns(random() % 20);
        for (name_pattern& one : patterns)
            one = {text(), random() % 2 == 0};
        name_table table;
        std::vector<name_table::slot> slots;
        for (const name_pattern& one : patterns)
            slots.push_back(table.add(one));
        table.finish();
        for (int i = 0; i < 50; ++i) {
            const std::string name = text();
            std::set<name_table::slot> expected;
            for (std::size_t k = 0; k < patterns.size(); ++k)
                if (patterns[k].fits(name))
                    expected.insert(slots[k]);
            BOOST_TEST_REQUIRE((fitting(table, name) == expected), name);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
