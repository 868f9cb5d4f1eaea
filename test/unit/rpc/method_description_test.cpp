// What peers can know of the methods of a table.
#include "unit/rpc/handler_runner.hpp"

#include <partyline/rpc/method_table.hpp>
#include <partyline/rpc/notes.hpp>

#include <boost/describe.hpp>
#include <boost/json/parse.hpp>
#include <boost/system/result.hpp>
#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>
#include <vector>

using namespace partyline;
namespace json = boost::json;

namespace garage {

struct search {
    std::string pattern;
    int limit = 50;
    std::optional<double> ratio;

    static constexpr auto notes()
    {
        using me = search;
        return partyline::notes(note(&me::pattern, "Text to look for"), note(&me::limit, defaulted, at_least(1)));
    }
};
BOOST_DESCRIBE_STRUCT(search, (), (pattern, limit, ratio))

struct tree {
    std::vector<tree> branches;
};
BOOST_DESCRIBE_STRUCT(tree, (), (branches))

struct shelf {
    std::string name;
    std::optional<int> height;
    int doors = 1;

    static constexpr auto notes()
    {
        return partyline::notes(note(&shelf::doors, defaulted), note(&shelf::height, "In cm"));
    }
};
BOOST_DESCRIBE_STRUCT(shelf, (), (name, height, doors))

struct room {
    shelf first;
};
BOOST_DESCRIBE_STRUCT(room, (), (first))

} // namespace garage

namespace {

method_table make_methods()
{
    method_table table;
    table.add("add", [](int a, std::optional<int> b) { return a + b.value_or(0); }, {"a", "b"},
              {.description = "Adds"});
    table.add("find", [](garage::search) { return std::vector<std::string>(); });
    table.add("sum", [](whole_params<std::vector<double>>) { return 0.0; }, {.description = "Of any number"});
    table.add("raw", [](json_view params) { return params; });
    table.add("by place", [](request_context&, bool, std::string_view) {});
    table.add("later",
              [](garage::tree) -> boost::asio::awaitable<boost::system::result<int, rpc_error>> { co_return 1; },
              {"tree"});
    table.add_notification("log", [](std::string) {}, {"line"});
    table.set_fallback([](json::value v) { return v; });
    return table;
}

json::object discovered(const method_table& table)
{
    return json::parse(run(*table.find("rpc.discover")->target, "")).as_object();
}

} // namespace

BOOST_AUTO_TEST_SUITE(method_descriptions)

BOOST_AUTO_TEST_CASE(a_table_describes_its_methods)
{
    const std::vector<method_description> all = make_methods().describe();
    BOOST_REQUIRE(all.size() == 7u);
    BOOST_TEST(all[0].name == "add");
    BOOST_TEST(all[0].description == "Adds");
    BOOST_TEST(all[0].has_names);
    BOOST_REQUIRE(all[0].parameters.size() == 2u);
    BOOST_TEST(all[0].parameters[0].name == "a");
    BOOST_TEST(all[0].parameters[0].is_required);
    BOOST_TEST(!all[0].parameters[1].is_required);
    BOOST_TEST(all[0].result.at("type").as_string() == "integer");
    BOOST_TEST(all[4].name == "log");
    BOOST_TEST(all[4].is_notification);
    BOOST_TEST(method_table().describe().empty());
}

BOOST_AUTO_TEST_CASE(the_members_of_a_struct_that_stands_for_all_params_are_parameters)
{
    const method_description find = make_methods().describe()[2];
    BOOST_TEST(find.name == "find");
    BOOST_TEST(find.has_names);
    BOOST_REQUIRE(find.parameters.size() == 3u);
    BOOST_TEST(json::value(find.parameters[0].schema) ==
               json::value({{"type", "string"}, {"description", "Text to look for"}}));
    BOOST_TEST(find.parameters[0].is_required);
    BOOST_TEST(!find.parameters[1].is_required);
    BOOST_TEST(find.parameters[1].schema.at("default").as_int64() == 50);
    BOOST_TEST(!find.parameters[2].is_required);
}

BOOST_AUTO_TEST_CASE(what_is_read_as_a_whole_or_contains_itself_is_told_as_far_as_it_goes)
{
    const std::vector<method_description> all = make_methods().describe();
    const method_description &later = all[3], &raw = all[5], &sum = all[6];
    BOOST_TEST(sum.parameters.empty());
    BOOST_TEST(sum.whole->at("type").as_string() == "array");
    BOOST_TEST(raw.whole->empty());
    BOOST_TEST(later.parameters[0].schema.empty());
    BOOST_TEST(later.result.at("type").as_string() == "integer");
}

BOOST_AUTO_TEST_CASE(a_struct_as_whole_params_is_given_by_name_alone)
{
    method_table table;
    table.add("by name", [](whole_params<garage::shelf>) {});
    table.add("either", [](garage::shelf) {});
    BOOST_TEST(refusal(*table.find("by name")->target, R"(["a",1,2])") == mismatch(nullptr, "object", "array"));
    const std::vector<method_description> all = table.describe();
    BOOST_TEST(all[0].has_names);
    BOOST_TEST(!all[0].has_positions);
    BOOST_TEST(all[0].parameters.size() == 3u);
    BOOST_TEST(all[1].has_positions);
    table.add_discovery({"garage", "1"});
    const json::object document = discovered(table);
    const json::array& methods = document.at("methods").as_array();
    BOOST_TEST(methods[0].at("paramStructure").as_string() == "by-name");
    BOOST_TEST(methods[1].at("paramStructure").as_string() == "either");
}

BOOST_AUTO_TEST_CASE(a_result_is_described_as_it_is_written)
{
    const char* const left_out = R"({"type":"object","properties":{"name":{"type":"string"},)"
                                 R"("height":{"type":"integer","description":"In cm"},)"
                                 R"("doors":{"type":"integer"}},)"
                                 R"("required":["name","doors"],"additionalProperties":false})";
    const char* const null = R"({"type":"object","properties":{"name":{"type":"string"},)"
                             R"("height":{"anyOf":[{"type":"integer"},{"type":"null"}],)"
                             R"("description":"In cm"},"doors":{"type":"integer"}},)"
                             R"("required":["name","height","doors"],"additionalProperties":false})";
    method_options with_nulls;
    with_nulls.binding.empty = empty_optionals::null;
    method_table table;
    const auto give = [] { return garage::shelf(); };
    table.add("a", give);
    table.add("b", give, with_nulls);
    table.add("c", [] { return std::vector<std::optional<bool>>(1); });
    const std::vector<method_description> all = table.describe();
    BOOST_TEST(json::serialize(all[0].result) == left_out);
    BOOST_TEST(run(*table.find("a")->target, "") == R"({"name":"","doors":1})");
    BOOST_TEST(json::serialize(all[1].result) == null);
    BOOST_TEST(run(*table.find("b")->target, "", with_nulls.binding) == R"({"name":"","height":null,"doors":1})");
    BOOST_TEST(json::serialize(all[2].result) ==
               R"({"type":"array","items":{"anyOf":[{"type":"boolean"},{"type":"null"}]}})");
}

BOOST_AUTO_TEST_CASE(params_are_described_with_the_methods_own_policy)
{
    method_options open;
    open.binding = {unknown_members::ignored, empty_optionals::null};
    method_table table;
    const auto take = [](garage::room) {};
    table.add("a", take, open);
    table.add("b", take);
    const std::vector<method_description> all = table.describe();
    BOOST_TEST(!all[0].parameters[0].schema.contains("additionalProperties"));
    BOOST_TEST(all[1].parameters[0].schema.at("additionalProperties") == json::value(false));
    // What is written, and not how a result would be.
    const json::object& height = all[0].parameters[0].schema.at("properties").at("height").as_object();
    BOOST_TEST(height.at("type").as_string() == "integer");
}

BOOST_AUTO_TEST_CASE(discovery_answers_with_an_openrpc_document)
{
    method_table table = make_methods();
    table.add_discovery({"garage", "1.2", "What it does"});
    table.add("added later", [] {});
    const method_table moved = std::move(table);
    const json::object document = discovered(moved);
    BOOST_TEST(document.at("openrpc").as_string() == "1.3.2");
    BOOST_TEST(document.at("info") ==
               json::value({{"title", "garage"}, {"version", "1.2"}, {"description", "What it does"}}));
    const json::array& methods = document.at("methods").as_array();
    BOOST_REQUIRE(methods.size() == 8u);
    BOOST_TEST(methods[1].at("name").as_string() == "added later");
    BOOST_TEST(json::serialize(methods[0]) == R"({"name":"add","description":"Adds","params":[)"
                                              R"({"name":"a","required":true,"schema":{"type":"integer"}},)"
                                              R"({"name":"b","required":false,"schema":{"type":"integer"}}],)"
                                              R"("paramStructure":"either","result":{"name":"result",)"
                                              R"("schema":{"type":"integer"}}})");
    BOOST_TEST(json::serialize(methods[2]) ==
               R"({"name":"by place","params":[{"name":"argument1","required":true,"schema":{"type":"boolean"}},)"
               R"({"name":"argument2","required":true,"schema":{"type":"string"}}],"paramStructure":"by-position",)"
               R"("result":{"name":"result","schema":{"type":"null"}}})");
    BOOST_TEST(!methods[5].as_object().contains("result")); // log
    BOOST_TEST(methods[7].at("x-params").at("type").as_string() == "array");
}

BOOST_AUTO_TEST_CASE(discovery_is_set_once_and_is_none_of_the_names)
{
    method_table table;
    table.add_discovery({"a", "1"});
    BOOST_CHECK_THROW(table.add_discovery({"a", "1"}), std::invalid_argument);
    BOOST_TEST(table.names().empty());
    BOOST_TEST(discovered(table).at("methods").as_array().empty());
}

BOOST_AUTO_TEST_SUITE_END()
