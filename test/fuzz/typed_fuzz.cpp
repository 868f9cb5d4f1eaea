// What is read straight from text is what is read by way of a value, and what is written straight is what a value would
// be written as.

#include "fuzz/fuzz_input.hpp"
#include "fuzz/typed_ways.hpp"

using namespace partyline::test;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    fuzz_input input(data, size);
    const std::size_t kind = input.choose(kinds_of_params);
    const std::string text(input.text());
    const partyline::json_view params = find_value(text);
    if (params.empty() || (params.text().front() != '[' && params.text().front() != '{'))
        return 0; // a session refuses it before
    require(read_params(kind, params) != ways::differ, "both ways come to the same", params.text());
    return 0;
}
