#include "unit/rpc/handler_runner.hpp"

#include <partyline/rpc/method_table.hpp>

#include <boost/test/unit_test.hpp>

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace partyline;

namespace {

int add(int a, int b)
{
    return a + b;
}

class counter {
public:
    int add(int n) { return sum_ += n; }
    int sum() const noexcept { return sum_; }

private:
    int sum_ = 0;
};

std::string complaint(const std::function<void()>& misuse)
{
    try {
        misuse();
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "none";
}

} // namespace

BOOST_AUTO_TEST_SUITE(method_table_)

BOOST_AUTO_TEST_CASE(finds_what_was_added)
{
    method_table table;
    table.add("add", add);
    table.add("named", add, {"a", "b"});
    table.add("limited", add, {.max_concurrent = 3});
    table.add("both", add, {"a", "b"}, {.exclusive = true, .open_ended = true});
    BOOST_TEST(table.find("add")->name == "add");
    BOOST_TEST(!table.find("add")->is_notification);
    BOOST_TEST(run(*table.find("named")->target, R"({"a":1,"b":2})") == "3");
    BOOST_TEST(table.find("limited")->options.max_concurrent == 3u);
    BOOST_TEST(table.find("both")->options.exclusive);
    BOOST_TEST(table.find("both")->options.open_ended);
    BOOST_TEST(run(*table.find("both")->target, R"({"a":1,"b":2})") == "3");
    BOOST_TEST(!table.find("other"));
    BOOST_TEST(!table.find("Add"));
    BOOST_TEST(!table.find(""));
}

BOOST_AUTO_TEST_CASE(a_member_function_comes_with_its_object)
{
    counter mine;
    const auto shared = std::make_shared<counter>();
    method_table table;
    table.add("a", &counter::add, &mine);
    table.add("b", &counter::add, &mine, {"n"});
    table.add("c", &counter::add, shared, {"n"}, {.exclusive = true});
    table.add("d", &counter::sum, &std::as_const(mine), {.max_concurrent = 2});
    table.add_notification("e", &counter::add, &mine);
    table.add_notification("f", &counter::add, &mine, {"n"});
    BOOST_TEST(run(*table.find("a")->target, "[1]") == "1");
    BOOST_TEST(run(*table.find("b")->target, R"({"n":2})") == "3");
    BOOST_TEST(run(*table.find("c")->target, R"({"n":7})") == "7");
    BOOST_TEST(run(*table.find("d")->target, "") == "3");
    BOOST_TEST(run(*table.find("e")->target, "[1]") == "4");
    BOOST_TEST(run(*table.find("f")->target, R"({"n":1})") == "5");
    BOOST_TEST(table.find("c")->options.exclusive);
    BOOST_TEST(table.find("d")->options.max_concurrent == 2u);
    BOOST_TEST(table.find("e")->is_notification);
    BOOST_TEST(table.find("f")->is_notification);
    BOOST_TEST(shared.use_count() == 2);
    counter* const none = nullptr;
    BOOST_TEST(complaint([&] { table.add("g", &counter::add, none); }) == "method \"g\": the object is null");
}

BOOST_AUTO_TEST_CASE(notifications_are_marked)
{
    method_table table;
    table.add_notification("log", [](std::string) {}, {"message"}, {.ordered = true});
    table.add_notification("ping", [] {});
    table.add_notification("tick", [] {}, {.ordered = true});
    BOOST_TEST(table.find("log")->is_notification);
    BOOST_TEST(table.find("log")->options.ordered);
    BOOST_TEST(table.find("ping")->is_notification);
    BOOST_TEST(table.find("tick")->options.ordered);
}

BOOST_AUTO_TEST_CASE(names_are_sorted)
{
    method_table table;
    BOOST_TEST(table.names().empty());
    table.add("b", add);
    table.add_notification("c", [] {});
    table.add("a", add);
    table.set_fallback([](json_view params) { return params; });
    BOOST_TEST(table.names() == (std::vector<std::string>{"a", "b", "c"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_fallback_serves_the_rest)
{
    method_table table;
    table.set_fallback([](request_context& context) { return std::string(context.method()); }, {.exclusive = true});
    table.add("add", add);
    const method* found = table.find("anything");
    BOOST_REQUIRE(found);
    BOOST_TEST(found->options.exclusive);
    BOOST_TEST(!found->is_notification);
    BOOST_TEST(run(*found->target, "") == "\"method\"");
    BOOST_TEST(table.find("add") != found);
}

BOOST_AUTO_TEST_CASE(a_method_stays_where_it_is)
{
    method_table table;
    table.add("first", add);
    const method* const first = table.find("first");
    for (int i = 0; i < 1000; ++i)
        table.add("method" + std::to_string(i), add);
    BOOST_TEST(table.find("first") == first);
    method_table moved = std::move(table);
    BOOST_TEST(moved.find("first") == first);
    BOOST_TEST(moved.find("method999")->name == "method999");
    BOOST_TEST(!table.find("first"));
    BOOST_TEST(table.names().empty());
    table.add("first", add);
    BOOST_TEST(table.find("first"));
}

// rule: jsonrpc.request.reserved
BOOST_AUTO_TEST_CASE(misuse_is_refused_at_once_and_by_name)
{
    method_table table;
    table.add("add", add);
    BOOST_TEST(complaint([&] { table.add("add", add); }) == "method \"add\": registered twice");
    BOOST_TEST(complaint([&] { table.add_notification("add", add); }) == "method \"add\": registered twice");
    BOOST_TEST(complaint([&] { table.add("", add); }) == "method \"\": the name is empty");
    BOOST_TEST(complaint([&] { table.add("rpc.x", add); }) ==
               "method \"rpc.x\": names that begin with \"rpc.\" are reserved");
    BOOST_TEST(complaint([&] { table.add("rpcx", add); }) == "none");
    BOOST_TEST(complaint([&] { table.add("f", std::function<void()>()); }) == "method \"f\": the function is empty");
    BOOST_TEST(complaint([&] { table.add("g", add, parameter_names({"a"})); }) ==
               "method \"g\": 1 name for 2 parameters");
    BOOST_TEST(complaint([&] { table.add("h", add, {"a", "a"}); }) == "method \"h\": two parameters are called \"a\"");
    BOOST_TEST(table.names() == (std::vector<std::string>{"add", "rpcx"}), boost::test_tools::per_element());
}

// One of them would make the document of rpc.discover no JSON.
BOOST_AUTO_TEST_CASE(what_is_not_utf_8_is_refused_at_once)
{
    method_table table;
    BOOST_TEST(complaint([&] { table.add("\xff\xfe", add); }) == "method \"\uFFFD\uFFFD\": the name is not UTF-8");
    BOOST_TEST(complaint([&] { table.add_notification("cut\xe2\x82", add); }) ==
               "method \"cut\uFFFD\uFFFD\": the name is not UTF-8");
    BOOST_TEST(complaint([&] { table.add("f", add, {.description = "\xc0\x80"}); }) ==
               "method \"f\": the description is not UTF-8");
    BOOST_TEST(complaint([&] { table.add("f", add, {"a", "\xed\xa0\x80"}); }) ==
               "method \"f\": the name \"\uFFFD\uFFFD\uFFFD\" of a parameter is not UTF-8");
    for (const partyline::service_description& of :
         {partyline::service_description{"\xff", "1"}, {"t", "\xff"}, {"t", "1", "\xff"}})
        BOOST_TEST(complaint([&] { table.add_discovery(of); }).starts_with("service: the "));
    BOOST_TEST(table.names().empty());
    BOOST_TEST(!table.find("rpc.discover"));
    BOOST_TEST(complaint([&] { table.add("größe", add, {"ä", "€"}, {.description = "\0 too"}); }) == "none");
}

BOOST_AUTO_TEST_CASE(the_fallback_is_set_once)
{
    method_table table;
    BOOST_TEST(complaint([&] { table.set_fallback(std::function<void()>()); }) == "fallback: the function is empty");
    table.set_fallback([] {});
    BOOST_TEST(complaint([&] { table.set_fallback([] {}); }) == "fallback: set twice");
}

BOOST_AUTO_TEST_SUITE_END()
