// Middleware in front of a table's methods, without a session.

#include "unit/rpc/handler_runner.hpp"

#include <partyline/rpc/args.hpp>
#include <partyline/rpc/method_table.hpp>

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

using namespace partyline;
namespace asio = boost::asio;
namespace json = boost::json;
using boost::asio::awaitable;

namespace {

awaitable<void> suspend()
{
    co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
}

awaitable<int> add_later(int a, int b)
{
    co_await suspend();
    co_return a + b;
}

awaitable<json_text> text_later()
{
    co_await suspend();
    co_return json_text("[1e400]");
}

struct fixture {
    method_table table;
    std::vector<std::string> seen;

    fixture()
    {
        table.add("plain", [](int a, int b) { return a + b; }, {"a", "b"});
        table.add("view", [](json_view params) { return params; });
        table.add("value", add_later, {"a", "b"});
        table.add("text", text_later);
        table.add("whole", [](json::value v) { return v; });
    }

    std::string call(const char* method, std::string_view params = "[1,2]")
    {
        return run(*table.find(method)->target, params);
    }
    std::string error_of(const char* method, std::string_view params = "[1,2]")
    {
        try {
            return call(method, params);
        } catch (const rpc_error& error) {
            return std::to_string(error.error().code) + ' ' + error.error().message;
        } catch (const std::logic_error& error) {
            return error.what();
        }
    }
    auto note(std::string what)
    {
        return [this, what](request_context&) { seen.push_back(what); };
    }
};

partyline::task<request_result> pass_on(request_context&, json_view, next_handler& next)
{
    co_return co_await next();
}

partyline::task<request_result> pass_on_later(request_context&, json_view, next_handler& next)
{
    co_await suspend();
    request_result result = co_await next();
    co_await suspend();
    co_return result;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(middleware_, fixture)

BOOST_AUTO_TEST_CASE(every_kind_of_handler_answers_as_before)
{
    const auto check = [this] {
        BOOST_TEST(call("plain") == "3");
        BOOST_TEST(call("plain", R"({"a":1,"b":2})") == "3");
        BOOST_TEST(call("view", "[1e400]") == "[1e400]");
        BOOST_TEST(call("value") == "3");
        BOOST_TEST(call("text", "") == "[1e400]");
        BOOST_TEST(call("whole", R"({"a":[]})") == R"({"a":[]})");
    };
    check();
    table.around_requests(note("plain"));
    check();
    BOOST_TEST(seen.size() == 6u);
    table.around_requests(pass_on);
    check();
    table.around_requests(pass_on_later); // the text of the request is gone when it goes on
    check();
    table.around_requests(note("behind"));
    check();
    BOOST_TEST(seen.size() == 30u);
}

BOOST_AUTO_TEST_CASE(plain_functions_make_no_coroutine_of_a_plain_handler)
{
    table.around_requests(note(""));
    BOOST_TEST((table.find("plain")->target->how() == handler::kind::plain));
    BOOST_TEST((table.find("value")->target->how() == handler::kind::task));
    BOOST_TEST((table.find("text")->target->how() == handler::kind::task));
    BOOST_TEST(table.find("whole")->target->takes_value());
}

BOOST_AUTO_TEST_CASE(the_first_is_outermost_and_what_is_added_later_has_them_all)
{
    table.around_requests(note("1"));
    table.around_requests([this](request_context&, json_view, next_handler& next) -> partyline::task<request_result> {
        seen.push_back("2");
        request_result result = co_await next();
        seen.push_back("after");
        co_return result;
    });
    table.add("late", [this] { seen.push_back("handler"); });
    table.set_fallback([this] { seen.push_back("fallback"); });
    table.around_requests(note("3"));
    call("late", "");
    call("unknown", "");
    const std::vector<std::string> expected{"1", "2", "3", "handler", "after", "1", "2", "3", "fallback", "after"};
    BOOST_TEST(seen == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_fallback_and_the_discovery_pass_it_as_well)
{
    table.set_fallback([] { return 1; });
    table.add_discovery({"server", "1", ""});
    table.around_requests([](request_context&) { throw rpc_error(-1, "no"); });
    BOOST_TEST(error_of("unknown", "") == "-1 no");
    BOOST_TEST(error_of("rpc.discover", "") == "-1 no");
    BOOST_TEST(table.describe().size() == 5u); // which is not a request
}

BOOST_AUTO_TEST_CASE(a_request_is_refused_by_throwing)
{
    table.around_requests([](request_context&, json_view params) {
        if (params.text() == "[1,2]")
            throw rpc_error(7, "not these");
    });
    for (const char* method : {"plain", "view", "value", "whole"})
        BOOST_TEST(error_of(method) == "7 not these");
    BOOST_TEST(call("plain", "[1,3]") == "4");
}

BOOST_AUTO_TEST_CASE(a_request_is_answered_by_a_result)
{
    table.around_requests([](request_context&, json_view params) -> std::optional<json::value> {
        return params.empty() ? std::nullopt : std::optional<json::value>("instead");
    });
    for (const char* method : {"plain", "view", "value", "text", "whole"})
        BOOST_TEST(call(method) == "\"instead\"");
    BOOST_TEST(call("text", "") == "[1e400]");
    table.around_requests(pass_on);
    BOOST_TEST(call("value") == "\"instead\"");
}

BOOST_AUTO_TEST_CASE(text_answers_as_it_is)
{
    table.around_requests([](request_context&) -> std::optional<json_text> { return json_text("1e400"); });
    BOOST_TEST(call("plain") == "1e400");
    BOOST_TEST(call("text") == "1e400");
}

BOOST_AUTO_TEST_CASE(a_coroutine_answers_by_itself_or_changes_the_result)
{
    table.around_requests(
        [](request_context&, json_view params, next_handler& next) -> partyline::task<request_result> {
            if (params.text() == "[0,0]")
                co_return json::value("nothing");
            request_result result = co_await next();
            json::array both{std::move(result).to_value(), "seen"};
            co_return json::value(std::move(both));
        });
    BOOST_TEST(call("plain", "[0,0]") == "\"nothing\"");
    BOOST_TEST(call("plain") == R"([3,"seen"])");
    BOOST_TEST(call("value") == R"([3,"seen"])");
}

BOOST_AUTO_TEST_CASE(a_coroutine_may_have_its_result_as_a_type_of_its_own)
{
    table.around_requests(
        [](request_context&, json_view, next_handler&) -> awaitable<json_text> { co_return json_text("1"); });
    BOOST_TEST(call("value") == "1");
}

BOOST_AUTO_TEST_CASE(a_coroutine_without_next_goes_before)
{
    table.around_requests([this](request_context& context) -> awaitable<void> {
        co_await suspend();
        seen.push_back(std::string(context.method()));
        if (seen.size() == 2)
            throw rpc_error(5, "enough");
    });
    BOOST_TEST(call("value") == "3");
    BOOST_TEST(error_of("value") == "5 enough");
}

BOOST_AUTO_TEST_CASE(a_coroutine_without_next_may_answer)
{
    table.around_requests([](request_context&, json_view params) -> partyline::task<std::optional<request_result>> {
        co_await suspend();
        if (params.text() == "[1,2]")
            co_return json::value("denied");
        co_return std::nullopt;
    });
    BOOST_TEST(call("value") == "\"denied\"");
    BOOST_TEST(call("value", "[1,3]") == "4");
}

BOOST_AUTO_TEST_CASE(params_are_replaced)
{
    table.around_requests([](request_context&, json_view, next_handler& next) -> partyline::task<request_result> {
        co_return co_await next(named("a", 20, "b", 22));
    });
    table.around_requests(pass_on_later);
    BOOST_TEST(call("plain") == "42");
    BOOST_TEST(call("value") == "42");
}

BOOST_AUTO_TEST_CASE(params_that_are_none_are_refused)
{
    table.around_requests([](request_context&, json_view, next_handler& next) -> partyline::task<request_result> {
        co_return co_await next(json::value(5));
    });
    BOOST_TEST(error_of("plain") == "params are an array, an object or null");
}

BOOST_AUTO_TEST_CASE(a_request_is_served_once)
{
    table.add("count", [this] { seen.push_back("served"); });
    table.around_requests([](request_context&, json_view, next_handler& next) -> partyline::task<request_result> {
        co_await next();
        co_return co_await next();
    });
    BOOST_TEST(error_of("count", "") == "a middleware has its request served twice");
    BOOST_TEST(seen.size() == 1u);
}

BOOST_AUTO_TEST_CASE(what_the_handler_throws_can_be_answered)
{
    table.add("fail", [] { throw rpc_error(9, "broken"); });
    table.add("fail_later", []() -> awaitable<void> {
        co_await suspend();
        throw rpc_error(9, "broken");
    });
    table.around_requests([](request_context&, json_view, next_handler& next) -> partyline::task<request_result> {
        try {
            co_return co_await next();
        } catch (const rpc_error& error) {
            co_return json::value(error.error().message);
        }
    });
    BOOST_TEST(call("fail", "") == "\"broken\"");
    BOOST_TEST(call("fail_later", "") == "\"broken\"");
}

BOOST_AUTO_TEST_CASE(params_that_do_not_fit_are_refused_as_before)
{
    table.around_requests(pass_on);
    BOOST_TEST(refusal(*table.find("plain")->target, R"([1,"x"])") == mismatch("b", "integer", "string"));
}

BOOST_AUTO_TEST_CASE(what_is_attached_is_there_for_the_handler_and_of_a_type_there_is_one)
{
    struct user {
        std::string name;
    };
    table.add("whoami", [](request_context& context) {
        const user* const known = context.attached<user>();
        return known ? known->name : "nobody";
    });
    BOOST_TEST(call("whoami", "") == "\"nobody\"");
    table.around_requests([](request_context& context) { context.attach(user{"first"}).name += "!"; });
    BOOST_TEST(call("whoami", "") == "\"first!\"");
    table.around_requests([](request_context& context) { context.attach(user{"second"}); });
    BOOST_TEST(call("whoami", "") == "\"second\"");
}

BOOST_AUTO_TEST_CASE(what_goes_is_what_was_attached_last)
{
    struct told {
        std::vector<std::string>* to;
        std::string what;
        told(std::vector<std::string>& t, std::string w) : to(&t), what(std::move(w)) {}
        told(told&& other) noexcept : to(std::exchange(other.to, nullptr)), what(std::move(other.what)) {}
        ~told()
        {
            if (to)
                to->push_back(what);
        }
    };
    struct other : told {
        using told::told;
    };
    attachments all;
    all.attach(told(seen, "1"));
    all.attach(other(seen, "2"));
    all.attach(told(seen, "3"));
    BOOST_TEST(seen == std::vector<std::string>{"1"}, boost::test_tools::per_element());
    all.clear();
    const std::vector<std::string> expected{"1", "2", "3"};
    BOOST_TEST(seen == expected, boost::test_tools::per_element());
    BOOST_TEST(!all.find<told>());
}

BOOST_AUTO_TEST_CASE(a_result_without_text_is_an_error_to_who_wants_its_text)
{
    partyline::request_result broken = json::value("\xff");
    BOOST_CHECK_EXCEPTION(std::move(broken).to_text(), rpc_error,
                          [](const rpc_error& e) { return e.error().code == -32603; });
}

BOOST_AUTO_TEST_CASE(an_empty_function_is_refused)
{
    BOOST_CHECK_THROW(table.around_requests(std::function<void(request_context&)>()), std::invalid_argument);
    BOOST_TEST(call("plain") == "3");
}

BOOST_AUTO_TEST_CASE(a_list_goes_around_two_tables)
{
    method_table other;
    other.add("plain", [](int a, int b) { return a - b; });
    request_middleware_list both;
    both.add(note("1"));
    both.add(note("2"));
    table.around_requests(both);
    other.around_requests(both);
    both.add(note("later"));
    BOOST_TEST(call("plain") == "3");
    BOOST_TEST(run(*other.find("plain")->target, "[1,2]") == "-1");
    BOOST_TEST(seen.size() == 4u);
}

BOOST_AUTO_TEST_CASE(of_lists_the_first_is_outermost)
{
    std::string order;
    const auto noting = [&](const std::string& word) { return [&, word](request_context&) { order += word; }; };
    request_middleware_list first;
    first.add(noting("a"));
    first.add(noting("b"));
    request_middleware_list second;
    second.add(first);
    second.add(second); // of itself what it had
    second.add(noting("c"));
    table.around_requests(first);
    table.around_requests(second);
    table.around_requests(request_middleware_list());
    BOOST_TEST(call("plain") == "3");
    BOOST_TEST(order == "abababc");
    BOOST_TEST(second.size() == 5u);
    BOOST_CHECK_THROW(second.add(std::function<void(request_context&)>()), std::invalid_argument);
    BOOST_TEST(second.size() == 5u);
}

BOOST_AUTO_TEST_CASE(a_table_that_is_moved_keeps_it)
{
    table.around_requests(note("kept"));
    method_table moved = std::move(table);
    BOOST_TEST(run(*moved.find("plain")->target, "[1,2]") == "3");
    BOOST_TEST(seen.size() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
