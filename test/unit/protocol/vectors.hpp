#pragma once

#include <string_view>
#include <vector>

namespace partyline::test {

/// The requests of JSON-RPC 2.0 §7, in its order, and what they are: 'q' request, 'n' notification, 'b' bad, 'j' not
/// JSON; of a batch its elements in brackets.
struct vector {
    std::string_view text;
    std::string_view kinds;
};

inline const std::vector<vector> vectors = {
    {R"({"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":1})", "q"},
    {R"({"jsonrpc":"2.0","method":"subtract","params":[23,42],"id":2})", "q"},
    {R"({"jsonrpc":"2.0","method":"subtract","params":{"subtrahend":23,"minuend":42},"id":3})", "q"},
    {R"({"jsonrpc":"2.0","method":"subtract","params":{"minuend":42,"subtrahend":23},"id":4})", "q"},
    {R"({"jsonrpc":"2.0","method":"update","params":[1,2,3,4,5]})", "n"},
    {R"({"jsonrpc":"2.0","method":"foobar"})", "n"},
    {R"({"jsonrpc":"2.0","method":"foobar","id":"1"})", "q"},
    {R"({"jsonrpc":"2.0","method":"foobar, "params":"bar","baz])", "j"},
    {R"({"jsonrpc":"2.0","method":1,"params":"bar"})", "b"},
    {R"([{"jsonrpc":"2.0","method":"sum","params":[1,2,4],"id":"1"},{"jsonrpc":"2.0","method"])", "j"},
    {"[]", "b"},
    {"[1]", "[b]"},
    {"[1,2,3]", "[bbb]"},
    {R"([{"jsonrpc":"2.0","method":"sum","params":[1,2,4],"id":"1"},)"
     R"({"jsonrpc":"2.0","method":"notify_hello","params":[7]},)"
     R"({"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":"2"},)"
     R"({"foo":"boo"},)"
     R"({"jsonrpc":"2.0","method":"foo.get","params":{"name":"myself"},"id":"5"},)"
     R"({"jsonrpc":"2.0","method":"get_data","id":"9"}])",
     "[qnqbqq]"},
    {R"([{"jsonrpc":"2.0","method":"notify_sum","params":[1,2,4]},)"
     R"({"jsonrpc":"2.0","method":"notify_hello","params":[7]}])",
     "[nn]"},
};

} // namespace partyline::test
