#include "unit/rpc/handler_runner.hpp"

#include <partyline/rpc/detail/typed_handler.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

using namespace partyline::detail;
using namespace partyline;
namespace json = boost::json;

namespace {

using number = std::variant<std::int64_t, double>;
using mixed = std::variant<bool, std::uint8_t, std::string, std::vector<int>>;

template <class T>
std::unique_ptr<handler> teller()
{
    return make_handler([](T value) { return value.index(); });
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

BOOST_AUTO_TEST_CASE(not_more_alternatives_are_tried_than_one_message_may_cost)
{
    using either = std::variant<std::vector<int>, std::vector<std::string>>; // each looks like the other, from without
    const auto lists = make_handler([](std::vector<either> all) { return all.size(); });
    const auto of = [](std::size_t count) {
        std::string params = "[[";
        for (std::size_t i = 0; i != count; ++i)
            params += i == 0 ? R"(["a"])" : R"(,["a"])";
        return params + "]]";
    };
    BOOST_TEST(run(*lists, of(max_failed_attempts - 1)) == std::to_string(max_failed_attempts - 1));
    const json::value refused = refusal(*lists, of(max_failed_attempts));
    BOOST_TEST(refused.at("expected") == json::value("array"));
    BOOST_TEST(refused.at("got") == json::value("nothing that was tried: too many alternatives have failed"));
}

BOOST_AUTO_TEST_SUITE_END()
