// All that is wrong with the params of one request, and what it may cost.
#include "unit/rpc/handler_runner.hpp"

#include <partyline/rpc/detail/typed_handler.hpp>
#include <partyline/rpc/notes.hpp>

#include <boost/describe.hpp>
#include <boost/test/unit_test.hpp>

#include <map>
#include <string>
#include <variant>
#include <vector>

using namespace partyline::detail;
using namespace partyline;
namespace json = boost::json;

namespace crate {

int attempts = 0;

// Whose reading always fails.
struct never {};
[[maybe_unused]] boost::system::result<never> tag_invoke(json::try_value_to_tag<never>, const json::value&)
{
    ++attempts;
    return boost::system::error_code(1, boost::system::generic_category());
}

struct box {
    never what;
};
BOOST_DESCRIBE_STRUCT(box, (), (what))

struct circle {
    int radius = 0;
};
BOOST_DESCRIBE_STRUCT(circle, (), (radius))
struct square {
    int side = 0;
};
BOOST_DESCRIBE_STRUCT(square, (), (side))

struct drawing {
    std::variant<circle, square> shape;
    int width = 0;
};
BOOST_DESCRIBE_STRUCT(drawing, (), (shape, width))

// Either of these may be the other one's argument, and which one it is is told behind that.
int tried = 0;
enum class plus { add };
BOOST_DESCRIBE_ENUM(plus, add)
enum class times { multiply };
BOOST_DESCRIBE_ENUM(times, multiply)
struct sum;
struct product;
using term = std::variant<sum, product>;
struct counted {
    counted() { ++tried; }
};
struct sum : counted {
    std::vector<term> args;
    plus op = plus::add;
};
struct product : counted {
    std::vector<term> args;
    times op = times::multiply;
};
BOOST_DESCRIBE_STRUCT(sum, (), (args, op))
BOOST_DESCRIBE_STRUCT(product, (), (args, op))

struct date {};
[[maybe_unused]] boost::system::result<date> tag_invoke(json::try_value_to_tag<date>, const json::value&)
{
    throw rpc_error(error_codes::invalid_params, "is in the past", json::value("text"));
}

} // namespace crate

namespace {

std::string repeated(std::string_view what, int count)
{
    std::string all;
    for (int i = 0; i != count; ++i)
        all.append(i ? "," : "").append(what);
    return all;
}

std::size_t count_problems(const json::value& data)
{
    const json::value* const others = data.as_object().if_contains("others");
    return 1 + (others ? others->as_array().size() : 0);
}

} // namespace

BOOST_AUTO_TEST_SUITE(problem_list)

BOOST_AUTO_TEST_CASE(nothing_more_is_read_when_ten_are_known)
{
    const auto target = make_handler([](std::vector<crate::box>) {}, {"boxes"});
    crate::attempts = 0;
    const json::value data = refusal(*target, "[[" + repeated(R"({"what":1})", 1000) + "]]");
    BOOST_TEST(count_problems(data) == 10u);
    BOOST_TEST(crate::attempts == 10);
}

BOOST_AUTO_TEST_CASE(of_many_unknown_names_ten_are_told)
{
    const auto whole = make_handler([](crate::circle) {});
    const auto nested = make_handler([](std::vector<crate::circle>) {}, {"all"});
    std::string names;
    for (int i = 0; i != 1000; ++i)
        names += ",\"n" + std::to_string(i) + "\":1";
    BOOST_TEST(count_problems(refusal(*whole, R"({"radius":1)" + names + "}")) == 10u);
    BOOST_TEST(count_problems(refusal(*nested, R"([[{"radius":1)" + names + "}]]")) == 10u);
}

BOOST_AUTO_TEST_CASE(long_names_are_not_sent_back_whole)
{
    const auto target = make_handler([](std::map<std::string, crate::circle>) {}, {"all"});
    const std::string name(100'000, 'n');
    const json::value data = refusal(*target, R"([{")" + name + R"(":{"radius":"x"}}])");
    BOOST_TEST(data.at("parameter").as_string().size() < 200u);
    BOOST_TEST(json::serialize(data).size() < 400u);
}

BOOST_AUTO_TEST_CASE(an_alternative_that_does_not_fit_is_no_problem)
{
    const auto target = make_handler([](crate::drawing) {});
    BOOST_TEST(refusal(*target, R"({"shape":{"side":1},"width":"x"})") == mismatch("width", "integer", "string"));
    BOOST_TEST(refusal(*target, R"({"shape":{"side":"y"},"width":"x"})") ==
               mismatches({mismatch("shape", "object", "object"), mismatch("width", "integer", "string")}));
}

// Each level is read twice, as long as that is allowed.
std::string nested(int levels)
{
    return levels == 0 ? R"({"args":[],"op":"multiply"})"
                       : R"({"args":[)" + nested(levels - 1) + R"(],"op":"multiply"})";
}

BOOST_AUTO_TEST_CASE(alternatives_that_contain_each_other_take_no_exponential_time)
{
    const auto target = make_handler([](std::vector<crate::term>) {}, {"terms"});
    crate::tried = 0;
    BOOST_TEST(run(*target, "[[" + nested(3) + "]]") == "null");
    BOOST_TEST(run(*target, "[[" + nested(60) + "]]") == "null");
    BOOST_TEST(crate::tried < 1000);
}

BOOST_AUTO_TEST_CASE(what_can_not_be_an_alternative_at_first_sight_is_no_failure)
{
    const auto target =
        make_handler([](std::vector<std::variant<crate::circle, crate::square>> all) { return all.size(); }, {"all"});
    BOOST_TEST(run(*target, "[[" + repeated(R"({"side":1})", 5000) + "]]") == "5000");
}

// Takes a refusal, as a session does, with nothing thrown.
class refusal_recorder final : public result_writer {
public:
    void write(const json::value&) override {}
    void write(json_view) override {}
    void write(const json_text&) override {}
    void refuse(const error_object& error) override { refusals.push_back(error); }

    std::vector<error_object> refusals;
};

template <class F>
json::value refused(F function, const char* params)
{
    const auto target = make_handler(function);
    lone_context context;
    refusal_recorder out;
    target->call(context, json_view::checked(params), out);
    BOOST_TEST_REQUIRE(out.refusals.size() == 1u);
    BOOST_TEST(out.refusals[0].code == error_codes::invalid_params);
    return out.refusals[0].data.value_or(nullptr);
}

BOOST_AUTO_TEST_CASE(params_that_do_not_fit_are_refused_without_an_exception)
{
    BOOST_TEST(refused([](int, int) {}, R"(["x","y"])") ==
               mismatches({mismatch(0, "integer", "string"), mismatch(1, "integer", "string")}));
    BOOST_TEST(refused([](int, int) {}, "[1]") == mismatch(nullptr, "2 parameters", "1"));
    BOOST_TEST(refused([](int) {}, "{}") == mismatch(nullptr, "array (parameters by position)", "object"));
    BOOST_TEST(refused([](json::value, double) {}, "[[1e400],1]") == mismatch(0, "a finite number", "1e400"));
    BOOST_TEST(refused([](json::object) {}, "[]") == mismatch(nullptr, "object", "array"));
    BOOST_TEST(refused([](json::array) {}, "{}") == mismatch(nullptr, "array", "object"));
    BOOST_TEST(refused([](json::value) {}, "[1e400]") == mismatch(nullptr, "a finite number", "1e400"));
    BOOST_TEST(refused([](crate::circle) {}, R"({"radius":1,"x":2})") == mismatch("x", "one of radius", "x"));
    BOOST_TEST(refused([](whole_params<std::vector<int>>) {}, "[true]") == mismatch(0, "integer", "boolean"));
}

BOOST_AUTO_TEST_CASE(an_error_that_a_handler_returns_is_not_thrown)
{
    using result = boost::system::result<int, error_object>;
    const auto target = make_handler([]() -> result { return error_object{1, "no", std::nullopt}; });
    lone_context context;
    refusal_recorder out;
    target->call(context, json_view::checked("[]"), out);
    BOOST_TEST_REQUIRE(out.refusals.size() == 1u);
    BOOST_TEST(out.refusals[0].message == "no");
}

BOOST_AUTO_TEST_CASE(an_error_of_a_conversion_of_ones_own_is_told_as_it_is)
{
    const auto target = make_handler([](std::vector<crate::date>) {}, {"dates"});
    BOOST_CHECK_EXCEPTION(run(*target, "[[1]]"), rpc_error, [](const rpc_error& error) {
        return error.error().message == "is in the past" && error.error().data == json::value("text");
    });
}

BOOST_AUTO_TEST_CASE(params_that_are_read_as_one_value_are_looked_through_too)
{
    const auto target = make_handler([](whole_params<std::vector<crate::circle>>) {});
    BOOST_TEST(refusal(*target, R"([{"radius":"x"},{"radius":1},{}])") ==
               mismatches({mismatch("[0].radius", "integer", "string"), mismatch("[2].radius", "integer", "nothing")}));
}

BOOST_AUTO_TEST_SUITE_END()
