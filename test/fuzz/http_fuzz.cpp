// A request over HTTP is read the same way however its bytes arrive; and what is read, Boost.Beast reads as the same
// request, which ends at the same byte. (It reads more: what it takes besides is what this reader refuses.)

#include "fuzz/fuzz_input.hpp"
#include "fuzz/http_judge.hpp"
#include "support/read_request.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

using namespace partyline::test;

namespace {

void check_by_beast(const read_request& ours, std::string_view text)
{
    const judged_request theirs = judge_request(text);
    require(theirs.used == ours.used, "it ends at the same byte", text);
    require(theirs.method == ours.method, "it has the same method", text);
    require(theirs.target == ours.target, "it has the same target", text);
    require(theirs.body == ours.body, "it has the same body", text);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    fuzz_input input(data, size);
    const partyline::http::head_limits most{input.choose_of({16384, 300, 80}), input.choose_of({100, 3}),
                                            input.choose_of({8192, 20})};
    const std::size_t most_body = input.choose_of({1 << 20, 10});
    const std::string text(input.text()); // where an overrun is seen
    const read_request whole = read_in_pieces({text}, most, most_body);
    require(read_in_pieces(cut(text, input), most, most_body) == whole, "however it is cut", text);
    if (whole.how == read_request::read_state::done)
        check_by_beast(whole, text);
    return 0;
}
