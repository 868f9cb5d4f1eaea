// Lines are cut out of a stream the same way however its bytes arrive, and as the plain reading of the rules has it.

#include "fuzz/framing_feed.hpp"
#include "protocol/framing/envelope_skimmer.hpp"

#include <partyline/protocol/framing.hpp>

#include <algorithm>
#include <string>
#include <vector>

using partyline::test::fuzz_input;
using partyline::test::require;

namespace {

constexpr std::size_t read_size = std::size_t(64) << 10;
constexpr std::size_t max_pieces = 500; // many short runs find more than few long ones

struct line {
    std::string text;
    bool is_oversize = false;
    std::size_t size = 0;
    std::string id;
    bool looks_like_response = false;

    bool operator==(const line&) const = default;
};

line taken(const partyline::frame& f)
{
    require(f.is_oversize || f.text.data()[f.text.size()] == '\0', "a frame's text ends in NUL", f.text);
    return {std::string(f.text), f.is_oversize, f.size, std::string(f.id), f.looks_like_response};
}

// The rules over the whole stream at once.
class reference {
public:
    explicit reference(const partyline::limits& bounds) : bounds_(bounds) {}

    std::vector<line> split(std::string_view stream)
    {
        if (stream.starts_with("\xEF\xBB\xBF"))
            stream.remove_prefix(3);
        while (!stream.empty()) {
            const std::size_t end = std::min(stream.find('\n'), stream.size());
            add(stream.substr(0, end));
            stream.remove_prefix(std::min(end + 1, stream.size()));
        }
        return std::move(lines_);
    }

private:
    void add(std::string_view raw)
    {
        const std::string_view text = raw.ends_with('\r') ? raw.substr(0, raw.size() - 1) : raw;
        if (text.find_first_not_of(" \t\r") == text.npos)
            return;
        if (text.size() <= bounds_.message_bytes)
            lines_.push_back({std::string(text), false, 0, {}, false});
        else
            add_oversize(text);
    }

    void add_oversize(std::string_view text)
    {
        partyline::envelope_skimmer skim(bounds_.id_bytes);
        skim.reset();
        skim.feed(text);
        skim.finish();
        lines_.push_back({{}, true, text.size(), skim.id(), skim.looks_like_response()});
    }

    const partyline::limits& bounds_;
    std::vector<line> lines_;
};

// Cuts the stream into pieces as `piece_size(left)` says.
template <class PieceSize>
std::vector<line> feed(const partyline::limits& bounds, std::string_view stream, PieceSize piece_size)
{
    partyline::line_framing framing(bounds);
    std::vector<line> lines;
    partyline::test::feed(framing, stream, bounds.message_bytes + 2 + read_size, piece_size,
                          [&](const partyline::frame& f) { lines.push_back(taken(f)); });
    return lines;
}

// To pass one read and the larger limits. Not for long, so that many inputs are tried.
std::string repeated(std::string_view text, std::size_t times)
{
    std::string all;
    do
        all += text;
    while (--times > 0 && all.size() < 40'000);
    return all;
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    fuzz_input input(data, size);
    partyline::limits bounds;
    bounds.message_bytes = input.choose_of({0, 1, 2, 3, 7, 16, 40, 100, 400, 20'000, 100'000});
    bounds.id_bytes = input.choose_of({0, 1, 2, 4, 10, 1024});
    const std::string stream = repeated(input.text(), input.choose_of({1, 1, 1, 2, 30}));

    const std::vector<line> expected = reference(bounds).split(stream);
    require(feed(bounds, stream, [](std::size_t left) { return left; }) == expected, "fed at once", stream);
    if (stream.size() < max_pieces)
        require(feed(bounds, stream, [](std::size_t) { return std::size_t(1); }) == expected, "byte by byte", stream);
    const auto some = [&](std::size_t left) {
        static constexpr std::size_t sizes[] = {1, 2, 3, 4, 5, 8, 13, 30, 200, 9'000};
        return std::min(left, std::max(sizes[input.choose_again(std::size(sizes))], stream.size() / max_pieces));
    };
    require(feed(bounds, stream, some) == expected, "fed in pieces", stream);
    return 0;
}
