// What a handler tells the peer, written as its result is: described structs, strings, what holds them.
#include "support/dialogue.hpp"

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>
#include <vector>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline::test;
using partyline::args;
using partyline::json_text;
using partyline::named;
using partyline::request_context;

namespace {

struct stage {
    std::string name;
    std::optional<int> left;
};
BOOST_DESCRIBE_STRUCT(stage, (), (name, left))

enum direction { reading, writing };
BOOST_DESCRIBE_ENUM(direction, reading, writing)

} // namespace

BOOST_FIXTURE_TEST_SUITE(conversation_typed_progress, dialogue, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(progress_takes_what_a_handler_may_return)
{
    methods.add("run", [](request_context& request) -> asio::awaitable<void> {
        stage first;
        first.name = "a";
        co_await request.progress(first);
        co_await request.progress(std::string("text"));
        co_await request.progress("literal");
        co_await request.progress(writing);
        co_await request.progress(std::vector<std::optional<int>>(1));
        co_await request.progress(std::optional<double>(0.5));
    });
    send(request("1", "run"));
    for (const char* value : {R"({"name":"a"})", R"("text")", R"("literal")", R"("writing")", "[null]", "0.5"})
        expect(progress("1", value));
    expect(result("1", "null"));
}

BOOST_AUTO_TEST_CASE(what_is_a_json_value_already_is_sent_as_it_is)
{
    methods.add("run", [](request_context& request) {
        const json::value kept = {{"n", 1}};
        request.progress(kept);
        json::object changed = {{"n", 2}};
        request.progress(changed);
        request.progress({{"n", 3}});
        request.progress(nullptr);
    });
    send(request("1", "run"));
    for (const char* value : {R"({"n":1})", R"({"n":2})", R"({"n":3})", "null"})
        expect(progress("1", value));
    expect(result("1", "null"));
}

BOOST_AUTO_TEST_CASE(partial_results_are_written_as_the_methods_results_are)
{
    partyline::method_options with_nulls;
    with_nulls.binding.empty = partyline::empty_optionals::null;
    methods.add(
        "find",
        [](request_context& request) {
            request.partial_result(std::vector<stage>(1, stage{"a", {}}));
            return std::vector<stage>(1, stage{"b", {}});
        },
        with_nulls);
    send(request("1", "find", R"({"partialResultToken":"p"})"));
    expect(progress(R"("p")", R"([{"name":"a","left":null}])"));
    expect(result("1", R"([{"name":"b","left":null}])"));
}

BOOST_AUTO_TEST_CASE(a_notification_takes_the_params_that_a_call_does)
{
    methods.add("run", [](request_context& request) -> asio::awaitable<void> {
        stage first;
        first.name = "a";
        co_await request.notify("log", args("text", 3));
        co_await request.notify("log", named("level", writing, "text", std::string("b")));
        co_await request.notify("log", first);
        co_await request.notify("log", json_text(" [1, 2]"));
        co_await request.notify("log", nullptr);
    });
    send(request("1", "run"));
    for (const char* params : {R"(["text",3])", R"({"level":"writing","text":"b"})", R"({"name":"a"})"})
        expect(notification("log", params));
    expect(notification("log", " [1, 2]"));
    expect(notification("log"));
    expect(result("1", "null"));
}

BOOST_AUTO_TEST_CASE(raw_text_that_is_no_params_is_refused_at_once)
{
    methods.add("run", [](request_context& request) {
        int refused = 0;
        for (const char* wrong : {"1", "[", " \"text\"", "{} {}"}) {
            try {
                request.notify("log", json_text(wrong));
            } catch (const std::invalid_argument&) {
                ++refused;
            }
        }
        return refused;
    });
    send(request("1", "run"));
    expect(result("1", "4"));
}

BOOST_AUTO_TEST_SUITE_END()
