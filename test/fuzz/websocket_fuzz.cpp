// Frames of WebSocket are taken the same way however their bytes arrive, and as Boost.Beast takes them.

#include "fuzz/framing_feed.hpp"
#include "fuzz/websocket_judge.hpp"
#include "http/websocket/websocket_framing.hpp"

#include <algorithm>
#include <string>
#include <vector>

using partyline::http::close_code;
using partyline::http::websocket_framing;
using partyline::test::fuzz_input;
using partyline::test::require;

namespace {

struct outcome {
    std::vector<std::string> messages;
    std::string close_frame; // what it is owed, and told

    bool operator==(const outcome&) const = default;
};

template <class PieceSize>
outcome feed(const partyline::limits& bounds, std::string_view stream, PieceSize piece_size)
{
    websocket_framing framing(websocket_framing::side::server, bounds, close_code::normal,
                              websocket_framing::content::any);
    outcome found;
    const std::size_t most = bounds.message_bytes + 200 + (std::size_t(64) << 10);
    partyline::test::feed(framing, stream, most, piece_size, [&](const partyline::frame& f) {
        require(f.text.data()[f.text.size()] == '\0', "a message ends in NUL", stream);
        found.messages.emplace_back(f.text);
    });
    partyline::byte_buffer out;
    if (framing.owes())
        framing.append_owed(out);
    if (framing.input_end())
        framing.append_end(*framing.input_end(), out);
    found.close_frame = out.view();
    return found;
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    fuzz_input input(data, size);
    partyline::limits bounds;
    bounds.message_bytes = input.choose_of({1, 5, 100, 1000, 100'000});
    const std::string stream(input.text());

    const outcome all = feed(bounds, stream, [](std::size_t left) { return left; });
    require(feed(bounds, stream, [](std::size_t) { return std::size_t(1); }) == all, "byte by byte", stream);
    const auto some = [&](std::size_t left) { return std::min<std::size_t>(left, 1 + input.choose_again(30)); };
    require(feed(bounds, stream, some) == all, "fed in pieces", stream);
    require(partyline::test::judge_frames(stream, bounds.message_bytes) == all.messages, "as Beast does", stream);
    return 0;
}
