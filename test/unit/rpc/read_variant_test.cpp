#include "unit/rpc/handler_runner.hpp"

#include <partyline/rpc/detail/typed_handler.hpp>
#include <partyline/rpc/notes.hpp>

#include <boost/describe.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

using namespace partyline::detail;
using namespace partyline;
namespace json = boost::json;

namespace choices {

struct short_name {
    std::string id;
    static constexpr auto notes() { return partyline::notes(note(&short_name::id, length(0, 3))); }
};
BOOST_DESCRIBE_STRUCT(short_name, (), (id))
struct long_name {
    std::string id;
    static constexpr auto notes() { return partyline::notes(note(&long_name::id, length(4, 6))); }
};
BOOST_DESCRIBE_STRUCT(long_name, (), (id))

// Read by a conversion of its own, which throws.
struct picky {};
[[maybe_unused]] picky tag_invoke(json::value_to_tag<picky>, const json::value& value)
{
    if (!value.is_bool())
        throw rpc_error(1, "not that");
    return {};
}

} // namespace choices

using namespace choices;

namespace {

using number = std::variant<std::int64_t, double>;
using mixed = std::variant<bool, std::uint8_t, std::string, std::vector<int>>;

template <class T>
std::unique_ptr<handler> teller()
{
    return make_handler([](T value) { return value.index(); });
}

std::string list_of(const std::string& what, int count)
{
    std::string all;
    for (int i = 0; i != count; ++i)
        all += (i == 0 ? "[" : ",") + what;
    return all + "]";
}

} // namespace

BOOST_AUTO_TEST_SUITE(read_variant)

BOOST_AUTO_TEST_CASE(takes_the_first_alternative_that_fits)
{
    const auto numbers = teller<number>();
    BOOST_TEST(run(*numbers, "[1]") == "0");
    BOOST_TEST(run(*numbers, "[2.0]") == "0");
    BOOST_TEST(run(*numbers, "[2.5]") == "1");
    BOOST_TEST(run(*numbers, "[18446744073709551615]") == "1");
    const auto several = teller<mixed>();
    BOOST_TEST(run(*several, "[true]") == "0");
    BOOST_TEST(run(*several, "[255]") == "1");
    BOOST_TEST(run(*several, "[\"a\"]") == "2");
    BOOST_TEST(run(*several, "[[1]]") == "3");
}

BOOST_AUTO_TEST_CASE(refuses_what_fits_none)
{
    const char* const expected = "boolean or integer or string or array";
    const auto several = teller<mixed>();
    BOOST_TEST(refusal(*several, "[null]") == mismatch(0, expected, "null"));
    BOOST_TEST(refusal(*several, "[256]") == mismatch(0, expected, "integer"));
    BOOST_TEST(refusal(*several, "[[\"x\"]]") == mismatch(0, expected, "array"));
}

// Each looks like the other one, from without.
using either = std::variant<std::vector<int>, std::vector<std::string>>;

BOOST_AUTO_TEST_CASE(however_many_alternatives_fail_the_one_that_fits_is_read)
{
    const auto lists = make_handler([](std::vector<either> all) { return all.size(); });
    BOOST_TEST(run(*lists, "[" + list_of(R"(["a"])", 5000) + "]") == "5000");
    BOOST_TEST(refusal(*lists, "[" + list_of(R"(["a",1])", 5000) + "]") == mismatch("[0][0]", "array", "array"));
}

BOOST_AUTO_TEST_CASE(variants_in_variants_are_decided_about_once)
{
    using outer = std::variant<std::vector<std::vector<int>>, std::vector<either>, std::map<std::string, either>>;
    const auto teller = make_handler([](std::vector<outer> all) { return all.back().index(); });
    const std::string lists = "[[1]," + list_of(R"(["a"])", 50).substr(1);
    BOOST_TEST(run(*teller, "[[[[1]]]]") == "0");
    BOOST_TEST(run(*teller, "[[" + lists + "]]") == "1");
    BOOST_TEST(run(*teller, R"([[{"a":[1],"b":["x"]}]])") == "2");
    BOOST_TEST(refusal(*teller, R"([[{"a":[1],"b":[null]}]])") == mismatch("[0][0]", "array or object", "object"));
}

BOOST_AUTO_TEST_CASE(what_an_alternative_holds_is_as_it_was_sent)
{
    using outer = std::variant<std::vector<std::optional<int>>, std::vector<std::pair<std::string, either>>>;
    const auto echo = make_handler([](outer all) { return all; });
    for (const std::string text : {R"([1,null,3])", R"([["a",[1,2]],["b",["x"]],["c",[]]])", "[]"})
        BOOST_TEST(run(*echo, "[" + text + "]") == text);
}

BOOST_AUTO_TEST_CASE(a_rule_decides_between_alternatives)
{
    const auto shapes = teller<std::variant<short_name, long_name>>();
    BOOST_TEST(run(*shapes, R"([{"id":"abc"}])") == "0");
    BOOST_TEST(run(*shapes, R"([{"id":"abcd"}])") == "1");
    BOOST_TEST(refusal(*shapes, R"([{"id":"abcdefgh"}])") == mismatch(0, "object", "object"));
}

BOOST_AUTO_TEST_CASE(a_conversion_that_throws_is_an_alternative_that_does_not_fit)
{
    const auto either_way = teller<std::variant<picky, std::vector<int>>>();
    BOOST_TEST(run(*either_way, "[true]") == "0");
    BOOST_TEST(run(*either_way, "[[1]]") == "1");
}

BOOST_AUTO_TEST_SUITE_END()
