#pragma once

#include "fuzz/fuzz_input.hpp"

#include <partyline/protocol/framing.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>

namespace partyline::test {

/// Feeds a framing with a stream, cut into pieces as `piece_size(left)` says, and hands on every frame.
template <class PieceSize, class OnFrame>
void feed(framing& cutting, std::string_view stream, std::size_t max_room, PieceSize piece_size, OnFrame on_frame)
{
    const auto drain = [&] {
        for (frame f; cutting.next(f);)
            on_frame(f);
    };
    while (!stream.empty()) {
        const std::span<char> room = cutting.prepare();
        require(!room.empty() && room.size() <= max_room, "reads are bounded");
        const std::size_t count = std::min(piece_size(stream.size()), room.size());
        std::memcpy(room.data(), stream.data(), count);
        cutting.commit(count);
        stream.remove_prefix(count);
        drain();
    }
    cutting.finish();
    drain();
}

} // namespace partyline::test
