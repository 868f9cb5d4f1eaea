#include "params.hpp"

#include "input_file.hpp"
#include "json_fault.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/printable.hpp>
#include <partyline/protocol/writer.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>

namespace call {
namespace {

using partyline::byte_buffer;
using partyline::json_text;
using partyline::printable;
using words = std::vector<std::string>;

constexpr auto any_depth = std::numeric_limits<std::size_t>::max(); // the session has its own limit

std::string in_quotes(const std::string& text)
{
    return "'" + printable(text) + "'";
}

// As one writes it in a shell.
std::string as_json_word(const std::string& text)
{
    byte_buffer out;
    write_string(out, text);
    return in_quotes(std::string(out.view()));
}

bool begins_as_container(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
}

// Appends nothing and returns false when it is no JSON.
bool append_json(byte_buffer& out, const std::string& text)
{
    return !write_text(out, json_text(text), any_depth);
}

bool is_json(const std::string& text)
{
    byte_buffer unused;
    return append_json(unused, text);
}

bool is_pair(const std::string& word)
{
    const std::size_t equals = word.find('=');
    return equals != 0 && equals != std::string::npos && !word.starts_with('@') && !begins_as_container(word) &&
           !is_json(word);
}

// The file that `@FILE` names.
std::optional<std::string> file_of(const std::string& word)
{
    if (!word.starts_with('@'))
        return std::nullopt;
    if (word.size() == 1)
        throw std::invalid_argument("'@' names no file; the string is written " + as_json_word(word));
    return word.substr(1);
}

void append_string(byte_buffer& out, const std::string& text, const std::string& shown)
{
    if (partyline::to_valid_utf8(text) != text)
        throw std::invalid_argument(shown + " is not UTF-8");
    write_string(out, text);
}

// `json` is what `text` is as JSON, if it is that.
void append_json_or_string(byte_buffer& out, const std::string& json, const std::string& text, const std::string& shown)
{
    if (!append_json(out, json))
        append_string(out, text, shown);
}

void append_value(byte_buffer& out, const std::string& word, const file_reader& read)
{
    const auto file = file_of(word);
    if (!file)
        return append_json_or_string(out, word, word, in_quotes(word));
    const std::string text = read(*file);
    append_json_or_string(out, std::string(without_mark(text)), text, input_name(*file));
}

json_text whole_word(const std::string& word)
{
    byte_buffer checked;
    if (const auto problem = write_text(checked, json_text(word), any_depth))
        throw std::invalid_argument("the params are " + problem->reason + " (at " + problem->where +
                                    "): " + in_quotes(word));
    return json_text(std::string(checked.view()));
}

json_text whole_file(const std::string& file, const file_reader& read)
{
    const std::string text(without_mark(read(file)));
    byte_buffer checked;
    if (!append_json(checked, text))
        throw std::invalid_argument(input_name(file) + " is not JSON: " + json_fault(text));
    if (!begins_as_container(text))
        throw std::invalid_argument(input_name(file) + " holds no params: expected a JSON array or object");
    return json_text(std::string(checked.view()));
}

json_text object_of(const words& pairs, const file_reader& read)
{
    byte_buffer out;
    std::set<std::string> names;
    for (const std::string& word : pairs) {
        const std::size_t equals = word.find('=');
        const std::string name = word.substr(0, equals);
        if (!names.insert(name).second)
            throw std::invalid_argument("the parameter " + in_quotes(name) + " is given twice");
        out.push_back(out.empty() ? '{' : ',');
        append_string(out, name, in_quotes(name));
        out.push_back(':');
        append_value(out, word.substr(equals + 1), read);
    }
    out.push_back('}');
    return json_text(std::string(out.view()));
}

void check_element(const std::string& word)
{
    if (word.starts_with('='))
        throw std::invalid_argument(in_quotes(word) + " has no name before the =; the string is written " +
                                    as_json_word(word));
    if (begins_as_container(word) && !is_json(word))
        throw std::invalid_argument(in_quotes(word) + " is not JSON: " + json_fault(word) + "; the string is written " +
                                    as_json_word(word));
}

json_text array_of(const words& elements, const file_reader& read)
{
    byte_buffer out;
    for (const std::string& word : elements) {
        check_element(word);
        out.push_back(out.empty() ? '[' : ',');
        append_value(out, word, read);
    }
    out.push_back(']');
    return json_text(std::string(out.view()));
}

[[noreturn]] void refuse_mixture(const std::string& pair, const std::string& other)
{
    throw std::invalid_argument(in_quotes(pair) + " and " + in_quotes(other) +
                                " do not go together: params are either all name=value or all values; the string " +
                                printable(pair) + " is written " + as_json_word(pair));
}

} // namespace

json_text params_of(const words& all, const file_reader& read)
{
    if (all.empty())
        return {};
    const auto pair = std::ranges::find_if(all, is_pair);
    const auto other = std::ranges::find_if_not(all, is_pair);
    if (pair != all.end() && other != all.end())
        refuse_mixture(*pair, *other);
    if (pair != all.end())
        return object_of(all, read);
    if (all.size() > 1)
        return array_of(all, read);

    const std::string& only = all.front();
    if (only == "-")
        return whole_file(only, read);
    if (const auto file = file_of(only))
        return whole_file(*file, read);
    return begins_as_container(only) ? whole_word(only) : array_of(all, read);
}

} // namespace call
