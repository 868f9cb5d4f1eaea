#include "progress_note.hpp"

#include "shown_line.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/printable.hpp>
#include <partyline/protocol/writer.hpp>

#include <cmath>
#include <limits>

namespace json = boost::json;

namespace call {
namespace {

std::optional<double> number_at(const json::object& object, std::string_view name)
{
    const json::value* const found = object.if_contains(name);
    if (!found || !found->is_number())
        return std::nullopt;
    return found->to_number<double>();
}

std::string text_at(const json::object& object, std::string_view name)
{
    const json::value* const found = object.if_contains(name);
    return found && found->is_string() ? std::string(found->get_string()) : std::string();
}

bool is_percentage(std::optional<double> number)
{
    return number && *number >= 0 && *number <= 100;
}

std::optional<double> percent_of(const json::object& object)
{
    if (const auto percentage = number_at(object, "percentage"); is_percentage(percentage))
        return percentage;
    const auto done = number_at(object, "progress");
    const auto total = number_at(object, "total");
    if (!done || !total || *total <= 0)
        return std::nullopt;
    const double percent = 100 * *done / *total;
    return is_percentage(percent) ? std::optional(percent) : std::nullopt;
}

std::string as_json(const json::value& value)
{
    partyline::byte_buffer out;
    write_value(out, value, std::numeric_limits<std::size_t>::max());
    return std::string(out.view());
}

std::string joined(std::string first, std::string_view separator, std::string_view second)
{
    if (!first.empty() && !second.empty())
        first += separator;
    return first += second;
}

progress_note read_object(const json::value& value)
{
    const json::object& object = value.get_object();
    progress_note note{percent_of(object), joined(text_at(object, "title"), ": ", text_at(object, "message"))};
    if (!note.percent && note.message.empty())
        note.message = as_json(value);
    return note;
}

std::string percent_text(double percent)
{
    return std::to_string(std::lround(std::floor(percent))) + "%"; // 100 is said of nothing that is not done
}

// As many characters as `width`, taking each for one column.
std::string cut(const std::string& text, std::size_t width)
{
    std::size_t columns = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool begins_character = (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80;
        if (begins_character && columns++ == width)
            return text.substr(0, i);
    }
    return text;
}

} // namespace

progress_note read_progress(const json::value& value)
{
    if (value.is_object())
        return read_object(value);
    if (value.is_string())
        return {std::nullopt, std::string(value.get_string())};
    if (value.is_number() && is_percentage(value.to_number<double>()))
        return {value.to_number<double>(), {}};
    return {std::nullopt, as_json(value)};
}

std::string to_line(const progress_note& note, std::string_view label)
{
    std::string head = joined(std::string(label), ": ", "progress");
    if (note.percent)
        head += ' ' + percent_text(*note.percent);
    return shown_line(joined(std::move(head), note.percent ? ": " : " ", note.message));
}

std::string to_bar(const progress_note& note, std::string_view label, std::size_t width)
{
    constexpr std::size_t cells = 20;
    std::string bar;
    if (note.percent) {
        const auto full = static_cast<std::size_t>(*note.percent * cells / 100);
        bar = "[" + std::string(full, '=') + std::string(cells - full, ' ') + "] " + percent_text(*note.percent);
    }
    const std::string line = joined(joined(std::string(label), " ", bar), " ", note.message);
    return cut(partyline::printable(line), width);
}

} // namespace call
