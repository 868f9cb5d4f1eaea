#include "params.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/printable.hpp>
#include <partyline/protocol/writer.hpp>

#include <limits>
#include <set>
#include <stdexcept>
#include <string_view>

namespace call {
namespace {

using partyline::byte_buffer;
using partyline::json_text;
using partyline::printable;

constexpr auto any_depth = std::numeric_limits<std::size_t>::max(); // the session has its own limit

bool is_json_container(std::string_view word)
{
    return word.starts_with('{') || word.starts_with('[');
}

json_text whole_text(const std::string& word)
{
    byte_buffer checked;
    if (const auto problem = write_text(checked, json_text(word), any_depth))
        throw std::invalid_argument("the params are " + problem->reason + " (at " + problem->where + "): '" +
                                    printable(word) + "'");
    return json_text(std::string(checked.view()));
}

void append_string(byte_buffer& out, const std::string& text)
{
    if (partyline::to_valid_utf8(text) != text)
        throw std::invalid_argument("'" + printable(text) + "' is not UTF-8");
    write_string(out, text);
}

void append_value(byte_buffer& out, const std::string& value)
{
    if (write_text(out, json_text(value), any_depth)) // it is no JSON
        append_string(out, value);
}

json_text members(const std::vector<std::string>& words)
{
    byte_buffer out;
    std::set<std::string> names;
    for (const std::string& word : words) {
        const std::size_t equals = word.find('=');
        if (equals == 0 || equals == std::string::npos)
            throw std::invalid_argument("unexpected argument '" + printable(word) +
                                        "': params are one JSON text that begins with { or [, or name=value");
        const std::string name = word.substr(0, equals);
        if (!names.insert(name).second)
            throw std::invalid_argument("the parameter '" + printable(name) + "' is given twice");
        out.push_back(out.empty() ? '{' : ',');
        append_string(out, name);
        out.push_back(':');
        append_value(out, word.substr(equals + 1));
    }
    out.push_back('}');
    return json_text(std::string(out.view()));
}

} // namespace

json_text params_of(const std::vector<std::string>& words)
{
    if (words.empty())
        return {};
    if (!is_json_container(words.front()))
        return members(words);
    if (words.size() > 1)
        throw std::invalid_argument("unexpected argument '" + printable(words[1]) + "' behind the params");
    return whole_text(words.front());
}

} // namespace call
