// A server: two functions that a client calls over standard input and output, a JSON-RPC message a line.
//
//   echo '{"jsonrpc":"2.0","id":1,"method":"add","params":[2,40]}' | example-minimal
//   partyline-call add a=2 b=40 -- example-minimal

#include <partyline/partyline.hpp>

#include <cstdint>
#include <string>

std::int64_t add(std::int32_t a, std::int32_t b)
{
    return std::int64_t(a) + b;
}

int main()
{
    partyline::method_table methods;
    methods.add("add", add, {"a", "b"}); // params by position or by name
    methods.add("greet", [](const std::string& name) { return "Hello, " + name; }, {"name"});
    return partyline::run_stdio(std::move(methods));
}
