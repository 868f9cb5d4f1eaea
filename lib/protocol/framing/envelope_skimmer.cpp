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
    id_.clear();
    size_ = depth_ = max_depth_ = 0;
    seen_ = none;
    ids_ = 0;
    is_usable_ = false;
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
    if (ids_ != 1 || !is_usable_ || is_cut_off)
        id_.clear();
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
    is_object_ = c == '{';
    is_array_ = c == '[';
    begin_rest(c);
    if (is_object_)
        state_ = state::name_wait;
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
    case '{': max_depth_ = std::max(max_depth_, ++depth_); break;
    case ']':
    case '}': depth_ -= depth_ != 0; break;
    case ',':
        if (depth_ == 1 && is_object_)
            state_ = state::name_wait;
        break;
    default: break;
    }
}

// The rest of the message is never checked, but the id is sent back.
void envelope_skimmer::check_id()
{
    scanner scan;
    scan.start(id_);
    const char* const end = id_.empty() ? nullptr : scan.skip_value(id_.c_str(), 0);
    if (!end || end != scan.end())
        id_.clear();
}

} // namespace partyline
