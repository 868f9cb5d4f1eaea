// The examples of JSON-RPC 2.0 §7, with the server behind them.

#include "support/dialogue.hpp"
#include "unit/protocol/vectors.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace json = boost::json;
using namespace partyline::test;

namespace {

// What is answered to each of `vectors`; empty: nothing. Of an error its message and code.
const std::vector<std::string> example_answers = {
    R"({"jsonrpc":"2.0","result":19,"id":1})",
    R"({"jsonrpc":"2.0","result":-19,"id":2})",
    R"({"jsonrpc":"2.0","result":19,"id":3})",
    R"({"jsonrpc":"2.0","result":19,"id":4})",
    "",
    "",
    R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":"1"})",
    R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null})",
    R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":null})",
    R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null})",
    R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":null})",
    R"([{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":null}])",
    R"([{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":null},
        {"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":null},
        {"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":null}])",
    R"([{"jsonrpc":"2.0","result":7,"id":"1"},
        {"jsonrpc":"2.0","result":19,"id":"2"},
        {"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":null},
        {"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":"5"},
        {"jsonrpc":"2.0","result":["hello",5],"id":"9"}])",
    "",
};

// The same text for the same answer: without data of errors, and of a batch in one order.
std::string comparable_answer(std::string_view text)
{
    json::value read = json::parse(json::string_view(text.data(), text.size()));
    std::vector<std::string> all;
    const auto add = [&](json::value& one) {
        if (json::value* const error = one.as_object().if_contains("error"))
            error->as_object().erase("data");
        const json::object& members = one.as_object();
        std::string line;
        for (const char* const name : {"jsonrpc", "id", "result", "error"})
            if (members.contains(name))
                line += std::string(name) + ' ' + json::serialize(members.at(name)) + ' ';
        BOOST_TEST(members.size() == 3u, text);
        all.push_back(line);
    };
    if (read.is_array())
        for (json::value& one : read.get_array())
            add(one);
    else
        add(read);
    std::sort(all.begin(), all.end());
    std::string whole = read.is_array() ? "batch: " : "";
    for (const std::string& line : all)
        whole += line;
    return whole;
}

struct examples_fixture : dialogue {
    examples_fixture()
    {
        methods.add("subtract", [](int minuend, int subtrahend) { return minuend - subtrahend; },
                    {"minuend", "subtrahend"});
        methods.add("sum", [](const json::value& all) {
            std::int64_t sum = 0;
            for (const json::value& one : all.as_array())
                sum += one.as_int64();
            return sum;
        });
        methods.add("get_data", [] { return json::value{"hello", 5}; });
        for (const char* const name : {"update", "notify_hello", "notify_sum"})
            methods.add_notification(name, [](const json::value&) {});
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(conversation_examples, examples_fixture, *boost::unit_test::timeout(60))

// rule: jsonrpc.params.name, jsonrpc.error.message, jsonrpc.error.parse, jsonrpc.error.invalid_request
// rule: jsonrpc.error.method_not_found, jsonrpc.examples
BOOST_AUTO_TEST_CASE(the_examples_of_the_specification_are_answered_as_there)
{
    BOOST_TEST_REQUIRE(example_answers.size() == vectors.size());
    for (std::size_t i = 0; i != vectors.size(); ++i) {
        BOOST_TEST_CONTEXT(vectors[i].text)
        {
            send(vectors[i].text);
            if (example_answers[i].empty())
                expect_silence();
            else
                BOOST_TEST(comparable_answer(receive()) == comparable_answer(example_answers[i]));
        }
    }
    send(request("5", "subtract", R"({"Subtrahend":23,"minuend":42})")); // names are compared with regard to case
    BOOST_TEST(receive().find("-32602") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
