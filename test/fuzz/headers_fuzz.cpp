// Messages are cut out of a stream with headers the same way however its bytes arrive, within the limits, and what is
// sent can be read.

#include "fuzz/framing_feed.hpp"

#include <partyline/protocol/framing.hpp>

#include <algorithm>
#include <string>
#include <vector>

using partyline::test::fuzz_input;
using partyline::test::require;

namespace {

constexpr std::size_t read_size = std::size_t(64) << 10;
constexpr std::size_t max_pieces = 500;

struct event {
    std::string text;
    bool is_oversize = false;
    std::size_t size = 0;
    std::string id;
    std::string problem;
    bool is_broken = false;

    bool operator==(const event&) const = default;
};

event taken(const partyline::frame& f)
{
    if (f.problem.empty() && !f.is_oversize)
        require(f.text.data()[f.text.size()] == '\0', "a frame's text ends in NUL", f.text);
    return {std::string(f.text), f.is_oversize, f.size, std::string(f.id), std::string(f.problem), f.is_broken};
}

// Cuts the stream into pieces as `piece_size(left)` says.
template <class PieceSize>
std::vector<event> feed(const partyline::limits& bounds, std::string_view stream, PieceSize piece_size)
{
    partyline::content_length_framing framing(bounds);
    std::vector<event> events;
    partyline::test::feed(
        framing, stream, 2 * read_size + bounds.message_bytes, piece_size, [&](const partyline::frame& f) {
            require(events.empty() || !events.back().is_broken, "nothing comes behind what is broken");
            require(f.text.size() <= bounds.message_bytes, "no message is over the limit");
            events.push_back(taken(f));
        });
    return events;
}

// What was read and is whole is sent again: it is read as the same messages.
void check_way_back(const partyline::limits& bounds, const std::vector<event>& events)
{
    partyline::content_length_framing framing(bounds);
    partyline::byte_buffer out;
    std::vector<event> sent;
    for (const event& one : events) {
        if (!one.problem.empty() || one.is_oversize)
            continue;
        sent.push_back(one);
        framing.begin_message(out);
        out.append(one.text);
        framing.end_message(out);
    }
    require(feed(bounds, out.view(), [](std::size_t left) { return left; }) == sent, "what is sent can be read",
            out.view());
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    fuzz_input input(data, size);
    partyline::limits bounds;
    bounds.message_bytes = input.choose_of({0, 1, 2, 3, 7, 16, 40, 100, 400, 20'000, 100'000});
    bounds.header_bytes = input.choose_of({16'384, 24, 40, 100});
    const std::string_view stream = input.text();

    const std::vector<event> expected = feed(bounds, stream, [](std::size_t left) { return left; });
    if (stream.size() < max_pieces)
        require(feed(bounds, stream, [](std::size_t) { return std::size_t(1); }) == expected, "byte by byte", stream);
    const auto some = [&](std::size_t left) {
        static constexpr std::size_t sizes[] = {1, 2, 3, 4, 5, 8, 13, 30, 200, 9'000};
        return std::min(left, std::max(sizes[input.choose_again(std::size(sizes))], stream.size() / max_pieces));
    };
    require(feed(bounds, stream, some) == expected, "fed in pieces", stream);
    bounds.header_bytes = 16'384;
    check_way_back(bounds, expected);
    return 0;
}
