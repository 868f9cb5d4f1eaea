#include "unit/rpc/handler_runner.hpp"

#include <partyline/rpc/detail/typed_handler.hpp>

#include <boost/system/result.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

using namespace partyline::detail;
using namespace partyline;
namespace json = boost::json;

namespace {

int twice(int n)
{
    return 2 * n;
}

int twice_quietly(int n) noexcept
{
    return 2 * n;
}

struct doubler {
    int operator()(int n) { return factor * n; }
    int factor = 2;
};

struct quiet_doubler {
    int operator()(int n) & noexcept { return 2 * n; }
};
struct constant_doubler {
    int operator()(int n) const& noexcept { return 2 * n; }
};

class counter {
public:
    int add(int a, int b) { return sum_ += a + b; }
    boost::asio::awaitable<int> later(request_context&, int a) { co_return sum_ + a; }

private:
    int sum_ = 0;
};

template <class T>
using outcome_of = boost::system::result<T, rpc_error>;

std::string written_by(handler& target, const char* params)
{
    lone_context context;
    result_recorder out;
    target.call(context, json_view::checked(params), out);
    return out.how;
}

} // namespace

BOOST_AUTO_TEST_SUITE(typed_handler)

BOOST_AUTO_TEST_CASE(anything_with_one_signature_can_be_a_handler)
{
    auto owned = std::make_unique<int>(2);
    const std::unique_ptr<handler> targets[] = {
        make_handler(twice),
        make_handler(&twice),
        make_handler(twice_quietly),
        make_handler(doubler()),
        make_handler(quiet_doubler()),
        make_handler(constant_doubler()),
        make_handler([](int n) { return 2 * n; }),
        make_handler([](int n) noexcept { return 2 * n; }),
        make_handler([calls = 0](int n) mutable { return ++calls * 2 * n; }),
        make_handler([factor = std::move(owned)](int n) { return *factor * n; }),
        make_handler(std::function<int(int)>(twice)),
        make_handler([](const int& n) { return 2 * n; }),
        make_handler([](int&& n) { return 2 * n; }),
        make_handler([](request_context&, int n) { return 2 * n; }),
        make_handler([](const request_context&, int n) { return 2 * n; }),
        make_handler([](const int n) { return 2 * n; }),
    };
    for (const auto& target : targets) {
        BOOST_TEST((target->how() == handler::kind::plain));
        BOOST_TEST(run(*target, "[21]") == "42");
    }
}

BOOST_AUTO_TEST_CASE(state_of_a_handler_lasts)
{
    const auto target = make_handler([calls = 0]() mutable { return ++calls; });
    BOOST_TEST(run(*target, "") == "1");
    BOOST_TEST(run(*target, "") == "2");
}

BOOST_AUTO_TEST_CASE(the_context_is_handed_on)
{
    const auto target = make_handler([](request_context& context) { return std::string(context.method()); });
    BOOST_TEST(run(*target, "") == "\"method\"");
}

BOOST_AUTO_TEST_CASE(an_empty_function_is_refused)
{
    using pointer = int (*)(int);
    BOOST_CHECK_THROW(make_handler(std::function<int(int)>()), std::invalid_argument);
    BOOST_CHECK_THROW(make_handler(pointer()), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(one_argument_can_take_the_params_as_a_whole)
{
    const auto value = make_handler([](json::value params) { return params; });
    const auto reference = make_handler([](const json::value& params) { return params; });
    for (const auto& target : {value.get(), reference.get()}) {
        BOOST_TEST(run(*target, "") == "null");
        BOOST_TEST(run(*target, "[1]") == "[1]");
        BOOST_TEST(run(*target, "{\"a\":[]}") == "{\"a\":[]}");
    }
    const auto object = make_handler([](json::object params) { return params; });
    BOOST_TEST(run(*object, "{\"a\":[]}") == "{\"a\":[]}");
    BOOST_TEST(refusal(*object, "[1]") == mismatch(nullptr, "object", "array"));
    BOOST_TEST(refusal(*object, "") == mismatch(nullptr, "object", "nothing"));
    const auto array = make_handler([](request_context&, const json::array& params) { return params.size(); });
    BOOST_TEST(run(*array, "[1,[]]") == "2");
    BOOST_TEST(refusal(*array, "{}") == mismatch(nullptr, "array", "object"));
    BOOST_TEST(refusal(*array, "") == mismatch(nullptr, "array", "nothing"));
}

BOOST_AUTO_TEST_CASE(the_params_as_a_whole_can_be_of_any_type)
{
    const auto sum = make_handler([](whole_params<std::vector<int>> numbers) {
        return std::accumulate(numbers.value.begin(), numbers.value.end(), 0);
    });
    BOOST_TEST(run(*sum, "[1,2,3]") == "6");
    BOOST_TEST(run(*sum, "[]") == "0");
    BOOST_TEST(refusal(*sum, "[1,\"2\"]") == mismatch(1, "integer", "string"));
    BOOST_TEST(refusal(*sum, "{}") == mismatch(nullptr, "array", "object"));
    BOOST_TEST(refusal(*sum, "") == mismatch(nullptr, "array", "nothing"));
    const auto table = make_handler([](const whole_params<std::map<std::string, int>>& given) { return given.value; });
    BOOST_TEST(run(*table, "{\"a\":1}") == "{\"a\":1}");
    BOOST_TEST(refusal(*table, "{\"a\":[]}") == mismatch("a", "integer", "array"));
}

BOOST_AUTO_TEST_CASE(raw_params_keep_their_text)
{
    const char* const text = "[ 1.0,{\"a\" :123456789012345678901234567890}]";
    const auto view = make_handler([](json_view params) { return params; });
    BOOST_TEST(run(*view, text) == text);
    BOOST_TEST(written_by(*view, text) == "view");
    const auto kept = make_handler([](json_text params) { return params; });
    BOOST_TEST(run(*kept, text) == text);
    BOOST_TEST(written_by(*kept, text) == "text");
}

BOOST_AUTO_TEST_CASE(a_name_makes_an_argument_of_what_would_be_the_whole)
{
    const auto target = make_handler([](json::value a) { return a; }, {"a"});
    BOOST_TEST(run(*target, "{\"a\":[1]}") == "[1]");
    BOOST_TEST(run(*target, "[[1]]") == "[1]");
    BOOST_TEST(refusal(*target, "") == mismatch(nullptr, "1 parameter", "0"));
    BOOST_TEST(refusal(*target, "{}") == mismatch("a", "any value", "nothing"));
}

BOOST_AUTO_TEST_CASE(results_become_json)
{
    BOOST_TEST(run(*make_handler([] {}), "") == "null");
    BOOST_TEST(run(*make_handler([] { return true; }), "") == "true");
    BOOST_TEST(run(*make_handler([] { return 18446744073709551615u; }), "") == "18446744073709551615");
    BOOST_TEST(run(*make_handler([] { return 0.5f; }), "") == "5E-1");
    BOOST_TEST(run(*make_handler([] { return "text"; }), "") == "\"text\"");
    BOOST_TEST(run(*make_handler([] { return std::string("text"); }), "") == "\"text\"");
    BOOST_TEST(run(*make_handler([] { return json::string("text"); }), "") == "\"text\"");
    BOOST_TEST(run(*make_handler([] { return nullptr; }), "") == "null");
    BOOST_TEST(run(*make_handler([] { return std::optional<int>(); }), "") == "null");
    BOOST_TEST(run(*make_handler([] { return std::vector<int>{1, 2}; }), "") == "[1,2]");
    BOOST_TEST(run(*make_handler([] { return std::map<std::string, bool>{{"a", true}}; }), "") == "{\"a\":true}");
    BOOST_TEST(run(*make_handler([] { return json::object{{"a", 1}}; }), "") == "{\"a\":1}");
    BOOST_TEST(run(*make_handler([] { return json_text("[ 1 ]"); }), "") == "[ 1 ]");
}

BOOST_AUTO_TEST_CASE(what_is_bound_in_front_is_no_argument)
{
    counter one;
    BOOST_TEST(run(*make_handler(std::bind_front(&counter::add, &one), {"a", "b"}), R"({"b":2,"a":1})") == "3");
    BOOST_TEST(run(*make_handler(std::bind_front(&counter::add, &one, 10), {"b"}), R"({"b":2})") == "15");
    BOOST_TEST(run(*make_handler(std::bind_front(twice)), "[4]") == "8");
    BOOST_TEST(run(*make_handler(std::bind_front(&counter::later, &one), {"a"}), "[5]") == "20");
}

BOOST_AUTO_TEST_CASE(a_result_may_be_a_value_or_an_error)
{
    const auto half = make_handler([](int n) -> outcome_of<int> {
        if (n % 2 != 0)
            return rpc_error(7, "odd");
        return n / 2;
    });
    BOOST_TEST(run(*half, "[8]") == "4");
    BOOST_CHECK_EXCEPTION(run(*half, "[9]"), rpc_error, [](const rpc_error& e) { return e.error().code == 7; });

    const auto nothing = make_handler([](bool fails) -> boost::asio::awaitable<outcome_of<void>> {
        co_return fails ? outcome_of<void>(rpc_error(8, "told to")) : outcome_of<void>();
    });
    BOOST_TEST(run(*nothing, "[false]") == "null");
    BOOST_CHECK_EXCEPTION(run(*nothing, "[true]"), rpc_error, [](const rpc_error& e) { return e.error().code == 8; });

    const auto object =
        make_handler([]() -> boost::system::result<std::vector<int>, error_object> { return {{1, 2}}; });
    BOOST_TEST(run(*object, "") == "[1,2]");
}

BOOST_AUTO_TEST_CASE(durations_are_numbers_of_their_unit_and_paths_are_text)
{
    using namespace std::chrono_literals;
    const auto wait = make_handler([](std::chrono::milliseconds time) { return time + 1s; });
    BOOST_TEST(run(*wait, "[5]") == "1005");
    BOOST_TEST(refusal(*wait, "[0.5]") == mismatch(0, "integer", "0.5"));
    const auto real = make_handler([](std::chrono::duration<double> time) { return time * 2; });
    BOOST_TEST(run(*real, "[0.25]") == "0.5");
    const auto path = make_handler([](std::filesystem::path where) { return where / "b"; });
    BOOST_TEST(run(*path, R"(["/a"])") == R"("/a/b")");
    BOOST_TEST(refusal(*path, "[1]") == mismatch(0, "string", "integer"));
}

BOOST_AUTO_TEST_CASE(errors_are_let_through)
{
    BOOST_CHECK_THROW(run(*make_handler([] { throw rpc_error(7, "no"); }), ""), rpc_error);
    BOOST_CHECK_THROW(run(*make_handler([] { throw std::runtime_error("no"); }), ""), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(names_must_fit_the_function)
{
    BOOST_CHECK_THROW(make_handler(twice, parameter_names({"a", "b"})), std::invalid_argument);
    BOOST_CHECK_THROW(make_handler([](int, int) {}, {"a", "a"}), std::invalid_argument);
    BOOST_CHECK_NO_THROW(make_handler([](request_context&, int) {}, {"a"}));
}

BOOST_AUTO_TEST_SUITE_END()
