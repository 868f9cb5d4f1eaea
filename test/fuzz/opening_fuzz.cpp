// What a connection begins with is told the same however its bytes arrive, by no more of them than it needs, and so is
// what a proxy says in front of it.

#include "fuzz/fuzz_input.hpp"
#include "http/opening/first_bytes.hpp"
#include "http/opening/proxy_head.hpp"

#include <algorithm>
#include <string_view>

using partyline::http::opening;
using partyline::http::opening_of;
using partyline::http::proxy_head;
using partyline::http::read_proxy_head;
using partyline::test::require;

namespace {

constexpr std::size_t longest_proxy_head = 16 + 2048;

bool is_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

std::size_t letters(std::string_view first)
{
    return static_cast<std::size_t>(std::find_if_not(first.begin(), first.end(), is_letter) - first.begin());
}

// Without a mark of UTF-8.
std::string_view unmarked(std::string_view first)
{
    return first.substr(first.starts_with("\xEF\xBB\xBF") ? 3 : 0);
}

// What is true of everything that is taken for this.
bool may_be(opening what, std::string_view first)
{
    switch (what) {
    case opening::undecided: return first.size() < partyline::http::decided_by;
    case opening::http: {
        const std::string_view line = first.substr(first.starts_with("\r\n") ? 2 : 0);
        const std::size_t method = letters(line);
        return method >= 1 && method <= 7 && line[method] == ' ' && !first.starts_with("PROXY ");
    }
    case opening::lines: {
        const std::size_t begin = unmarked(first).find_first_not_of(" \t\r\n");
        return begin == first.npos || begin >= 8 || unmarked(first)[begin] == '{' || unmarked(first)[begin] == '[';
    }
    case opening::content_length: return letters(first) == 7 && (first[0] | 0x20) == 'c' && first[7] == '-';
    case opening::tls: return first.starts_with("\x16\x03") && static_cast<unsigned char>(first[2]) <= 4;
    case opening::proxy: return read_proxy_head(first).read != proxy_head::state::refused || first.size() > 6;
    case opening::unknown: return true;
    }
    return false;
}

void check_opening(std::string_view stream)
{
    opening told = opening::undecided;
    for (std::size_t size = 0; size <= std::min<std::size_t>(stream.size(), 40); ++size) {
        const std::string_view first = stream.substr(0, size);
        const opening now = opening_of(first);
        require(told == opening::undecided || now == told, "more bytes change nothing", first);
        require(may_be(now, first), "it is what it is taken for", first);
        told = now;
    }
    require(opening_of(stream) == told, "the rest changes nothing", stream);
}

bool are_same(const proxy_head& a, const proxy_head& b)
{
    return a.read == b.read && a.size == b.size && a.client == b.client;
}

void check_proxy_head(std::string_view stream)
{
    const proxy_head whole = read_proxy_head(stream);
    require(whole.size <= stream.size(), "what was read has come", stream);
    require(whole.read != proxy_head::state::more || stream.size() < longest_proxy_head, "it has an end", stream);
    for (std::size_t size = 0; size <= stream.size(); size += size < 150 ? 1 : 61) {
        const proxy_head part = read_proxy_head(stream.substr(0, size));
        require(part.read == proxy_head::state::more || are_same(part, whole), "more bytes change nothing", stream);
        require(part.read != proxy_head::state::done || part.size <= size, "what was read has come", stream);
    }
    if (whole.read == proxy_head::state::done)
        require(are_same(read_proxy_head(stream.substr(0, whole.size)), whole), "it needs no byte behind it", stream);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view stream(reinterpret_cast<const char*>(data), size);
    check_opening(stream);
    check_proxy_head(stream);
    return 0;
}
