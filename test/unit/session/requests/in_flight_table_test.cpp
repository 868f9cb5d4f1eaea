#include "session/requests/in_flight_table.hpp"

#include <boost/test/unit_test.hpp>

#include <deque>
#include <string>

using partyline::in_flight_table;
using partyline::incoming_request;

BOOST_AUTO_TEST_SUITE(in_flight_table_suite)

// The eight ids of the design: all different, each found by its own key only.
BOOST_AUTO_TEST_CASE(ids_that_only_look_alike_are_different)
{
    const std::string texts[] = {"1", "\"1\"", "1.0", "0", "\"\"", "-1", "9007199254740993", "null"};
    in_flight_table table;
    std::deque<incoming_request> slots;
    for (const std::string& text : texts) {
        BOOST_TEST(table.find(text) == nullptr);
        incoming_request& s = slots.emplace_back();
        s.id.assign(text, text);
        table.insert(s);
    }
    BOOST_TEST(table.size() == std::size(texts));
    for (std::size_t i = 0; i < slots.size(); ++i)
        BOOST_TEST(table.find(texts[i]) == &slots[i]);
}

BOOST_AUTO_TEST_CASE(an_escaped_string_is_found_by_its_decoded_key)
{
    in_flight_table table;
    incoming_request s;
    s.id.assign(R"("\u0061")", R"("a")");
    table.insert(s);
    BOOST_TEST(table.find(R"("a")") == &s);
    BOOST_TEST(table.find(R"("\u0061")") == nullptr);
    BOOST_TEST(s.id.text() == R"("\u0061")");
}

BOOST_AUTO_TEST_CASE(an_id_is_free_again_when_its_request_has_left)
{
    in_flight_table table;
    incoming_request first;
    first.id.assign("7", "7");
    table.insert(first);
    BOOST_TEST(first.is_listed);
    table.erase(first);
    BOOST_TEST(!first.is_listed);
    BOOST_TEST(table.find("7") == nullptr);
    BOOST_TEST(table.empty());

    incoming_request second;
    second.id.assign("7", "7");
    table.insert(second);
    BOOST_TEST(table.find("7") == &second);
}

BOOST_AUTO_TEST_CASE(many_ids_of_all_lengths_are_kept_apart)
{
    in_flight_table table;
    std::deque<incoming_request> slots;
    for (int i = 0; i < 5000; ++i) {
        const std::string text = '"' + std::string(static_cast<std::size_t>(i % 40), 'x') + std::to_string(i) + '"';
        slots.emplace_back().id.assign(text, text);
        table.insert(slots.back());
    }
    for (std::size_t i = 0; i < slots.size(); i += 2)
        table.erase(slots[i]);
    BOOST_TEST(table.size() == 2500u);
    for (std::size_t i = 0; i < slots.size(); ++i)
        BOOST_TEST(table.find(slots[i].id.key()) == (i % 2 ? &slots[i] : nullptr));
}

BOOST_AUTO_TEST_SUITE_END()
