// What types, methods and profiles decide of the conversion between JSON and C++.
#include "unit/rpc/handler_runner.hpp"

#include <partyline/rpc/detail/typed_handler.hpp>
#include <partyline/rpc/json_schema.hpp>
#include <partyline/rpc/notes.hpp>

#include <boost/describe.hpp>
#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>
#include <vector>

using namespace partyline::detail;
using namespace partyline;
namespace json = boost::json;

namespace shelf {

struct label {
    std::string text;
    std::optional<int> size;
};
BOOST_DESCRIBE_STRUCT(label, (), (text, size))

struct book {
    int year = 0;
    std::optional<label> spine;
    std::vector<label> notes_on_it;
};
BOOST_DESCRIBE_STRUCT(book, (), (year, spine, notes_on_it))

// Says itself how it is read and written.
struct open_label {
    std::string text;
    std::optional<int> size;
    std::optional<label> under;

    static constexpr auto notes() { return partyline::notes(unknown_members::ignored, empty_optionals::null); }
};
BOOST_DESCRIBE_STRUCT(open_label, (), (text, size, under))

struct closed_label {
    std::string text;
    std::optional<int> size;

    static constexpr auto notes() { return partyline::notes(unknown_members::refused, empty_optionals::left_out); }
};
BOOST_DESCRIBE_STRUCT(closed_label, (), (text, size))

struct both {
    open_label open;
    closed_label closed;
};
BOOST_DESCRIBE_STRUCT(both, (), (open, closed))

} // namespace shelf

namespace {

constexpr binding_policy ignoring{unknown_members::ignored, {}};
constexpr binding_policy with_nulls{{}, empty_optionals::null};

// The parameter that a refusal names, or the result.
std::string outcome(handler& target, std::string_view params, binding_policy binding = {})
{
    try {
        return run(target, params, binding);
    } catch (const rpc_error& error) {
        const json::object& data = error.error().data->as_object();
        const json::value* const others = data.if_contains("others");
        return "refused: " + std::string(data.at("parameter").as_string()) +
               (others ? " and " + std::to_string(others->as_array().size()) : "");
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(binding)

BOOST_AUTO_TEST_CASE(unknown_members_are_refused_unless_the_method_or_the_profile_ignores_them)
{
    const auto whole = make_handler([](shelf::book b) { return b.year; });
    BOOST_TEST(outcome(*whole, R"({"year":1,"notes_on_it":[],"x":1})") == "refused: x");
    BOOST_TEST(outcome(*whole, R"({"year":1,"notes_on_it":[],"x":1})", ignoring) == "1");
    BOOST_TEST(outcome(*whole, R"({"year":1,"notes_on_it":[{"text":"","y":1}]})") == "refused: notes_on_it[0].y");
    BOOST_TEST(outcome(*whole, R"({"year":1,"notes_on_it":[{"text":"","y":1}]})", ignoring) == "1");

    const auto named = make_handler([](int a, int b) { return a + b; }, {"a", "b"});
    BOOST_TEST(outcome(*named, R"({"a":1,"b":2,"c":3})") == "refused: c");
    BOOST_TEST(outcome(*named, R"({"a":1,"b":2,"c":3})", ignoring) == "3");
    BOOST_TEST(outcome(*named, R"({"a":1,"c":3})", ignoring) == "refused: b");
}

BOOST_AUTO_TEST_CASE(a_type_has_its_way_before_the_method)
{
    const auto open = make_handler([](shelf::open_label l) { return l.text; });
    const auto closed = make_handler([](shelf::closed_label l) { return l.text; });
    BOOST_TEST(outcome(*open, R"({"text":"t","x":1})") == R"("t")");
    BOOST_TEST(outcome(*closed, R"({"text":"t","x":1})", ignoring) == "refused: x");
    // It speaks for itself alone, and not for what it holds.
    BOOST_TEST(outcome(*open, R"({"text":"t","x":1,"under":{"text":"u","y":1}})") == "refused: under.y");
    BOOST_TEST(outcome(*open, R"({"text":"t","x":1,"under":{"text":"u","y":1}})", ignoring) == R"("t")");

    const auto nested = make_handler([](shelf::both b) { return b.open.text; });
    BOOST_TEST(outcome(*nested, R"({"open":{"text":"t","x":1},"closed":{"text":""}})") == R"("t")");
    BOOST_TEST(outcome(*nested, R"({"open":{"text":"t"},"closed":{"text":"","x":1}})", ignoring) ==
               "refused: closed.x");
}

BOOST_AUTO_TEST_CASE(empty_optionals_are_left_out_unless_told_to_be_null)
{
    const auto plain = make_handler([] { return shelf::book{1, {}, {{"t", {}}}}; });
    BOOST_TEST(run(*plain, "") == R"({"year":1,"notes_on_it":[{"text":"t"}]})");
    BOOST_TEST(run(*plain, "", with_nulls) == R"({"year":1,"spine":null,"notes_on_it":[{"text":"t","size":null}]})");

    const auto coroutine =
        make_handler([]() -> boost::asio::awaitable<shelf::both> { co_return shelf::both{{"o", {}, {}}, {"c", {}}}; });
    const std::string expected = R"({"open":{"text":"o","size":null,"under":null},"closed":{"text":"c"}})";
    BOOST_TEST(run(*coroutine, "") == expected);
    BOOST_TEST(run(*coroutine, "", with_nulls) == expected);
}

BOOST_AUTO_TEST_CASE(a_schema_tells_of_types_that_ignore_what_they_do_not_know)
{
    BOOST_TEST(json_schema<shelf::closed_label>().at("additionalProperties") == json::value(false));
    BOOST_TEST(!json_schema<shelf::open_label>().contains("additionalProperties"));
}

BOOST_AUTO_TEST_SUITE_END()
