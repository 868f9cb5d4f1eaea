#include <partyline/session/trace_context.hpp>

#include <boost/test/unit_test.hpp>

#include <set>
#include <string>

using partyline::trace_context;

namespace {

// The example of W3C Trace Context §3.2.2.5.
const std::string example = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

bool is_parsed(const std::string& text)
{
    return trace_context::parse(text).has_value();
}

} // namespace

BOOST_AUTO_TEST_SUITE(trace_context_)

BOOST_AUTO_TEST_CASE(what_came_is_read_and_written_again)
{
    const auto read = trace_context::parse(example, "a=1,b=2");
    BOOST_REQUIRE(read.has_value());
    BOOST_TEST(read->trace_id() == "4bf92f3577b34da6a3ce929d0e0e4736");
    BOOST_TEST(read->span_id() == "00f067aa0ba902b7");
    BOOST_TEST(read->parent_id() == "");
    BOOST_TEST(read->is_sampled());
    BOOST_TEST(read->state() == "a=1,b=2");
    BOOST_TEST(read->traceparent() == example);
}

BOOST_AUTO_TEST_CASE(a_child_is_of_the_same_trace_and_has_an_id_of_its_own)
{
    const trace_context parent = *trace_context::parse(example.substr(0, 53) + "00", "a=1");
    const trace_context child = parent.child();
    BOOST_TEST(child.trace_id() == parent.trace_id());
    BOOST_TEST(child.parent_id() == parent.span_id());
    BOOST_TEST(child.span_id() != parent.span_id());
    BOOST_TEST(!child.is_sampled());
    BOOST_TEST(child.state() == "a=1");
    BOOST_TEST(child.traceparent().substr(53) == "00");
}

BOOST_AUTO_TEST_CASE(a_new_trace_is_as_others_can_read_it)
{
    std::set<std::string> ids;
    for (int i = 0; i != 1000; ++i) {
        const trace_context root = trace_context::make_root();
        BOOST_TEST(is_parsed(root.traceparent()), root.traceparent());
        BOOST_TEST(root.parent_id() == "");
        ids.insert(std::string(root.trace_id()));
        ids.insert(std::string(root.span_id()));
    }
    BOOST_TEST(ids.size() == 2000u);
}

BOOST_AUTO_TEST_CASE(what_is_none_is_not_read)
{
    const std::string zeros32(32, '0');
    const std::string zeros16(16, '0');
    const std::string rows[] = {
        "",
        "00",
        example + "-",
        example + "0",
        example.substr(0, 54),
        "ff" + example.substr(2),
        "0g" + example.substr(2),
        "00_" + example.substr(3),
        "00-" + zeros32 + "-00f067aa0ba902b7-01",
        example.substr(0, 36) + zeros16 + "-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        example.substr(0, 53) + "0g",
        example.substr(0, 53) + "g1",
        "01" + example.substr(2) + "x",
        std::string(100'000, '0'),
    };
    for (const std::string& row : rows)
        BOOST_TEST(!is_parsed(row), row.substr(0, 80));
}

BOOST_AUTO_TEST_CASE(a_later_version_is_read_as_far_as_it_is_known)
{
    for (const std::string& text : {"01" + example.substr(2), "cc" + example.substr(2) + "-what-ever"}) {
        const auto read = trace_context::parse(text);
        BOOST_REQUIRE(read.has_value());
        BOOST_TEST(read->traceparent() == example);
    }
}

BOOST_AUTO_TEST_CASE(a_state_that_is_too_long_is_left_out)
{
    BOOST_TEST(trace_context::parse(example, std::string(512, 'a'))->state().size() == 512u);
    BOOST_TEST(trace_context::parse(example, std::string(513, 'a'))->state() == "");
    BOOST_TEST(trace_context::parse(example, "a=1\r\nb: c")->state() == "");
}

BOOST_AUTO_TEST_SUITE_END()
