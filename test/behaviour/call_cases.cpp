#include "cases.hpp"
#include "transport_fixture.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <numeric>

namespace json = boost::json;

namespace partyline::test {
namespace {

void a_call_brings_its_result_as_the_type_that_is_wanted(transport_fixture& r)
{
    std::optional<call_result<int>> sum;
    error_code failed;
    r.client().call<int>("add", {{"a", 2}, {"b", 40}})([&](error_code code, call_result<int> result) {
        failed = code;
        sum = std::move(result);
    });
    r.run_until([&] { return sum.has_value(); });
    BOOST_TEST(!failed);
    BOOST_TEST(sum->value() == 42);
    BOOST_TEST((r.client().counters().stray_replies != 0) == r.over.babbles);
}

// The last one is answered first. The results are longer than what lies between the two.
void two_hundred_calls_are_answered_in_another_order(transport_fixture& r)
{
    constexpr int count = 200;
    const int size = static_cast<int>(std::size_t(64 * 1024) / r.over.slowness);
    std::vector<int> order;
    bool is_whole = true;
    for (int i = 0; i != count; ++i) {
        const auto done = [&, i](error_code code, const call_result<std::string>& got) {
            order.push_back(i);
            is_whole = is_whole && !code && got.value() == std::to_string(i) + std::string(std::size_t(size), 'x');
        };
        r.client().call<std::string>("turn", {i, count, size})(done);
    }
    r.run_until([&] { return order.size() == count; });
    std::vector<int> reverse(count);
    std::iota(reverse.rbegin(), reverse.rend(), 0);
    BOOST_TEST(order == reverse, boost::test_tools::per_element());
    BOOST_TEST(is_whole);
}

void progress_comes_before_the_result(transport_fixture& r)
{
    std::string heard;
    outcome counted;
    call_options how;
    how.on_progress(
        [&](const json::value& value) { heard += json::serialize(value) + (counted.is_there() ? "!" : " "); });
    r.client().call("count", {{"to", 10}}, how)(counted.handler());
    r.run_until([&] { return counted.is_there(); });
    BOOST_TEST(counted.text() == "result 10");
    BOOST_TEST(heard == "1 2 3 4 5 6 7 8 9 10 ");
}

void notifications_arrive_in_order_and_before_later_calls(transport_fixture& r)
{
    int sent = 0;
    for (int i = 0; i != 100; ++i)
        r.client().notify("note", {i})([&](error_code failed, auto) { sent += failed ? 0 : 1; });
    json::array expected(100);
    std::iota(expected.begin(), expected.end(), 0);
    BOOST_TEST(r.ask("notes") == "result " + json::serialize(expected));
    BOOST_TEST(sent == 100);
}

void a_batch_is_answered_in_the_order_of_its_calls(transport_fixture& r)
{
    call_batch all;
    all.call("add", {1, 2}).call("fail", {8, "not this one"}).notify("note", {5}).call("echo", {"x"});
    std::optional<std::vector<response>> replies;
    error_code failed;
    r.client().batch(std::move(all))([&](error_code code, auto got) {
        failed = code;
        replies = std::move(*got);
    });
    r.run_until([&] { return replies.has_value(); });
    BOOST_TEST(!failed);
    BOOST_REQUIRE(replies->size() == 3u);
    BOOST_TEST((*replies)[0]->text() == "3");
    BOOST_REQUIRE((*replies)[1].error());
    BOOST_TEST((*replies)[1].error()->code == 8);
    BOOST_TEST((*replies)[2]->text() == "[\"x\"]");
    BOOST_TEST(r.ask("notes") == "result [5]");
}

// One, two, three and four bytes.
std::string long_text(std::size_t bytes)
{
    std::string text;
    while (text.size() < bytes)
        text += "a\u00e9\u6f22\U0001f600";
    return text;
}

void a_megabyte_of_many_byte_characters_goes_both_ways(transport_fixture& r)
{
    const std::string text = long_text((std::size_t(1) << 20) / r.over.slowness);
    const std::string there = R"({"text":")" + text + "\"}";
    // The server passes it on, and we say it again: it goes each way twice.
    outcome echoed;
    r.client().call("ask", json_text(R"(["echo",)" + there + ']'))(echoed.handler());
    r.run_until([&] { return echoed.is_there(); });
    BOOST_TEST((echoed.text() == "result " + there));
}

} // namespace

std::vector<behaviour_case> call_cases()
{
    return {
        {"a_call_brings_its_result_as_the_type_that_is_wanted", a_call_brings_its_result_as_the_type_that_is_wanted},
        {"two_hundred_calls_are_answered_in_another_order", two_hundred_calls_are_answered_in_another_order},
        {"progress_comes_before_the_result", progress_comes_before_the_result},
        {"notifications_arrive_in_order_and_before_later_calls", notifications_arrive_in_order_and_before_later_calls},
        {"a_batch_is_answered_in_the_order_of_its_calls", a_batch_is_answered_in_the_order_of_its_calls},
        {"a_megabyte_of_many_byte_characters_goes_both_ways", a_megabyte_of_many_byte_characters_goes_both_ways},
    };
}

} // namespace partyline::test
