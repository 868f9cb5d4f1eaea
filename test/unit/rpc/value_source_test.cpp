#include "rpc/problem_list.hpp"
#include "rpc/value_source.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <limits>
#include <string>

using namespace partyline;
using detail::value_source;
namespace json = boost::json;

namespace {

/// A source, the value that it reads, and what it has noted.
struct source_of {
    explicit source_of(const char* text) : value(json::parse(text)) {}
    value_source* operator->() { return &source; }

    /// The first problem: "items[1]: expected integer, got string".
    std::string problem()
    {
        if (problems.empty())
            return "none";
        const json::object data = problems.take().data.value().as_object();
        const json::value* const place = data.if_contains("parameter");
        return (place ? json::serialize(*place) : "all") + ": " + std::string(data.at("expected").as_string()) +
               ", got " + std::string(data.at("got").as_string());
    }

    json::value value;
    detail::problem_list problems;
    detail::reading how{unknown_members::refused, &problems};
    value_source source{&value, how};
};

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();

std::string words()
{
    return "a thing";
}

} // namespace

BOOST_AUTO_TEST_SUITE(value_source_)

BOOST_AUTO_TEST_CASE(what_is_nothing_is_null_and_nothing_else)
{
    detail::problem_list problems;
    const detail::reading how(unknown_members::refused, &problems);
    value_source nothing(nullptr, how);
    std::string text;
    BOOST_TEST(nothing.read_null());
    BOOST_TEST(!nothing.read_string(text));
    BOOST_TEST(!nothing.refuse_kind(&words));
    const json::value told = problems.take().data.value();
    BOOST_TEST(told.at("expected") == json::value("string"));
    BOOST_TEST(told.at("got") == json::value("nothing"));
    BOOST_TEST(told.at("others").at(0).at("expected") == json::value("a thing"));
}

BOOST_AUTO_TEST_CASE(a_problem_has_its_place)
{
    source_of from(R"({"a":[1,{"b":"x"}]})");
    std::string_view name;
    std::int64_t number = 0;
    BOOST_TEST(from->begin_object());
    BOOST_TEST(from->next_member(name));
    BOOST_TEST(name == "a");
    BOOST_TEST(from->begin_array());
    BOOST_TEST(from->next_element());
    BOOST_TEST(from->read_signed(number, least, greatest));
    BOOST_TEST(from->next_element());
    BOOST_TEST(from->begin_object());
    BOOST_TEST(from->next_member(name));
    BOOST_TEST(!from->read_signed(number, least, greatest));
    BOOST_TEST(from.problem() == R"("a[1].b": integer, got string)");
    BOOST_TEST(!from->next_member(name));
    BOOST_TEST(!from->refuse("another thing", "this"));
    BOOST_TEST(from.problem() == R"("a[1]": another thing, got this)");
    BOOST_TEST(!from->next_element());
    BOOST_TEST(!from->next_member(name));
    BOOST_TEST((from->kind() == json::kind::object));
}

BOOST_AUTO_TEST_CASE(an_array_may_have_to_be_of_a_size)
{
    source_of from("[1,2]");
    BOOST_TEST(!from->begin_array(3));
    BOOST_TEST(from.problem() == "all: array of 3 elements, got array of 2 elements");
    BOOST_TEST(from->begin_array(2));
    source_of other("{}");
    BOOST_TEST(!other->begin_array(1));
    BOOST_TEST(other.problem() == "all: array of 1 element, got object");
}

BOOST_AUTO_TEST_CASE(a_copy_of_a_value_is_in_default_storage)
{
    source_of from("[1]");
    json::value copy;
    BOOST_TEST(from->read_value(copy));
    BOOST_TEST(copy == from.value);
    BOOST_TEST((copy.storage().get() == json::storage_ptr().get()));
}

// The first alternative fails when it has gone into the value.
bool read_two_strings(detail::json_source& from, void*)
{
    std::string text;
    return from.begin_array() && from.next_element() && from.read_string(text) && from.next_element() &&
           from.read_string(text);
}

bool read_any_array(detail::json_source& from, void*)
{
    return from.begin_array();
}

BOOST_AUTO_TEST_CASE(an_alternative_begins_where_the_one_before_did)
{
    static constexpr std::array<bool (*)(detail::json_source&, void*), 2> readers{&read_two_strings, &read_any_array};
    source_of from(R"(["a",1])");
    BOOST_TEST(from->read_alternative(nullptr, {readers, &words}));
    BOOST_TEST(from.problem() == "none");
    source_of other("1");
    BOOST_TEST(!other->read_alternative(nullptr, {readers, &words}));
    BOOST_TEST(other.problem() == "all: a thing, got integer");
}

BOOST_AUTO_TEST_SUITE_END()
