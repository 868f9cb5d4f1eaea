#include "protocol/framing/envelope_skimmer.hpp"

#include "protocol/json/scanner.hpp"

#include <algorithm>

namespace partyline {
namespace {

bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

int hex_value(char c)
{
    const char letter = static_cast<char>(c | 0x20);
    if (c >= '0' && c <= '9')
        return c - '0';
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

} // namespace

void envelope_skimmer::reset()
{
    found_.clear();
    size_ = depth_ = max_depth_ = 0;
    seen_in_all_ = none;
    is_in_object_ = is_array_ = false;
    state_ = state::before;
}

void envelope_skimmer::feed(std::string_view piece)
{
    size_ += piece.size();
    for (const char c : piece)
        step(c);
}

void envelope_skimmer::finish()
{
    const bool is_cut_off = state_ == state::id_string || state_ == state::id_escape || state_ == state::id_scalar;
    is_usable_ = is_usable_ && !is_cut_off;
    if (is_in_object_)
        end_members();
    check_id();
}

void envelope_skimmer::step(char c)
{
    switch (state_) {
    case state::before: begin(c); break;
    case state::name_wait:
        if (c == '"')
            begin_name();
        else if (!is_space(c))
            begin_rest(c);
        break;
    case state::name: take_name(c); break;
    case state::name_escape:
        hex_ = hex_digits_ = 0;
        state_ = c == 'u' ? state::name_hex : state::name;
        if (c != 'u')
            append_to_name('\0'); // no simple escape stands for a letter of a name that matters
        break;
    case state::name_hex: take_name_hex(c); break;
    case state::colon_wait:
        if (c == ':')
            state_ = state::value_wait;
        break;
    case state::value_wait:
        if (!is_space(c))
            begin_value(c);
        break;
    case state::id_string: take_id(c, c == '"' ? state::rest : c == '\\' ? state::id_escape : state::id_string); break;
    case state::id_escape: take_id(c, state::id_string); break;
    case state::id_scalar: take_id_scalar(c); break;
    case state::rest: take_rest(c); break;
    case state::rest_string:
        if (c == '"' || c == '\\')
            state_ = c == '"' ? state::rest : state::rest_escape;
        break;
    case state::rest_escape: state_ = state::rest_string; break;
    }
}

void envelope_skimmer::begin(char c)
{
    if (is_space(c))
        return;
    is_array_ = c == '[';
    begin_rest(c);
    if (c == '{')
        begin_members();
}

void envelope_skimmer::begin_members() noexcept
{
    id_.clear();
    seen_ = none;
    ids_ = 0;
    is_usable_ = false;
    is_in_object_ = true;
    state_ = state::name_wait;
}

// In an array, only responses belong to what somebody here waits for.
void envelope_skimmer::end_members()
{
    is_in_object_ = false;
    seen_in_all_ |= seen_;
    if (found_.empty() && ids_ == 1 && is_usable_ && (!is_array_ || is_response(seen_)))
        found_.swap(id_);
}

void envelope_skimmer::begin_name()
{
    name_size_ = 0;
    state_ = state::name;
}

void envelope_skimmer::take_name(char c)
{
    if (c == '"')
        end_name();
    else if (c == '\\')
        state_ = state::name_escape;
    else
        append_to_name(c);
}

void envelope_skimmer::take_name_hex(char c)
{
    hex_ = hex_ * 16 + static_cast<unsigned>(std::max(hex_value(c), 0));
    if (++hex_digits_ < 4)
        return;
    append_to_name(hex_ < 0x80 ? static_cast<char>(hex_) : '\0');
    state_ = state::name;
}

void envelope_skimmer::append_to_name(char c)
{
    if (name_size_ < sizeof name_)
        name_[name_size_++] = c;
}

void envelope_skimmer::end_name()
{
    const std::string_view name(name_, name_size_);
    is_id_ = name == "id";
    seen_ |= name == "method" ? method : name == "result" ? result : name == "error" ? error : none;
    state_ = state::colon_wait;
}

void envelope_skimmer::begin_value(char c)
{
    if (is_id_)
        begin_id(c);
    else
        begin_rest(c);
}

void envelope_skimmer::begin_id(char c)
{
    const bool is_string = c == '"';
    is_usable_ = is_string || c == '-' || c == 'n' || (c >= '0' && c <= '9');
    ++ids_;
    id_.clear();
    if (is_usable_)
        take_id(c, is_string ? state::id_string : state::id_scalar);
    else
        begin_rest(c);
}

void envelope_skimmer::take_id(char c, state next)
{
    state_ = next;
    if (id_.size() < max_id_bytes_)
        id_.push_back(c);
    else
        is_usable_ = false;
}

void envelope_skimmer::take_id_scalar(char c)
{
    if (is_space(c) || c == ',' || c == '}')
        begin_rest(c);
    else
        take_id(c, state::id_scalar);
}

void envelope_skimmer::begin_rest(char c)
{
    state_ = state::rest;
    take_rest(c);
}

void envelope_skimmer::take_rest(char c)
{
    switch (c) {
    case '"': state_ = state::rest_string; break;
    case '[':
    case '{': open(c); break;
    case ']':
    case '}': close(); break;
    case ',':
        if (is_at_members())
            state_ = state::name_wait;
        break;
    default: break;
    }
}

void envelope_skimmer::open(char c)
{
    max_depth_ = std::max(max_depth_, ++depth_);
    if (is_array_ && depth_ == 2 && c == '{')
        begin_members();
}

// What comes behind a whole message is its own fault; behind an element comes the next one.
void envelope_skimmer::close()
{
    if (is_array_ && is_at_members())
        end_members();
    depth_ -= depth_ != 0;
}

// The rest of the message is never checked, but the id is sent back.
void envelope_skimmer::check_id()
{
    scanner scan;
    scan.start(found_);
    const char* const end = found_.empty() ? nullptr : scan.skip_value(found_.c_str(), 0);
    if (!end || end != scan.end())
        found_.clear();
}

} // namespace partyline
