#include "call/refusal.hpp"

#include <boost/test/unit_test.hpp>

#include <utility>

#include <call/input/request_line.hpp>

using call::read_request_line;
using call::request;

BOOST_AUTO_TEST_SUITE(request_lines)

BOOST_AUTO_TEST_CASE(a_line_names_a_method_params_and_a_label)
{
    struct row {
        const char* line;
        request expected;
    };
    const auto text = [](const char* json) { return partyline::json_text(json); };
    const row rows[] = {
        {R"({"method":"echo"})", {"echo", {}, "7"}},
        {R"({"method":"echo","params":null})", {"echo", {}, "7"}},
        {R"({"method":"echo","params":[1.0, 1e400],"id":"a"})", {"echo", text("[1.0, 1e400]"), "\"a\""}},
        {R"({"id":1.50,"params":{ "a" : {} },"method":"add"})", {"add", text(R"({ "a" : {} })"), "1.50"}},
        {R"({"jsonrpc":"2.0","id":-3,"method":"x"})", {"x", {}, "-3"}},
        {R"({"m\u0065thod":"\u0078\"\n","\u0069d":"\u0061"})", {"x\"\n", {}, R"("\u0061")"}},
        {"  \t{\"method\" : \"echo\"}  \r", {"echo", {}, "7"}},
        {R"({"method":"one","method":"two"})", {"two", {}, "7"}},
    };
    for (const row& r : rows) {
        BOOST_TEST_CONTEXT(r.line)
        {
            const request read = read_request_line(r.line, 7);
            BOOST_TEST(read.method == r.expected.method);
            BOOST_TEST(read.params.text() == r.expected.params.text());
            BOOST_TEST(read.label == r.expected.label);
        }
    }
}

BOOST_AUTO_TEST_CASE(what_is_no_call_is_refused_with_the_number_of_its_line)
{
    const std::pair<const char*, const char*> rows[] = {
        {"rubbish", "line 7: not JSON (at byte 0)"},
        {"{\"method\":\"x\"", "line 7: not JSON (at byte 13)"},
        {"{} {}", "line 7: not JSON (at byte 3)"},
        {"[]", "line 7: not a JSON object"},
        {"1", "line 7: not a JSON object"},
        {"{}", "line 7: \"method\" is missing"},
        {R"({"Method":"x"})", "line 7: \"method\" is missing"},
        {R"({"method":1})", "line 7: \"method\" is not a string"},
        {R"({"method":null})", "line 7: \"method\" is not a string"},
        {R"({"method":"x","params":1})", "line 7: \"params\" is neither an object nor an array"},
        {R"({"method":"x","params":"[]"})", "line 7: \"params\" is neither an object nor an array"},
        {R"({"method":"x","id":null})", "line 7: \"id\" is neither a string nor a number"},
        {R"({"method":"x","id":true})", "line 7: \"id\" is neither a string nor a number"},
        {R"({"method":"x","id":[1]})", "line 7: \"id\" is neither a string nor a number"},
    };
    for (const auto& [line, said] : rows)
        BOOST_TEST(call::test::refusal_of([&] { read_request_line(line, 7); }) == said);
}

BOOST_AUTO_TEST_SUITE_END()
