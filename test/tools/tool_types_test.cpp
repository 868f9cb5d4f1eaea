#include "support/text_search.hpp"

#include <partyline/rpc/args.hpp>
#include <partyline/rpc/json_schema.hpp>
#include <partyline/rpc/to_json.hpp>
#include <partyline/testing/client.hpp>

#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <tools/tool_types.hpp>

namespace json = boost::json;

using partyline::json_schema;
using partyline::named;
using partyline::to_json;
using partyline::test::contains;

namespace {

partyline::method_table make_methods()
{
    partyline::method_table methods;
    methods.add("search_files", [](tools::search_arguments what) { return what; });
    methods.add("read_lines", [](tools::read_arguments what) { return what; });
    methods.add("hash_files", [](tools::hash_arguments what) { return what; });
    methods.add("run_command", [](tools::run_arguments what) { return what; });
    methods.add("wait", [](tools::wait_arguments what) { return what; });
    return methods;
}

struct fixture {
    std::string read(const std::string& method, const partyline::call_params& params)
    {
        return json::serialize(client.call<json::value>(method, params));
    }

    partyline::test::client client{make_methods()};
};

template <class T>
std::string required_of()
{
    const json::object schema = json_schema<T>();
    return schema.contains("required") ? json::serialize(schema.at("required")) : "";
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(types_of_tools, fixture)

BOOST_AUTO_TEST_CASE(only_what_is_needed_is_required)
{
    BOOST_TEST(required_of<tools::search_arguments>() == R"(["pattern"])");
    BOOST_TEST(required_of<tools::read_arguments>() == R"(["file"])");
    BOOST_TEST(required_of<tools::hash_arguments>() == R"(["files"])");
    BOOST_TEST(required_of<tools::run_arguments>() == R"(["command"])");
    BOOST_TEST(required_of<tools::wait_arguments>() == R"(["seconds"])");
    for (const json::object& schema : {json_schema<tools::search_result>(), json_schema<tools::read_result>(),
                                       json_schema<tools::hash_result>(), json_schema<tools::run_result>()})
        BOOST_TEST(schema.at("type").as_string() == "object");
}

BOOST_AUTO_TEST_CASE(what_is_left_out_has_its_default)
{
    BOOST_TEST(read("search_files", named("pattern", "x")) ==
               R"({"pattern":"x","case_sensitive":true,"max_matches":200})");
    BOOST_TEST(read("read_lines", named("file", "x")) == R"({"file":"x","from":1})");
    BOOST_TEST(read("run_command", named("command", "x")) == R"({"command":"x","arguments":[]})");
}

BOOST_AUTO_TEST_CASE(bounds_are_kept)
{
    const auto refusal = [&](const std::string& method, const partyline::call_params& params) {
        return client.error_of(method, params).code;
    };
    constexpr int invalid = -32602;
    BOOST_TEST(refusal("search_files", named("pattern", "")) == invalid);
    BOOST_TEST(refusal("search_files", named("pattern", "x", "max_matches", 0)) == invalid);
    BOOST_TEST(refusal("search_files", named("patt", "x")) == invalid);
    BOOST_TEST(refusal("read_lines", named("file", "x", "from", 0)) == invalid);
    BOOST_TEST(refusal("hash_files", named("files", json::array())) == invalid);
    BOOST_TEST(refusal("run_command", named("command", "x", "timeout_seconds", -1)) == invalid);
    BOOST_TEST(refusal("wait", named("seconds", 3601)) == invalid);
}

BOOST_AUTO_TEST_CASE(results_leave_out_what_there_is_not)
{
    const tools::run_result killed{.signal = 9, .output = "x", .timed_out = true};
    BOOST_TEST(json::serialize(to_json(killed)) == R"({"signal":9,"output":"x","truncated":false,"timed_out":true})");
    const tools::search_result found{.matches = {{"a", 1, "t"}}, .files_searched = 1};
    BOOST_TEST(
        json::serialize(to_json(found)) ==
        R"({"matches":[{"file":"a","line":1,"text":"t"}],"files_searched":1,"truncated":false,"unreadable":[]})");
}

BOOST_AUTO_TEST_SUITE_END()
