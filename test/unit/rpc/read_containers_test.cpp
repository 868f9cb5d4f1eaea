#include "unit/rpc/handler_runner.hpp"

#include <partyline/rpc/detail/typed_handler.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

using namespace partyline::detail;
using namespace partyline;
namespace json = boost::json;

namespace {

template <class T>
std::string echo(std::string_view text)
{
    return run(*make_handler([](T value) { return value; }), "[" + std::string(text) + "]");
}

template <class T>
json::value refused(std::string_view text)
{
    return refusal(*make_handler([](const T&) {}), "[" + std::string(text) + "]");
}

using table = std::map<std::string, std::vector<int>>;

} // namespace

BOOST_AUTO_TEST_SUITE(read_containers)

BOOST_AUTO_TEST_CASE(sequences)
{
    BOOST_TEST(echo<std::vector<int>>("[1,2,3]") == "[1,2,3]");
    BOOST_TEST(echo<std::vector<bool>>("[true,false]") == "[true,false]");
    BOOST_TEST(echo<std::deque<std::string>>(R"(["a","b"])") == R"(["a","b"])");
    BOOST_TEST(echo<std::set<int>>("[3,1,3]") == "[1,3]");
    BOOST_TEST(echo<std::vector<std::optional<int>>>("[1,null]") == "[1,null]");
    BOOST_TEST(echo<std::vector<std::vector<int>>>("[[],[1]]") == "[[],[1]]");
    BOOST_TEST(refused<std::vector<int>>("{}") == mismatch(0, "array", "object"));
    BOOST_TEST(refused<std::vector<int>>("[1,\"x\"]") == mismatch("[0][1]", "integer", "string"));
    BOOST_TEST(refused<std::vector<std::vector<std::uint8_t>>>("[[],[1,256]]") ==
               mismatch("[0][1][1]", "integer from 0 to 255", "256"));
}

BOOST_AUTO_TEST_CASE(arrays_pairs_and_tuples_have_a_size)
{
    using numbers = std::array<int, 3>;
    using pair = std::pair<std::string, int>;
    using tuple = std::tuple<int, std::string, bool>;
    BOOST_TEST(echo<numbers>("[1,2,3]") == "[1,2,3]");
    BOOST_TEST(echo<pair>(R"(["a",1])") == R"(["a",1])");
    BOOST_TEST(echo<tuple>(R"([1,"a",true])") == R"([1,"a",true])");
    BOOST_TEST(echo<std::tuple<json::value>>("[[1]]") == "[[1]]");
    BOOST_TEST(refused<numbers>("[1,2]") == mismatch(0, "array of 3 elements", "array of 2 elements"));
    BOOST_TEST(refused<numbers>("3") == mismatch(0, "array of 3 elements", "integer"));
    BOOST_TEST(refused<pair>(R"(["a",1,2])") == mismatch(0, "array of 2 elements", "array of 3 elements"));
    BOOST_TEST(refused<tuple>(R"([1,2,true])") == mismatch("[0][1]", "string", "integer"));
}

BOOST_AUTO_TEST_CASE(maps)
{
    BOOST_TEST(echo<table>(R"({"b":[1],"a":[]})") == R"({"a":[],"b":[1]})");
    using unordered = std::unordered_map<std::string, int>;
    BOOST_TEST(echo<unordered>(R"({"a":1})") == R"({"a":1})");
    BOOST_TEST(echo<unordered>(R"({"a":1,"a":2})") == R"({"a":2})"); // of duplicates the last wins
    BOOST_TEST(refused<table>("[]") == mismatch(0, "object", "array"));
    BOOST_TEST(refused<table>(R"({"a":[1,"x"]})") == mismatch("[0].a[1]", "integer", "string"));
}

BOOST_AUTO_TEST_SUITE_END()
