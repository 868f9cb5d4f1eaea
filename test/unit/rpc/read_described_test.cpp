#include "unit/rpc/handler_runner.hpp"

#include <partyline/rpc/detail/typed_handler.hpp>

#include <boost/describe.hpp>
#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>
#include <vector>

using namespace partyline::detail;
using namespace partyline;
namespace json = boost::json;

namespace shop {

BOOST_DEFINE_ENUM_CLASS(color, red, green, blue)

struct item {
    std::string name;
    int size = 0;
    std::optional<color> paint;
};
BOOST_DESCRIBE_STRUCT(item, (), (name, size, paint))

struct order {
    int number = 0;
    std::vector<item> items;
    std::optional<std::string> note;
};
BOOST_DESCRIBE_STRUCT(order, (), (number, items, note))

struct urgent_order : order {
    bool by_air = false;
};
BOOST_DESCRIBE_STRUCT(urgent_order, (order), (by_air))

struct tree {
    std::vector<tree> branches;
};
BOOST_DESCRIBE_STRUCT(tree, (), (branches))

} // namespace shop

namespace {

const std::unique_ptr<handler> whole_order = make_handler([](shop::order value) { return value; });
const std::unique_ptr<handler> part_of_many =
    make_handler([](shop::item value, std::optional<int>) { return value; }, {"item", "n"});
const std::unique_ptr<handler> paint = make_handler([](shop::color value) { return value; }, {"paint"});

} // namespace

BOOST_AUTO_TEST_SUITE(read_described)

BOOST_AUTO_TEST_CASE(a_struct_takes_the_params_as_a_whole)
{
    const char* const text = R"({"number":1,"items":[{"name":"a","size":2,"paint":"red"}],"note":"x"})";
    BOOST_TEST(run(*whole_order, text) == text);
    BOOST_TEST(run(*whole_order, R"({"items":[],"number":1})") == R"({"number":1,"items":[]})");
    BOOST_TEST(run(*whole_order, R"([1,[]])") == R"({"number":1,"items":[]})");
    BOOST_TEST(run(*whole_order, R"([1,[],"x"])") == R"({"number":1,"items":[],"note":"x"})");
}

BOOST_AUTO_TEST_CASE(a_struct_names_what_does_not_fit)
{
    BOOST_TEST(refusal(*whole_order, "") == mismatch(nullptr, "2 to 3 parameters", "0"));
    BOOST_TEST(refusal(*whole_order, "[1]") == mismatch(nullptr, "2 to 3 parameters", "1"));
    BOOST_TEST(refusal(*whole_order, "[\"1\",[]]") == mismatch("number", "integer", "string"));
    BOOST_TEST(refusal(*whole_order, "{}") ==
               mismatches({mismatch("number", "integer", "nothing"), mismatch("items", "array", "nothing")}));
    BOOST_TEST(refusal(*whole_order, R"({"number":1})") == mismatch("items", "array", "nothing"));
    BOOST_TEST(refusal(*whole_order, R"({"number":1,"items":[],"more":1})") ==
               mismatch("more", "one of number, items, note", "more"));
    BOOST_TEST(refusal(*whole_order, R"({"number":1,"items":[],"note":2})") == mismatch("note", "string", "integer"));
    BOOST_TEST(refusal(*whole_order, R"({"number":1,"items":[{"name":"a","size":1},{"name":"b","size":"1"}]})") ==
               mismatch("items[1].size", "integer", "string"));
    BOOST_TEST(refusal(*whole_order, R"({"number":1,"items":[{"name":"a"}]})") ==
               mismatch("items[0].size", "integer", "nothing"));
    BOOST_TEST(refusal(*whole_order, R"({"number":1,"items":[{"name":"a","size":1,"x":1}]})") ==
               mismatch("items[0].x", "one of name, size, paint", "x"));
    BOOST_TEST(refusal(*whole_order, R"({"number":1,"items":[["a",1]]})") == mismatch("items[0]", "object", "array"));
}

BOOST_AUTO_TEST_CASE(a_struct_can_be_one_of_several_arguments)
{
    BOOST_TEST(run(*part_of_many, R"([{"name":"a","size":1}])") == R"({"name":"a","size":1})");
    BOOST_TEST(run(*part_of_many, R"({"item":{"name":"a","size":1,"paint":null}})") == R"({"name":"a","size":1})");
    BOOST_TEST(refusal(*part_of_many, R"({"item":{"name":1,"size":1}})") == mismatch("item.name", "string", "integer"));
    BOOST_TEST(refusal(*part_of_many, R"({"item":[]})") == mismatch("item", "object", "array"));
    BOOST_TEST(refusal(*part_of_many, R"({"name":"a","size":1})") ==
               mismatches({mismatch("name", "one of item, n", "name"), mismatch("size", "one of item, n", "size"),
                           mismatch("item", "object", "nothing")}));
    const auto unnamed = make_handler([](int, shop::item value) { return value; });
    BOOST_TEST(refusal(*unnamed, R"([1,{"name":"a","size":null}])") == mismatch("[1].size", "integer", "null"));
}

BOOST_AUTO_TEST_CASE(inherited_members_come_first)
{
    const auto urgent = make_handler([](shop::urgent_order value) { return value.by_air; });
    BOOST_TEST(run(*urgent, R"({"by_air":true,"number":1,"items":[]})") == "true");
    BOOST_TEST(run(*urgent, R"([1,[],null,true])") == "true");
    BOOST_TEST(refusal(*urgent, R"([1,[]])") == mismatch(nullptr, "4 parameters", "2"));
}

BOOST_AUTO_TEST_CASE(a_struct_may_hold_itself)
{
    const auto count = make_handler([](shop::tree value) { return value.branches.at(0).branches.size(); });
    BOOST_TEST(run(*count, R"({"branches":[{"branches":[{"branches":[]}]}]})") == "1");
}

BOOST_AUTO_TEST_CASE(an_enum_goes_by_name)
{
    BOOST_TEST(run(*paint, R"(["green"])") == R"("green")");
    BOOST_TEST(run(*paint, R"({"paint":"blue"})") == R"("blue")");
    BOOST_TEST(refusal(*paint, R"(["pink"])") == mismatch("paint", "one of red, green, blue", "pink"));
    BOOST_TEST(refusal(*paint, R"([1])") == mismatch("paint", "one of red, green, blue", "integer"));
    BOOST_TEST(refusal(*paint, R"([""])") == mismatch("paint", "one of red, green, blue", ""));
}

BOOST_AUTO_TEST_SUITE_END()
