#include <partyline/rpc/detail/to_value.hpp>
#include <partyline/rpc/notes.hpp>

#include <boost/describe.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

using namespace partyline;
namespace json = boost::json;

namespace store {

enum class color { red, dark_blue };
BOOST_DESCRIBE_ENUM(color, red, dark_blue)
constexpr auto notes_of(partyline::of<color>)
{
    return notes(note(color::dark_blue, wire_name("dark blue")));
}

enum level { low = 1, high = 10 };
BOOST_DESCRIBE_ENUM(level, low, high)
constexpr auto notes_of(partyline::of<level>)
{
    return notes(as_numbers);
}

struct thing {
    int number = 0;
    std::optional<color> paint;
};
BOOST_DESCRIBE_STRUCT(thing, (), (number, paint))

struct item : thing {
    std::string class_;
    std::vector<std::optional<thing>> parts;

    static constexpr auto notes() { return partyline::notes(note(&item::class_, wire_name("class"))); }
};
BOOST_DESCRIBE_STRUCT(item, (thing), (class_, parts))

// With a conversion of its own.
struct money {
    int cents = 0;
};
void tag_invoke(json::value_from_tag, json::value& to, const money& from)
{
    to = std::to_string(from.cents) + " ct";
}

} // namespace store

namespace {

template <class T>
std::string text_of(const T& from)
{
    return json::serialize(detail::to_value(from));
}

} // namespace

BOOST_AUTO_TEST_SUITE(to_value_suite)

BOOST_AUTO_TEST_CASE(a_struct_is_an_object_of_its_members_and_those_of_its_bases)
{
    store::item one;
    one.number = 3;
    one.paint = store::color::red;
    one.class_ = "c";
    one.parts = {store::thing{4, {}}, std::nullopt};
    BOOST_TEST(text_of(one) == R"({"number":3,"paint":"red","class":"c","parts":[{"number":4},null]})");
    BOOST_TEST(text_of(store::item()) == R"({"number":0,"class":"","parts":[]})");
}

BOOST_AUTO_TEST_CASE(an_enumerator_is_its_name_on_the_wire_or_its_number)
{
    BOOST_TEST(text_of(store::color::red) == R"("red")");
    BOOST_TEST(text_of(store::color::dark_blue) == R"("dark blue")");
    BOOST_TEST(text_of(store::high) == "10");
    BOOST_TEST(text_of(static_cast<store::color>(7)) == "7"); // it has no name
}

BOOST_AUTO_TEST_CASE(what_holds_such_values_holds_them_as_they_are)
{
    using store::color;
    BOOST_TEST(text_of(std::vector{color::dark_blue}) == R"(["dark blue"])");
    BOOST_TEST(text_of(std::set<int>{2, 1}) == "[1,2]");
    BOOST_TEST(text_of(std::list<bool>{true}) == "[true]");
    BOOST_TEST(text_of(std::vector<bool>{true, false}) == "[true,false]");
    BOOST_TEST(text_of(std::array{store::low, store::high}) == "[1,10]");
    BOOST_TEST(text_of(std::map<std::string, color>{{"a", color::dark_blue}}) == R"({"a":"dark blue"})");
    BOOST_TEST(text_of(std::map<int, color>{{1, color::red}}) == R"([[1,"red"]])");
    BOOST_TEST(text_of(std::tuple(1, color::dark_blue, "text")) == R"([1,"dark blue","text"])");
    BOOST_TEST(text_of(std::pair(1, std::optional<int>())) == "[1,null]");
    using either = std::variant<int, color>;
    BOOST_TEST(text_of(std::vector<either>{1, color::dark_blue}) == R"([1,"dark blue"])");
}

BOOST_AUTO_TEST_CASE(a_conversion_of_its_own_comes_first)
{
    BOOST_TEST(text_of(std::vector{store::money{5}}) == R"(["5 ct"])");
    BOOST_TEST(text_of(std::optional(store::money{5})) == R"("5 ct")");
    BOOST_TEST(text_of(nullptr) == "null");
    BOOST_TEST(text_of(std::string("text")) == R"("text")");
    BOOST_TEST(text_of(json::array{1}) == "[1]");
}

BOOST_AUTO_TEST_CASE(a_null_pointer_to_text_is_null)
{
    const char* const none = nullptr;
    const char* const some = "text";
    BOOST_TEST(detail::to_value(none) == json::value());
    BOOST_TEST(detail::to_value(some) == json::value("text"));
    BOOST_TEST(detail::to_value("literal") == json::value("literal"));
}

BOOST_AUTO_TEST_SUITE_END()
