#include <partyline/protocol/framing.hpp>

#include "skimmer.hpp"

#include <algorithm>

namespace partyline {
namespace {

constexpr std::size_t read_size = std::size_t(64) << 10; // what a pipe holds
constexpr std::size_t kept_size = std::size_t(1) << 20; // a buffer above that is given back after its message
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool is_blank(std::string_view line)
{
    const bool is_text = !line.empty() && static_cast<unsigned char>(line.front()) > ' ';
    return !is_text && line.find_first_not_of(" \t\r") == line.npos;
}

std::string_view without_return(std::string_view line)
{
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    return line;
}

} // namespace

struct line_framing::state {
    explicit state(const limits& bounds) : max_size(bounds.message_bytes), skim(bounds.id_bytes) {}

    std::string_view pending() const { return buffer.view().substr(begin); }
    void make_room();
    void shrink();
    void skip_byte_order_mark();
    bool take_line(frame& out);
    bool take_rest(frame& out);
    bool take(std::size_t size, std::size_t consumed, frame& out);
    void discard(std::size_t size);
    void report(frame& out);

    const std::size_t max_size;
    byte_buffer buffer;
    std::size_t begin = 0;   // of what has not been handed out
    std::size_t scanned = 0; // before here no line ends
    skimmer skim;            // reads the line that is being discarded
    bool is_discarding = false;
    bool holds_return = false;     // the last byte so far, which the skimmer has not seen
    bool is_at_start = true;       // a byte order mark may come yet
    bool is_finished = false;
};

// What is left over moves to the front, so that a line is whole in one piece.
void line_framing::state::make_room()
{
    buffer.erase_front(begin);
    scanned -= begin;
    begin = 0;
    if (buffer.capacity() > kept_size && buffer.size() <= kept_size / 2)
        shrink();
}

void line_framing::state::shrink()
{
    byte_buffer smaller;
    smaller.append(buffer.view());
    buffer.swap(smaller);
}

void line_framing::state::skip_byte_order_mark()
{
    const std::string_view first = pending().substr(0, byte_order_mark.size());
    is_at_start = byte_order_mark.starts_with(first);
    if (first != byte_order_mark)
        return;
    is_at_start = false;
    begin = scanned = byte_order_mark.size();
}

inline bool line_framing::state::take_line(frame& out)
{
    while (scanned < buffer.size()) {
        const std::size_t newline = buffer.view().find('\n', scanned);
        const bool is_whole = newline != std::string_view::npos;
        scanned = is_whole ? newline + 1 : buffer.size();
        if (is_whole && take(newline - begin, scanned - begin, out))
            return true;
    }
    const bool may_grow = is_at_start || pending().size() <= max_size + 1; // + 1: the return of CR LF may be the last
    if (is_discarding || !may_grow)
        discard(pending().size());
    return false;
}

bool line_framing::state::take_rest(frame& out)
{
    if (pending().empty() && !is_discarding)
        return false;
    buffer.prepare(1); // for the NUL
    return take(pending().size(), pending().size(), out);
}

// Takes a whole line of `size` bytes, or the end of one whose beginning has been discarded. False when it is blank.
inline bool line_framing::state::take(std::size_t size, std::size_t consumed, frame& out)
{
    const std::string_view line = without_return(pending().substr(0, size));
    if (is_discarding || line.size() > max_size) {
        discard(size);
        begin += consumed - size;
        report(out);
        return !skim.is_blank();
    }
    buffer.data()[begin + line.size()] = '\0';
    begin += consumed;
    out = frame{};
    out.text = line;
    return !is_blank(line);
}

// The return of a CR LF is not part of the line, so one is held back until something comes behind it.
void line_framing::state::discard(std::size_t size)
{
    if (!is_discarding) {
        skim.reset();
        holds_return = false;
    }
    is_discarding = true;
    if (size == 0)
        return;
    const std::string_view piece = pending().substr(0, size);
    if (holds_return)
        skim.feed("\r");
    holds_return = piece.ends_with('\r');
    skim.feed(without_return(piece));
    begin += size;
    scanned = std::max(scanned, begin);
}

void line_framing::state::report(frame& out)
{
    skim.finish();
    is_discarding = false;
    out = frame{};
    out.is_oversize = true;
    out.size = skim.size();
    out.id = skim.id();
    out.looks_like_response = skim.looks_like_response();
}

line_framing::line_framing(const limits& bounds) : state_(std::make_unique<state>(bounds)) {}
line_framing::~line_framing() = default;

std::span<char> line_framing::prepare()
{
    state& s = *state_;
    s.make_room();
    const std::size_t pending = s.buffer.size();
    std::size_t room = read_size;
    if (pending >= read_size / 2)
        room = std::clamp(pending, read_size, s.max_size + 2 + read_size - pending);
    s.buffer.reserve(pending + room);
    return {s.buffer.data() + pending, room};
}

void line_framing::commit(std::size_t count) { state_->buffer.commit(count); }

bool line_framing::next(frame& out)
{
    if (state_->is_at_start)
        state_->skip_byte_order_mark();
    if (state_->take_line(out))
        return true;
    return state_->is_finished && state_->take_rest(out);
}

void line_framing::finish() { state_->is_finished = true; }

void line_framing::begin_message(byte_buffer&) {}

void line_framing::end_message(byte_buffer& out) { out.push_back('\n'); }

} // namespace partyline
