#include "http/sessions/event_log.hpp"

#include <charconv>
#include <utility>

namespace partyline::http {
namespace {

constexpr int base = 36;

void append_number(std::string& out, std::uint64_t number)
{
    char digits[16];
    out.append(digits, std::to_chars(digits, digits + sizeof digits, number, base).ptr);
}

// Only what is written so: no sign, no leading zero, no capital letter.
std::optional<std::uint64_t> read_number(std::string_view text)
{
    std::uint64_t number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    std::string again;
    append_number(again, number);
    if (failed != std::errc() || end != text.data() + text.size() || again != text)
        return std::nullopt;
    return number;
}

} // namespace

std::string to_string(const event_id& id)
{
    std::string text;
    append_number(text, id.stream);
    text += '-';
    append_number(text, id.event);
    return text;
}

std::optional<event_id> parse_event_id(std::string_view text)
{
    const std::size_t dash = text.find('-');
    if (dash == text.npos)
        return std::nullopt;
    const std::optional<std::uint64_t> stream = read_number(text.substr(0, dash));
    const std::optional<std::uint64_t> event = read_number(text.substr(dash + 1));
    if (!stream || !event)
        return std::nullopt;
    return event_id{*stream, *event};
}

void event_log::append(std::string_view event)
{
    std::string text;
    const std::string id = "id: " + to_string({stream_, next_}) + '\n';
    text.reserve(id.size() + event.size()); // else a long one takes up to twice its size
    text.append(id).append(event);
    events_.push_back(std::move(text));
    ++next_;
    bytes_ += cost(events_.back());
}

void event_log::trim(std::uint64_t needed) noexcept
{
    while (events_.size() > 1 && first() < needed && (events_.size() > most_.events || bytes_ > most_.bytes))
        forget_before(first() + 1);
}

void event_log::forget_before(std::uint64_t event) noexcept
{
    for (; first() < event; events_.pop_front())
        bytes_ -= cost(events_.front());
}

} // namespace partyline::http
