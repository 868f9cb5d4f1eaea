#include "request_line.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/protocol/message.hpp>
#include <partyline/protocol/writer.hpp>

#include <boost/json/value.hpp>

#include <limits>
#include <string>

namespace call {
namespace {

using partyline::json_text;
using partyline::json_view;

constexpr auto any_depth = std::numeric_limits<std::size_t>::max(); // the session has its own limit

// The members of one line.
class line_reader {
public:
    line_reader(std::string_view line, std::size_t number) : number_(number)
    {
        const std::size_t first = line.find_first_not_of(" \t\r");
        text_ = line.substr(first == std::string_view::npos ? line.size() : first);
        partyline::byte_buffer checked;
        if (const auto problem = write_text(checked, json_text(text_), any_depth))
            refuse(problem->reason + " (at " + problem->where + ")");
        if (!text_.starts_with('{'))
            refuse("not a JSON object");
    }

    [[noreturn]] void refuse(const std::string& problem) const { throw bad_line(number_, problem); }

    std::string method()
    {
        const json_view text = find("method");
        if (text.empty())
            refuse("\"method\" is missing");
        if (!text.text().starts_with('"'))
            refuse("\"method\" is not a string");
        try {
            return std::string(text.to_value().as_string());
        } catch (const partyline::rpc_error&) {
            refuse("\"method\" has a lone surrogate");
        }
    }

    json_text params()
    {
        const json_view text = find("params");
        if (text.empty() || text.text() == "null")
            return {};
        if (!text.text().starts_with('{') && !text.text().starts_with('['))
            refuse("\"params\" is neither an object nor an array");
        return json_text(text);
    }

    std::string label()
    {
        const json_view text = find("id");
        if (text.empty())
            return std::to_string(number_);
        if (std::string_view("{[tfn").find(text.text().front()) != std::string_view::npos)
            refuse("\"id\" is neither a string nor a number");
        return std::string(text.text());
    }

private:
    json_view find(std::string_view name) { return reader_.find_member(json_view::checked(text_), name); }

    std::size_t number_;
    std::string text_; // a NUL follows it, as the reader needs it
    partyline::message_reader reader_{partyline::limits()};
};

} // namespace

bad_line::bad_line(std::size_t number, const std::string& problem)
    : std::runtime_error("line " + std::to_string(number) + ": " + problem)
{
}

request read_request_line(std::string_view line, std::size_t number)
{
    line_reader reader(line, number);
    return {reader.method(), reader.params(), reader.label()};
}

} // namespace call
