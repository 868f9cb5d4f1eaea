#include <partyline/protocol/framing.hpp>

#include "protocol/framing/envelope_skimmer.hpp"
#include "protocol/framing/read_buffer.hpp"
#include "protocol/json/byte_order_mark.hpp"

namespace partyline {
namespace {

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

    void skip_byte_order_mark();
    bool take_line(frame& out);
    bool take_rest(frame& out);
    bool take(std::size_t size, std::size_t consumed, frame& out);
    void discard(std::size_t size);
    void report(frame& out);

    const std::size_t max_size;
    read_buffer in;
    std::size_t scanned = 0; // of what is pending: no line ends there
    envelope_skimmer skim;   // reads the line that is being discarded
    bool is_discarding = false;
    bool holds_return = false; // the last byte so far, which the skimmer has not seen
    bool is_at_start = true;   // a byte order mark may come yet
    bool is_finished = false;
};

void line_framing::state::skip_byte_order_mark()
{
    const std::string_view first = in.pending().substr(0, byte_order_mark.size());
    is_at_start = byte_order_mark.starts_with(first);
    if (first != byte_order_mark)
        return;
    is_at_start = false;
    in.drop(byte_order_mark.size());
    scanned = 0;
}

inline bool line_framing::state::take_line(frame& out)
{
    for (std::string_view text = in.pending(); scanned < text.size(); text = in.pending()) {
        const std::size_t newline = text.find('\n', scanned);
        scanned = text.size();
        if (newline != text.npos && take(newline, newline + 1, out))
            return true;
    }
    const bool may_grow =
        is_at_start || in.pending().size() <= max_size + 1; // + 1: the return of CR LF may be the last
    if (is_discarding || !may_grow)
        discard(in.pending().size());
    return false;
}

bool line_framing::state::take_rest(frame& out)
{
    const std::size_t size = in.pending().size();
    return (size != 0 || is_discarding) && take(size, size, out);
}

// Takes a whole line of `size` bytes, or the end of one whose beginning has been discarded. False when it is blank.
[[gnu::always_inline]] inline bool line_framing::state::take(std::size_t size, std::size_t consumed, frame& out)
{
    scanned = 0;
    const std::string_view line = without_return({in.pending().data(), size});
    if (is_discarding || line.size() > max_size) {
        discard(size);
        in.drop(consumed - size);
        report(out);
        return !skim.is_blank();
    }
    in.at(line.size()) = '\0';
    in.drop(consumed);
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
    const std::string_view piece = in.pending().substr(0, size);
    if (holds_return)
        skim.feed("\r");
    holds_return = piece.ends_with('\r');
    skim.feed(without_return(piece));
    in.drop(size);
    scanned = 0;
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
    out.is_batch = skim.is_array();
}

line_framing::line_framing(const limits& bounds) : state_(std::make_unique<state>(bounds)) {}
line_framing::~line_framing() = default;

std::span<char> line_framing::prepare()
{
    return state_->in.prepare(state_->max_size + 2);
}

void line_framing::commit(std::size_t count)
{
    state_->in.commit(count);
}

bool line_framing::next(frame& out)
{
    if (state_->is_at_start)
        state_->skip_byte_order_mark();
    if (state_->take_line(out))
        return true;
    return state_->is_finished && state_->take_rest(out);
}

void line_framing::finish()
{
    state_->is_finished = true;
}

std::size_t line_framing::pending() const noexcept
{
    return state_->in.pending().size();
}

bool line_framing::is_within_message() const noexcept
{
    return state_->is_discarding || !is_blank(state_->in.pending());
}

void line_framing::give_up_pending()
{
    state_->discard(state_->in.pending().size());
}

void line_framing::release_memory()
{
    state_->in.release_memory();
}

void line_framing::begin_message(byte_buffer&) {}

void line_framing::end_message(byte_buffer& out)
{
    out.push_back('\n');
}

std::unique_ptr<framing> make_framing(framing_kind kind, const limits& bounds)
{
    if (kind == framing_kind::content_length)
        return std::make_unique<content_length_framing>(bounds);
    return std::make_unique<line_framing>(bounds);
}

} // namespace partyline
