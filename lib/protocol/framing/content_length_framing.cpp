#include "protocol/framing/envelope_skimmer.hpp"
#include "protocol/framing/header_reader.hpp"
#include "protocol/framing/read_buffer.hpp"

#include <partyline/protocol/framing.hpp>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>

namespace partyline {
namespace {

constexpr std::string_view length_name = "Content-Length: ";
constexpr std::string_view end_of_header = "\r\n\r\n";
constexpr std::string_view empty_header = "Content-Length: \r\n\r\n";

} // namespace

struct content_length_framing::state {
    explicit state(const limits& bounds)
        : max_size(bounds.message_bytes), max_header(bounds.header_bytes), header(max_length), skim(bounds.id_bytes)
    {
    }

    std::size_t max_left() const { return std::max(max_size, max_header) + 1; }
    void put_back();
    bool take_header(frame& out);
    void take_usual_header();
    bool take_header_line(std::string_view line);
    bool take_body(frame& out);
    bool discard_body(frame& out);
    bool wait(frame& out, const char* unless_finished);
    bool break_off(frame& out, const char* why);

    const std::size_t max_size;
    const std::size_t max_header;
    read_buffer in;
    header_reader header;
    envelope_skimmer skim;       // reads the message that is being discarded
    std::size_t header_size = 0; // of what has been read of it
    std::size_t discarded = 0;
    std::optional<char> displaced; // where the last message's NUL stands now
    std::size_t sent_from = 0;     // where the outgoing message's header begins
    bool is_in_body = false;
    bool is_unwanted = false; // the message under way
    bool is_finished = false;
    bool is_broken = false;
};

// The NUL behind a message stands where the next header begins.
void content_length_framing::state::put_back()
{
    if (displaced)
        in.at(0) = *displaced;
    displaced.reset();
}

// False: there is no more to do until something comes, or nothing more is to come.
bool content_length_framing::state::take_header(frame& out)
{
    if (!is_in_body && header_size == 0)
        take_usual_header();
    while (!is_in_body) {
        const std::size_t newline = in.pending().find('\n');
        const bool is_whole = newline != std::string_view::npos;
        const std::size_t size = is_whole ? newline + 1 : in.pending().size();
        if (header_size + size > max_header)
            return break_off(out, "a header is longer than the limit allows");
        if (!is_whole)
            return wait(out, header_size + size != 0 ? "input has ended within a header" : nullptr);
        const std::string_view line = in.pending().substr(0, newline);
        const bool has_return = line.ends_with('\r');
        if (!take_header_line(line.substr(0, line.size() - has_return)))
            return break_off(out, header.problem());
        if (!has_return)
            return break_off(out, "a header line ends with LF alone; expected CR LF");
        in.drop(size);
        header_size += size;
    }
    return true;
}

void content_length_framing::state::take_usual_header()
{
    const std::size_t size = header.take_usual(in.pending().substr(0, max_header));
    in.drop(size);
    is_in_body = size != 0;
}

bool content_length_framing::state::take_header_line(std::string_view line)
{
    if (!line.empty())
        return header.take(line);
    is_in_body = true;
    return header.finish();
}

bool content_length_framing::state::take_body(frame& out)
{
    const std::size_t size = header.length();
    if (size > max_size || !header.is_utf8() || is_unwanted)
        return discard_body(out);
    if (in.pending().size() < size)
        return wait(out, "input has ended within a message");
    const bool is_last = in.pending().size() == size;
    char& behind = in.at(size);
    if (!is_last)
        displaced = behind;
    behind = '\0';
    out = frame{};
    out.text = in.pending().substr(0, size);
    in.drop(size);
    return true;
}

bool content_length_framing::state::discard_body(frame& out)
{
    if (discarded == 0)
        skim.reset();
    const std::string_view piece = in.pending().substr(0, header.length() - discarded);
    skim.feed(piece);
    discarded += piece.size();
    in.drop(piece.size());
    if (discarded != header.length())
        return wait(out, "input has ended within a message");
    out = frame{};
    if (!header.is_utf8()) {
        out.problem = "Content-Type names another charset than utf-8";
        return true;
    }
    skim.finish();
    out.is_oversize = true;
    out.size = skim.size();
    out.id = skim.id();
    out.looks_like_response = skim.looks_like_response();
    out.is_batch = skim.is_array();
    return true;
}

bool content_length_framing::state::wait(frame& out, const char* unless_finished)
{
    if (is_finished && unless_finished)
        break_off(out, unless_finished);
    return false;
}

bool content_length_framing::state::break_off(frame& out, const char* why)
{
    is_broken = true;
    out = frame{};
    out.problem = why;
    out.is_broken = true;
    return false;
}

content_length_framing::content_length_framing(const limits& bounds) : state_(std::make_unique<state>(bounds)) {}
content_length_framing::~content_length_framing() = default;

std::span<char> content_length_framing::prepare()
{
    state_->put_back();
    return state_->in.prepare(state_->max_left());
}

void content_length_framing::commit(std::size_t count)
{
    state_->in.commit(count);
}

bool content_length_framing::next(frame& out)
{
    state& s = *state_;
    s.put_back();
    if (s.is_broken)
        return false;
    if (!s.take_header(out) || !s.take_body(out))
        return s.is_broken;
    s.is_in_body = false;
    s.is_unwanted = false;
    s.header_size = 0;
    s.discarded = 0;
    s.header.reset();
    return true;
}

void content_length_framing::finish()
{
    state_->is_finished = true;
}

std::size_t content_length_framing::pending() const noexcept
{
    return state_->in.pending().size();
}

bool content_length_framing::is_within_message() const noexcept
{
    return state_->is_in_body || state_->header_size != 0 || pending() != 0;
}

void content_length_framing::give_up_pending()
{
    state_->is_unwanted = state_->is_in_body;
    frame none;
    next(none); // discards what has come; it is no whole message
}

void content_length_framing::release_memory()
{
    state_->in.release_memory();
}

void content_length_framing::begin_message(byte_buffer& out)
{
    state_->sent_from = out.size();
    out.append(empty_header); // in one piece: all of it or nothing
}

void content_length_framing::end_message(byte_buffer& out)
{
    const std::size_t behind_name = state_->sent_from + length_name.size();
    const std::size_t length = out.size() - behind_name - end_of_header.size();
    char digits[20];
    const char* const end = std::to_chars(std::begin(digits), std::end(digits), length).ptr;
    out.insert(behind_name, {digits, static_cast<std::size_t>(end - digits)});
}

} // namespace partyline
