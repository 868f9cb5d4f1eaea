// A request over HTTP is read the same way however its bytes arrive; and what is read, Boost.Beast reads as the same request,
// which ends at the same byte. (It reads more: what it takes besides is what this reader refuses.)

#include "fuzz/fuzz_input.hpp"
#include "support/read_request.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace beast_http = boost::beast::http;
using partyline::test::fuzz_input;
using partyline::test::read_in_pieces;
using partyline::test::read_request;
using partyline::test::require;

namespace {

constexpr std::size_t max_pieces = 500;

std::vector<std::string_view> cut(std::string_view text, fuzz_input& input)
{
    std::vector<std::string_view> pieces;
    while (!text.empty()) {
        const std::size_t size = pieces.size() == max_pieces ? text.size() : 1 + input.choose_again(64);
        pieces.push_back(text.substr(0, size));
        text.remove_prefix(pieces.back().size());
    }
    return pieces;
}

void check_by_beast(const read_request& ours, std::string_view text)
{
    beast_http::request_parser<beast_http::string_body> parser;
    parser.eager(true);
    parser.header_limit(std::numeric_limits<std::uint32_t>::max());
    parser.body_limit(boost::none);
    std::size_t used = 0;
    while (!parser.is_done()) {
        boost::system::error_code failed;
        const std::string_view rest = text.substr(used);
        const std::size_t count = parser.put(boost::asio::buffer(rest.data(), rest.size()), failed);
        used += count;
        require(!failed, "Beast reads it, too", text);
        require(count != 0 || parser.is_done(), "Beast reads it to its end", text);
    }
    const auto& theirs = parser.get();
    require(used == ours.used, "it ends at the same byte", text);
    require(std::string_view(theirs.method_string()) == ours.method, "it has the same method", text);
    require(std::string_view(theirs.target()) == ours.target, "it has the same target", text);
    require(theirs.body() == ours.body, "it has the same body", text);
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
    if (whole.how == read_request::verdict::done)
        check_by_beast(whole, text);
    return 0;
}
