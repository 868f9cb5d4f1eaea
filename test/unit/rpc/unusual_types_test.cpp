// Types that few describe: what is read, what is written and what the schema says are the same there, too.
#include "unit/rpc/handler_runner.hpp"

#include <partyline/rpc/detail/to_value.hpp>
#include <partyline/rpc/json_schema.hpp>
#include <partyline/rpc/method_table.hpp>
#include <partyline/rpc/notes.hpp>

#include <boost/describe.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace json = boost::json;
using namespace partyline;
using partyline::detail::make_handler;

namespace unusual {

enum class deletion { remove };
BOOST_DESCRIBE_ENUM(deletion, remove)
enum class creation { create };
BOOST_DESCRIBE_ENUM(creation, create)
struct delete_file {
    deletion kind = deletion::remove;
    std::string uri;
};
BOOST_DESCRIBE_STRUCT(delete_file, (), (kind, uri))
struct create_file {
    creation kind = creation::create;
    std::string uri;
};
BOOST_DESCRIBE_STRUCT(create_file, (), (kind, uri))

enum class action { none, quick_fix, old_fix = quick_fix };
BOOST_DESCRIBE_ENUM(action, none, quick_fix, old_fix)
constexpr auto notes_of(of<action>)
{
    return notes(note(action::none, wire_name("")), note(action::quick_fix, "at once", wire_name("fix")));
}

enum class grade { low = 1, least = 1, high = 2 };
BOOST_DESCRIBE_ENUM(grade, low, least, high)
constexpr auto notes_of(of<grade>)
{
    return notes(as_numbers);
}

struct limits_of_all {
    double ratio = std::numeric_limits<double>::infinity();
    std::int8_t small = 0;
    std::uint16_t count = 0;
    int both = 1;
    float near = 0;

    static constexpr auto notes()
    {
        using me = limits_of_all;
        return partyline::notes(note(&me::ratio, defaulted, at_most(std::numeric_limits<double>::infinity())),
                                note(&me::small, defaulted, at_most(1000)), note(&me::count, defaulted, at_least(-5)),
                                note(&me::both, defaulted, at_most(5), range(1, 10)),
                                note(&me::near, defaulted, range(0.0, 0.1)));
    }
};
BOOST_DESCRIBE_STRUCT(limits_of_all, (), (ratio, small, count, both, near))

struct tags {
    std::set<std::variant<std::int64_t, std::string>> all;

    static constexpr auto notes() { return partyline::notes(note(&tags::all, length(2, 9))); }
};
BOOST_DESCRIBE_STRUCT(tags, (), (all))

// Neither can be assigned.
struct token {
    const std::string text;
};
[[maybe_unused]] token tag_invoke(json::value_to_tag<token>, const json::value& value)
{
    return {std::string(value.as_string())};
}
struct pinned {
    int x = 0;
    const int version = 2;
};
BOOST_DESCRIBE_STRUCT(pinned, (), (x))

// Made of a number alone.
class purse {
public:
    explicit purse(std::int64_t coins) : coins_(coins) {}
    std::int64_t coins() const { return coins_; }

private:
    std::int64_t coins_;
};
[[maybe_unused]] purse tag_invoke(json::value_to_tag<purse>, const json::value& value)
{
    return purse(value.as_int64());
}
struct pocket {
    purse left = purse(0);
    std::vector<purse> others;
};
BOOST_DESCRIBE_STRUCT(pocket, (), (left, others))

struct first {
    int x = 1;
};
BOOST_DESCRIBE_STRUCT(first, (), (x))
struct second : first {
    static constexpr auto notes()
    {
        return partyline::notes(note(&first::x, "of the second", wire_name("ex"), defaulted, range(1, 9)));
    }
};
BOOST_DESCRIBE_STRUCT(second, (first), ())
struct third : second {
    int y = 2;
    int z = 3;
};
BOOST_DESCRIBE_STRUCT(third, (second), (y, z))
constexpr auto notes_of(of<third>)
{
    return notes(note(&third::y, defaulted), note(&third::z, wire_name("zed"), defaulted));
}
struct fourth : third {
    static constexpr auto notes() { return partyline::notes(note(&third::z, wire_name("last"))); }
};
BOOST_DESCRIBE_STRUCT(fourth, (third), ())

struct texts {
    std::string text;
    operator std::string_view() const noexcept { return text; }
};
BOOST_DESCRIBE_STRUCT(texts, (), (text))

} // namespace unusual

using namespace unusual;

namespace {

std::string repeated(const std::string& element, int count)
{
    std::string all = "[[";
    for (int i = 0; i != count; ++i)
        all += (i == 0 ? "" : ",") + element;
    return all + "]]";
}

template <class T>
std::string schema()
{
    return json::serialize(json_schema<T>());
}

template <class T>
std::string written(const T& what)
{
    return json::serialize(detail::to_value(what));
}

} // namespace

BOOST_AUTO_TEST_SUITE(unusual_types)

BOOST_AUTO_TEST_CASE(alternatives_that_can_be_told_apart_at_once_are_read_as_often_as_they_come)
{
    const auto numbers = make_handler([](std::vector<std::variant<double, std::string>> all) { return all.size(); });
    BOOST_TEST(run(*numbers, repeated("\"a\"", 5000)) == "5000");
    const auto files = make_handler([](std::vector<std::variant<create_file, delete_file>> all) { return all.size(); });
    BOOST_TEST(run(*files, repeated(R"({"kind":"remove","uri":"a"})", 5000)) == "5000");
    const auto others = make_handler(
        [](std::vector<
            std::variant<std::tuple<int, int>, std::optional<std::array<int, 1>>, std::filesystem::path, json::object>>
               all) { return all.size(); });
    BOOST_TEST(run(*others, repeated("{}", 5000)) == "5000");
}

BOOST_AUTO_TEST_CASE(an_enumerator_can_have_an_empty_name_and_another_name)
{
    BOOST_TEST(written(action::none) == "\"\"");
    BOOST_TEST(written(action::old_fix) == "\"fix\"");
    const auto takes = make_handler([](action a) { return static_cast<int>(a); }, {"a"});
    BOOST_TEST(run(*takes, R"([""])") == "0");
    BOOST_TEST(run(*takes, R"(["fix"])") == "1");
    BOOST_TEST(run(*takes, R"(["old_fix"])") == "1");
    BOOST_TEST(json_schema<grade>().at("enum") == (json::array{1, 2}));
}

BOOST_AUTO_TEST_CASE(the_schema_has_the_tighter_of_two_bounds_and_none_that_is_no_number)
{
    const json::object all = json_schema<limits_of_all>();
    const auto of = [&](const char* name) { return all.at("properties").at(name).as_object(); };
    BOOST_TEST(!of("ratio").contains("default"));
    BOOST_TEST(!of("ratio").contains("maximum"));
    BOOST_TEST(of("small").at("maximum") == json::value(127));
    BOOST_TEST(of("count").at("minimum") == json::value(0));
    BOOST_TEST(of("both").at("maximum") == json::value(5));
    BOOST_TEST(of("both").at("minimum") == json::value(1));
}

BOOST_AUTO_TEST_CASE(a_float_may_have_its_bound)
{
    const auto takes = make_handler([](limits_of_all all) { return double(all.near); });
    BOOST_TEST(run(*takes, R"({"near":0.1})") == json::serialize(json::value(double(0.1f))));
    BOOST_TEST(refusal(*takes, R"({"near":0.11})").at("expected") == json::value("number from 0 to 0.1"));
}

BOOST_AUTO_TEST_CASE(bases_may_speak_of_their_bases_and_who_derives_has_the_last_word)
{
    const auto takes = make_handler([](fourth f) { return std::vector<int>{f.x, f.y, f.z}; });
    BOOST_TEST(run(*takes, "{}") == "[1,2,3]");
    BOOST_TEST(run(*takes, R"({"ex":9,"last":5})") == "[9,2,5]");
    BOOST_TEST(refusal(*takes, R"({"ex":10})").at("expected") == json::value("integer from 1 to 9"));
    BOOST_TEST(refusal(*takes, R"({"zed":1})").at("got") == json::value("zed"));
    const json::object all = json_schema<fourth>();
    BOOST_TEST(all.at("properties").at("ex").at("description") == json::value("of the second"));
    BOOST_TEST(written(fourth()) == R"({"ex":1,"y":2,"last":3})");
}

BOOST_AUTO_TEST_CASE(what_lies_below_the_least_integer_is_not_read_as_it)
{
    const auto takes = make_handler([](std::int64_t n) { return n; }, {"n"});
    BOOST_TEST(run(*takes, "[-9223372036854775808]") == "-9223372036854775808");
    BOOST_TEST(refusal(*takes, "[-9223372036854775809]").at("expected") ==
               json::value("integer from -9223372036854775808 to 9223372036854775807"));
}

BOOST_AUTO_TEST_CASE(paths_have_no_nul_and_can_be_names)
{
    const auto takes = make_handler([](std::filesystem::path p) { return p.native(); }, {"p"});
    BOOST_TEST(run(*takes, R"(["a"])") == "\"a\"");
    BOOST_TEST(refusal(*takes, R"(["a\u0000b"])").at("expected") == json::value("string without NUL characters"));
    BOOST_TEST(written(std::map<std::filesystem::path, int>{{"a", 1}}) == R"({"a":1})");
}

BOOST_AUTO_TEST_CASE(the_sessions_own_members_are_none_of_the_params)
{
    const auto takes = make_handler([](whole_params<create_file> all) { return all.value.uri; });
    BOOST_TEST(run(*takes, R"({"kind":"create","uri":"a","_meta":{},"workDoneToken":1})") == "\"a\"");
    BOOST_TEST(refusal(*takes, R"({"kind":"create","uri":"a","other":1})").at("got") == json::value("other"));
}

BOOST_AUTO_TEST_CASE(nor_are_they_of_a_variant_that_stands_for_the_params)
{
    const auto which =
        make_handler([](whole_params<std::variant<create_file, json::object>> all) { return all.value.index(); });
    BOOST_TEST(run(*which, R"({"kind":"create","uri":"a","_meta":{}})") == "0");
    BOOST_TEST(run(*which, R"({"kind":"create","uri":"a","other":{}})") == "1");
    BOOST_TEST(run(*which, R"({"kind":"create","uri":{},"_meta":{}})") == "1");
}

BOOST_AUTO_TEST_CASE(what_rules_look_at_is_read_also_within_variants_of_variants)
{
    using inner = std::variant<tags, std::string>;
    const auto which = make_handler([](std::variant<std::vector<inner>, int> all) {
        return all.index() == 0 ? std::get<0>(all).front().index() : 9;
    });
    BOOST_TEST(run(*which, R"([[{"all":[1,2]}]])") == "0");
    BOOST_TEST(run(*which, R"([["a"]])") == "1");
    BOOST_TEST(refusal(*which, R"([[{"all":[1,1]}]])").at("parameter") == json::value(0));
}

BOOST_AUTO_TEST_CASE(types_that_can_not_be_assigned_are_arguments)
{
    const auto shows = make_handler([](token one, pinned two, std::optional<pinned> three) {
        return one.text + std::to_string(two.x + two.version + (three ? three->x : 0));
    });
    BOOST_TEST(run(*shows, R"(["a",{"x":3},{"x":4}])") == "\"a9\"");
    BOOST_TEST(run(*shows, R"(["a",{"x":3.0},null])") == "\"a5\""); // which only a value shows
    BOOST_TEST(refusal(*shows, R"([1,{"x":3},null])").at("parameter") == json::value(0));
    const auto whole = make_handler([](pinned all) { return all.x + all.version; });
    BOOST_TEST(run(*whole, R"({"x":3})") == "5");
    BOOST_TEST(run(*whole, R"({"x":3.0})") == "5");
}

BOOST_AUTO_TEST_CASE(types_without_a_default_are_read_wherever_they_stand)
{
    const auto sum = make_handler([](purse one, pocket two, std::pair<purse, int> three,
                                     std::map<std::string, purse> four, std::variant<purse, std::string> five) {
        std::int64_t all = one.coins() + two.left.coins() + three.first.coins() + four.at("a").coins();
        for (const purse& each : two.others)
            all += each.coins();
        return all + (five.index() == 0 ? std::get<0>(five).coins() : 0);
    });
    BOOST_TEST(run(*sum, R"([1,{"left":2,"others":[3,4]},[5,0],{"a":6},7])") == "28");
    BOOST_TEST(run(*sum, R"([1,{"left":2,"others":[3,4]},[5,0.0],{"a":6},"x"])") == "21");
    BOOST_TEST(refusal(*sum, R"([1,{"left":2,"others":[3,"x"]},[5,0],{"a":6},7])").at("parameter") ==
               json::value("[1].others[1]"));
}

BOOST_AUTO_TEST_CASE(schemas_are_of_what_is_read)
{
    BOOST_TEST(
        schema<texts>() ==
        R"({"type":"object","properties":{"text":{"type":"string"}},"required":["text"],"additionalProperties":false})");
    BOOST_TEST(schema<std::tuple<>>() == R"({"type":"array","minItems":0,"maxItems":0})");
}

BOOST_AUTO_TEST_CASE(what_may_be_left_out_stands_last_in_a_document)
{
    method_table table;
    const auto two = [](std::optional<int>, int) {};
    table.add("named", two, {"a", "b"});
    table.add("placed", two);
    const json::object document = openrpc_document({"t", "1"}, table.describe());
    const json::object& named = document.at("methods").at(0).as_object();
    BOOST_TEST(named.at("params").at(0).at("name") == json::value("b"));
    BOOST_TEST(named.at("params").at(1).at("required") == json::value(false));
    BOOST_TEST(named.at("paramStructure") == json::value("by-name"));
    const json::object& placed = document.at("methods").at(1).as_object();
    BOOST_TEST(placed.at("params").at(0).at("required") == json::value(true));
    BOOST_TEST(placed.at("params").at(0).at("schema").as_object().contains("anyOf"));
    BOOST_TEST(placed.at("paramStructure") == json::value("by-position"));
}

BOOST_AUTO_TEST_SUITE_END()
