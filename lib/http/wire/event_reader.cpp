#include "http/wire/event_reader.hpp"

#include "http/wire/characters.hpp"
#include "protocol/json/byte_order_mark.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace partyline::http {
namespace {

constexpr std::size_t longest_id = 1024;

} // namespace

// What was taken goes when it is the greater part, so that no byte is moved more than once for each that was taken.
void event_reader::feed(std::string_view bytes)
{
    if (at_ >= bytes_.size() - at_) {
        bytes_.erase(0, at_);
        searched_ -= std::min(searched_, at_);
        at_ = 0;
    }
    bytes_ += bytes;
}

std::optional<server_event> event_reader::next()
{
    while (const std::optional<std::string_view> line = take_line()) {
        if (!line->empty()) {
            take_field(*line);
            continue;
        }
        if (std::optional<server_event> event = end_event())
            return event;
    }
    return std::nullopt;
}

void event_reader::check_size(std::size_t line) const
{
    if (line + data_.size() > most_)
        throw std::length_error("an event is longer than " + std::to_string(most_) + " bytes");
}

// False where it may still come.
bool event_reader::take_mark()
{
    const std::string_view rest = std::string_view(bytes_).substr(at_);
    if (rest.size() < byte_order_mark.size() && byte_order_mark.starts_with(rest))
        return false;
    if (rest.starts_with(byte_order_mark))
        at_ += byte_order_mark.size();
    return has_begun_ = true;
}

// A line that ends with CR is taken at once, and the LF that may follow later with the next one.
std::optional<std::string_view> event_reader::take_line()
{
    if (!has_begun_ && !take_mark())
        return std::nullopt;
    if (ends_with_cr_ && at_ != bytes_.size()) {
        at_ += bytes_[at_] == '\n' ? 1 : 0;
        ends_with_cr_ = false;
    }
    const std::size_t end = bytes_.find_first_of("\r\n", std::max(at_, searched_));
    searched_ = std::min(end, bytes_.size());
    check_size(searched_ - at_);
    if (end == bytes_.npos)
        return std::nullopt;
    const std::string_view line = std::string_view(bytes_).substr(at_, end - at_);
    at_ = end + 1;
    ends_with_cr_ = bytes_[end] == '\r';
    return line;
}

void event_reader::take_field(std::string_view line)
{
    const std::size_t colon = line.find(':');
    const std::string_view name = line.substr(0, colon);
    std::string_view value = colon == line.npos ? std::string_view() : line.substr(colon + 1);
    if (value.starts_with(' '))
        value.remove_prefix(1);
    if (name == "data")
        data_.append(value).push_back('\n');
    else if (name == "event")
        type_ = value;
    else if (name == "id")
        take_id(value);
    else if (name == "retry")
        take_retry(value);
}

// It is said again in a field of a request: what can't stand there, or is longer than anybody needs, is as if there
// were none.
void event_reader::take_id(std::string_view value)
{
    if (value.find('\0') != value.npos)
        return;
    id_ = value.size() <= longest_id && is_all(value, is_value_char) ? value : std::string_view();
}

// Digits and nothing else; a number that nobody waits for says nothing.
void event_reader::take_retry(std::string_view value)
{
    std::uint32_t number = 0;
    const char* const end = value.data() + value.size();
    const auto [stopped, failed] = std::from_chars(value.data(), end, number);
    if (failed == std::errc() && stopped == end)
        retry_ = std::chrono::milliseconds(number);
}

// An event without data is none, and tells its id all the same: so does one of empty lines, which say where a stream
// begins.
std::optional<server_event> event_reader::end_event()
{
    last_id_ = id_;
    server_event event{std::exchange(type_, {}), std::exchange(data_, {})};
    if (event.data.size() <= 1)
        return std::nullopt;
    event.data.pop_back(); // the line end behind the last one
    if (event.type.empty())
        event.type = "message";
    return event;
}

} // namespace partyline::http
