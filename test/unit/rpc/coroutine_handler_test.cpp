#include "unit/rpc/handler_runner.hpp"

#include <partyline/rpc/detail/typed_handler.hpp>

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/describe.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <vector>

using namespace partyline::detail;
using namespace partyline;
using boost::asio::awaitable;
namespace json = boost::json;

namespace {

/// Suspends, so that the request's text is gone when the handler goes on.
awaitable<void> later(request_context& context)
{
    return boost::asio::post(context.get_executor(), boost::asio::use_awaitable);
}

awaitable<int> add(request_context& context, int a, int b)
{
    co_await later(context);
    co_return a + b;
}

awaitable<json::value> echo(json::value params)
{
    co_return params;
}

struct options {
    std::string name;
    int times = 0;
};
BOOST_DESCRIBE_STRUCT(options, (), (name, times))

const std::string long_text = "a text that is too long to be kept in the string itself";

} // namespace

BOOST_AUTO_TEST_SUITE(coroutine_handler_)

BOOST_AUTO_TEST_CASE(coroutines_of_either_type_are_tasks)
{
    using kind = handler::kind;
    BOOST_TEST((make_handler(add)->how() == kind::task));
    BOOST_TEST((make_handler([](int a) -> task<int> { co_return a; })->how() == kind::task));
    BOOST_TEST((make_handler([](int a) { return a; })->how() == kind::plain));
}

BOOST_AUTO_TEST_CASE(tasks_return_whatever_handlers_return)
{
    BOOST_TEST(run(*make_handler([](int a, int b) -> task<int> { co_return a + b; }), "[1,2]") == "3");
    BOOST_TEST(run(*make_handler([](json_text t) -> task<json_text> { co_return t; }), R"([{"a":2.0}])") ==
               R"([{"a":2.0}])");
    BOOST_TEST(run(*make_handler([](json_text) -> task<void> { co_return; }), "[1]") == "null");
    BOOST_TEST(run(*make_handler([](const std::string& s) -> task<std::string> { co_return s; }), R"(["x"])") ==
               R"("x")");
    BOOST_TEST(run(*make_handler([]() -> task<options> { co_return options(); }), "[]") == R"({"name":"","times":0})");
}

BOOST_AUTO_TEST_CASE(arguments_by_position_and_by_name)
{
    const auto target = make_handler(add, {"a", "b"});
    BOOST_TEST(run(*target, "[1,2]") == "3");
    BOOST_TEST(run(*target, R"({"b":5,"a":2})") == "7");
    BOOST_TEST(refusal(*target, "[1]") == mismatch(nullptr, "2 parameters", "1"));
    BOOST_TEST(refusal(*target, R"({"a":1,"b":[]})") == mismatch("b", "integer", "array"));
}

BOOST_AUTO_TEST_CASE(params_that_do_not_fit_are_refused_at_once)
{
    const auto target = make_handler(add);
    lone_context context;
    const task_root refused = target->start(context, json_view::checked("[1]")); // and the function is not called
    BOOST_TEST(bool(refused));
    BOOST_TEST(refusal(*target, "[1]") == mismatch(nullptr, "2 parameters", "1"));
}

BOOST_AUTO_TEST_CASE(params_as_a_whole)
{
    const auto value = make_handler(echo);
    BOOST_TEST(run(*value, R"([1,{"a":2}])") == R"([1,{"a":2}])");
    BOOST_TEST(run(*value, "") == "null");
    const auto text = make_handler([](request_context& context, json_text params) -> awaitable<json_text> {
        co_await later(context);
        co_return params;
    });
    BOOST_TEST(run(*text, "[ 1.0 ]") == "[ 1.0 ]");
    const auto described = make_handler([](request_context& context, options given) -> awaitable<std::string> {
        co_await later(context);
        co_return given.name + std::to_string(given.times);
    });
    BOOST_TEST(run(*described, R"({"times":3,"name":"x"})") == "\"x3\"");
}

BOOST_AUTO_TEST_CASE(arguments_taken_by_reference_outlive_a_suspension)
{
    const auto value = make_handler([](request_context& context, const std::string& text) -> awaitable<json::value> {
        co_await later(context);
        co_return json::value(text);
    });
    BOOST_TEST(run(*value, "[\"" + long_text + "\"]") == "\"" + long_text + "\"");
    const auto number = make_handler([](request_context& context, const std::string& text,
                                        const std::vector<std::string>& more) -> awaitable<std::size_t> {
        co_await later(context);
        co_return text.size() + more.at(0).size();
    });
    BOOST_TEST(run(*number, "[\"" + long_text + "\",[\"" + long_text + "\"]]") == std::to_string(2 * long_text.size()));
    const auto raw = make_handler([](request_context& context, const json_text& text) -> awaitable<json_text> {
        co_await later(context);
        co_return text;
    });
    BOOST_TEST(run(*raw, "[\"" + long_text + "\"]") == "[\"" + long_text + "\"]");
}

BOOST_AUTO_TEST_CASE(a_closure_lives_as_long_as_its_handler)
{
    auto owned = std::make_unique<std::string>(long_text);
    const auto target =
        make_handler([owned = std::move(owned), calls = 0](request_context& context) mutable -> awaitable<json::value> {
            ++calls;
            co_await later(context);
            co_return json::value(*owned + std::to_string(calls));
        });
    BOOST_TEST(run(*target, "") == "\"" + long_text + "1\"");
    BOOST_TEST(run(*target, "") == "\"" + long_text + "2\"");
}

BOOST_AUTO_TEST_CASE(results_become_json)
{
    BOOST_TEST(run(*make_handler([]() -> awaitable<void> { co_return; }), "") == "null");
    BOOST_TEST(run(*make_handler([]() -> awaitable<std::vector<int>> { co_return std::vector<int>{1, 2}; }), "") ==
               "[1,2]");
    BOOST_TEST(run(*make_handler([]() -> awaitable<options> { co_return options{"x", 1}; }), "") ==
               R"({"name":"x","times":1})");
}

BOOST_AUTO_TEST_CASE(errors_are_let_through)
{
    const auto early = make_handler([](request_context& context) -> awaitable<int> {
        co_await later(context);
        throw rpc_error(7, "no");
    });
    BOOST_CHECK_THROW(run(*early, ""), rpc_error);
}

BOOST_AUTO_TEST_SUITE_END()
