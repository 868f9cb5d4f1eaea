// A response over HTTP is read the same way however its bytes arrive; and one that is read, Boost.Beast reads as the
// same response, which ends at the same byte, and would not close a connection that is to be kept. (It reads more: what
// it takes besides is what this reader refuses.)

#include "fuzz/fuzz_input.hpp"
#include "fuzz/http_judge.hpp"
#include "support/read_response.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using namespace partyline::test;
using partyline::http::response_to;

namespace {

// Whatever its head says (RFC 9112 §6.3).
bool has_no_body(response_to what, int status)
{
    return what == response_to::head || (what == response_to::connect && status / 100 == 2);
}

// Beast refuses it, and no other judge is asked.
bool has_status_without_blank(std::string_view text)
{
    constexpr std::string_view start = "HTTP/1.";
    for (std::size_t at = text.find(start); at != text.npos; at = text.find(start, at + 1)) {
        if (text.substr(at).size() > 12 && text[at + 12] == '\r')
            return true;
    }
    return false;
}

void check_by_beast(const read_response& ours, const response_reading& how, std::string_view text)
{
    const judged_whole_response theirs = judge_response(text, has_no_body(how.what, ours.status));
    require(theirs.used == ours.used, "it ends at the same byte", text);
    require(theirs.status == ours.status, "it has the same status", text);
    require(ours.reason.empty() || theirs.reason == ours.reason, "it has the same reason",
            text); // else Beast makes one up
    require(theirs.body == ours.body, "it has the same body", text);
    require(theirs.keeps_alive || !ours.keeps_alive, "a connection that is kept is kept", text);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    fuzz_input input(data, size);
    response_reading how;
    how.what = static_cast<response_to>(input.choose(3));
    how.most = {input.choose_of({65536, 300, 80}), input.choose_of({200, 3}), input.choose_of({16, 1, 0})};
    how.most_body = input.choose_of({1 << 20, 10});
    const std::string text(input.text()); // where an overrun is seen
    const read_response whole = read_response_in_pieces({text}, how);
    require(read_response_in_pieces(cut(text, input), how) == whole, "however it is cut", text);
    require(whole.stays_refused, "what is refused stays refused", text);
    if (whole.how == read_response::read_state::done && !has_status_without_blank(text))
        check_by_beast(whole, how, text);
    return 0;
}
