#include <partyline/session/trace_context.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>

namespace partyline {
namespace {

constexpr std::string_view digits = "0123456789abcdef";
constexpr std::size_t max_state = 512;

// W3C Trace Context §3.2.2: version "-" trace-id "-" parent-id "-" trace-flags.
constexpr std::size_t trace_id_at = 3;
constexpr std::size_t span_id_at = 36;
constexpr std::size_t flags_at = 53;
constexpr std::size_t known_length = 55;

bool is_hexadecimal(std::string_view text)
{
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

// Neither of the ids may be all zeros (§3.2.2.3, §3.2.2.4).
bool is_id(std::string_view text)
{
    return is_hexadecimal(text) && text.find_first_not_of('0') != text.npos;
}

// Version 00 is as long as that; what a later one adds stands behind a dash (§3.2.4).
bool has_known_parts(std::string_view text)
{
    if (text.size() < known_length || text[2] != '-' || text[span_id_at - 1] != '-' || text[flags_at - 1] != '-')
        return false;
    const std::string_view version = text.substr(0, 2);
    if (!is_hexadecimal(version) || version == "ff")
        return false;
    return text.size() == known_length || (version != "00" && text[known_length] == '-');
}

std::mt19937_64 make_engine()
{
    std::random_device device;
    std::seed_seq seeds{device(), device(), device(), device(), device(), device(), device(), device()};
    return std::mt19937_64(seeds);
}

// Ids are to be different, not secret. What peers see here tells nothing of the seeds of our hash tables.
unsigned long long draw()
{
    thread_local std::mt19937_64 engine = make_engine();
    return engine();
}

// What is neither is no `tracestate` (§3.3.1), and would be harmful in an HTTP header.
bool is_printable_ascii(std::string_view text)
{
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

// The digits of each byte.
constexpr std::array<char, 512> digit_pairs = [] {
    std::array<char, 512> pairs{};
    for (std::size_t byte = 0; byte != 256; ++byte) {
        pairs[2 * byte] = digits[byte >> 4];
        pairs[2 * byte + 1] = digits[byte & 15];
    }
    return pairs;
}();

template <std::size_t Size>
void draw_id(std::array<char, Size>& out)
{
    static_assert(Size % 16 == 0);
    unsigned long long drawn = 0;
    do {
        for (std::size_t at = 0; at != Size; at += 16) {
            unsigned long long random = draw();
            drawn |= random;
            for (std::size_t i = 0; i != 16; i += 2, random >>= 8)
                std::memcpy(&out[at + i], &digit_pairs[2 * (random & 0xff)], 2);
        }
    } while (drawn == 0);
}

} // namespace

trace_context trace_context::make_root()
{
    trace_context made;
    draw_id(made.trace_id_);
    draw_id(made.span_id_);
    return made;
}

std::optional<trace_context> trace_context::parse(std::string_view traceparent, std::string_view tracestate)
{
    if (!has_known_parts(traceparent))
        return std::nullopt;
    const std::string_view trace_id = traceparent.substr(trace_id_at, 32);
    const std::string_view span_id = traceparent.substr(span_id_at, 16);
    const std::string_view flags = traceparent.substr(flags_at, 2);
    if (!is_id(trace_id) || !is_id(span_id) || !is_hexadecimal(flags))
        return std::nullopt;
    trace_context read;
    std::copy(trace_id.begin(), trace_id.end(), read.trace_id_.begin());
    std::copy(span_id.begin(), span_id.end(), read.span_id_.begin());
    read.is_sampled_ = digits.find(flags[1]) % 2 == 1;
    if (tracestate.size() <= max_state && is_printable_ascii(tracestate))
        read.state_ = tracestate;
    return read;
}

trace_context trace_context::child() const
{
    trace_context made = *this;
    made.parent_id_ = span_id_;
    made.has_parent_ = true;
    draw_id(made.span_id_);
    return made;
}

std::string trace_context::traceparent() const
{
    std::string text = "00-";
    text.append(trace_id()).append("-").append(span_id()).append(is_sampled_ ? "-01" : "-00");
    return text;
}

} // namespace partyline
