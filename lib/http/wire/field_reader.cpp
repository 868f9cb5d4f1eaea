#include "http/wire/field_reader.hpp"

#include "http/wire/characters.hpp"
#include "http/wire/skip_value.hpp"

#include <algorithm>

namespace partyline::http {

void field_reader::start(std::size_t at) noexcept
{
    at_ = begin_ = at;
    is_in_value_ = is_over_ = false;
    places_.clear();
    why_ = {};
}

bool field_reader::refuse(int status, const char* reason) noexcept
{
    why_ = {status, reason};
    return false;
}

field_reader::state field_reader::read(std::string_view bytes)
{
    while (!is_over_ && (is_in_value_ || read_name(bytes)) && read_value(bytes)) {
    }
    if (why_.status != 0)
        return state::refused;
    return is_over_ ? state::done : state::more;
}

std::span<const field> field_reader::fields_in(std::string_view bytes)
{
    if (fields_.size() < places_.size())
        fields_.resize(places_.size());
    std::transform(places_.begin(), places_.end(), fields_.begin(),
                   [bytes](const field_place& one) { return field{one.name.in(bytes), one.value.in(bytes)}; });
    return {fields_.data(), places_.size()};
}

bool field_reader::read_name(std::string_view bytes)
{
    std::size_t at = at_;
    while (at != bytes.size() && is_in(bytes[at], is_token_char))
        ++at;
    at_ = at;
    if (at == bytes.size())
        return false;
    const char behind = bytes[at];
    if (at == begin_ && behind == '\r')
        return read_end(bytes);
    if (at == begin_ && is_blank(behind))
        return refuse(400, "a field goes on in the next line, which is not taken");
    if (at == begin_ || behind != ':')
        return refuse(400, "a field has a name, which is followed by a colon at once");
    if (places_.size() == most_)
        return refuse(431, "the head has more fields than are taken here");
    places_.push_back({{begin_, at}, {}});
    begin_ = ++at_;
    return is_in_value_ = true;
}

bool field_reader::read_value(std::string_view bytes)
{
    at_ = skip_value(bytes, at_);
    if (at_ == bytes.size())
        return false;
    if (bytes[at_] != '\r')
        return refuse(400, "the value of a field has a control character in it");
    if (at_ + 1 == bytes.size())
        return false;
    if (bytes[at_ + 1] != '\n')
        return refuse(400, "a field ends with CR and LF");
    place value{begin_, at_};
    while (value.begin != value.end && is_blank(bytes[value.begin]))
        ++value.begin;
    while (value.end != value.begin && is_blank(bytes[value.end - 1]))
        --value.end;
    places_.back().value = value;
    begin_ = at_ += 2;
    is_in_value_ = false;
    return true;
}

// There is no field behind it in any case.
bool field_reader::read_end(std::string_view bytes)
{
    if (at_ + 1 == bytes.size())
        return false;
    if (bytes[at_ + 1] != '\n')
        return refuse(400, "the head ends with an empty line, of CR and LF");
    at_ += 2;
    is_over_ = true;
    return false;
}

} // namespace partyline::http
