// A body over HTTP is read the same way however its bytes arrive, takes memory for what has come alone, and stays
// refused; and one that is read, Boost.Beast reads as the same body, which ends at the same byte.

#include "fuzz/fuzz_input.hpp"
#include "fuzz/http_judge.hpp"
#include "http/wire/body_reader.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using namespace partyline::test;
using partyline::http::body_kind;
using partyline::http::body_reader;
using partyline::http::request_head;

namespace {

struct read_body {
    body_reader::state how = body_reader::state::more;
    int status = 0;
    std::string body;
    std::size_t used = 0;

    bool operator==(const read_body&) const = default;
};

read_body read(body_reader& reader, const request_head& head, const std::vector<std::string_view>& pieces)
{
    reader.start(head);
    read_body result;
    result.how = reader.current();
    for (const std::string_view piece : pieces) {
        const bool is_over = result.how != body_reader::state::more;
        const std::string alone(piece); // where an overrun is seen
        std::size_t used = 0;
        result.how = reader.read(alone, used, result.body);
        require(used == piece.size() || result.how != body_reader::state::more, "what belongs to it is taken", piece);
        require(used == 0 || !is_over, "nothing is read behind its end", piece);
        result.used += used;
    }
    result.status = reader.why().status;
    return result;
}

void check_by_beast(const read_body& ours, const request_head& head, std::string_view text)
{
    std::string request = "POST / HTTP/1.1\r\nHost: a\r\n";
    if (head.body == body_kind::chunked)
        request += "Transfer-Encoding: chunked\r\n\r\n";
    else
        request += "Content-Length: " + std::to_string(head.content_length) + "\r\n\r\n";
    const std::size_t size = request.size();
    const judged_request theirs = judge_request(request.append(text));
    require(theirs.used == size + ours.used, "it ends at the same byte", text);
    require(theirs.body == ours.body, "it is the same body", text);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    fuzz_input input(data, size);
    request_head head;
    head.body = input.choose(4) == 1 ? body_kind::length : body_kind::chunked;
    head.content_length = input.choose_of({0, 1, 5, 100, 2000});
    if (head.body == body_kind::chunked)
        head.content_length = 0;
    const std::size_t most = input.choose_of({1 << 20, 0, 3, 100});
    const std::string_view text = input.text();

    body_reader reader(most); // used again: nothing is left of the body before
    const read_body whole = read(reader, head, {text});
    require(read(reader, head, cut(text, input)) == whole, "however it is cut", text);
    require(whole.body.size() <= most, "no body is over the limit", text);
    require(whole.body.capacity() <= 2 * text.size() + 100, "memory grows with what has come", text);
    if (whole.how == body_reader::state::done)
        check_by_beast(whole, head, text);
    return 0;
}
