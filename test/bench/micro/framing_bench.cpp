// Cutting lines out of a byte stream. The bytes are copied in, as a read would do.

#include <partyline/protocol/framing.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include <benchmark/benchmark.h>

namespace {

constexpr std::size_t kibibyte = 1024;

// Feeds `stream` in pieces of `piece` bytes at most, and counts the lines that come out.
std::size_t feed(partyline::framing& framing, std::string_view stream, std::size_t piece)
{
    std::size_t lines = 0;
    while (!stream.empty()) {
        const std::span<char> room = framing.prepare();
        const std::size_t count = std::min({room.size(), piece, stream.size()});
        std::memcpy(room.data(), stream.data(), count);
        framing.commit(count);
        stream.remove_prefix(count);
        for (partyline::frame out; framing.next(out);)
            ++lines;
    }
    return lines;
}

void cut_lines(benchmark::State& state, std::size_t line_size, std::size_t lines, std::size_t piece)
{
    std::string stream;
    for (std::size_t i = 0; i < lines; ++i)
        stream += std::string(line_size - 1, 'x') + '\n';
    partyline::line_framing framing{partyline::limits()};
    for (auto _ : state) {
        if (feed(framing, stream, piece) != lines)
            state.SkipWithError("lines are missing");
    }
    const auto rounds = static_cast<std::int64_t>(state.iterations());
    state.SetItemsProcessed(rounds * static_cast<std::int64_t>(lines));
    state.SetBytesProcessed(rounds * static_cast<std::int64_t>(stream.size()));
}

} // namespace

BENCHMARK_CAPTURE(cut_lines, short_lines, 80, 200, 16 * kibibyte);
BENCHMARK_CAPTURE(cut_lines, a_long_line, 1024 * kibibyte, 1, 64 * kibibyte);
BENCHMARK_CAPTURE(cut_lines, a_line_in_many_pieces, 64 * kibibyte, 1, 64);
